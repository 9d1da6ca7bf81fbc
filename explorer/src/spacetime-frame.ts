/** Where the space-time diagram puts things: columns from left to right, a lane per process. */

import { curveMonotoneY, line } from "d3-shape";

export const LEFT = 112;
const RIGHT = 18;
const TOP = 30;
const BOTTOM = 10;
const COLUMN = 46;
const MOST_COLUMN = 110;
const LEAST_COLUMN = 9;
const LEAST_LANE = 18;
const MOST_LANE = 116;

/** The width that a drawing has beside the names. */
export function innerWidth(width: number): number {
  return width - LEFT - RIGHT;
}

/** How many columns fit into a width if they are easy to read, and how many fit at all. */
export function columnsIn(width: number): { easy: number; most: number } {
  const inner = innerWidth(width);
  return { easy: Math.floor(inner / COLUMN), most: Math.max(40, Math.floor(inner / LEAST_COLUMN)) };
}

/** A drawing of a width and a height, with a lane for each of some processes, and some columns. */
export class Frame {
  readonly height: number;
  /** how high a lane is */
  readonly lane: number;
  /** how thick a state is drawn */
  readonly thickness: number;
  /** half the height of the box around a window */
  readonly half: number;
  /** how wide a column is */
  readonly step: number;

  /** It becomes higher than asked for where the lanes would be too narrow. */
  constructor(
    width: number,
    height: number,
    private readonly processes: number,
    columns: number,
  ) {
    this.height = Math.max(height, TOP + BOTTOM + LEAST_LANE * processes);
    this.lane = Math.min(MOST_LANE, (this.height - TOP - BOTTOM) / processes);
    this.thickness = Math.max(6, Math.min(18, this.lane * 0.32));
    this.half = Math.min(this.lane * 0.42, this.thickness + 12);
    this.step = Math.min(MOST_COLUMN, innerWidth(width) / columns);
  }

  /** Where a column begins. */
  x(column: number): number {
    return LEFT + column * this.step;
  }

  /** The middle of a process's lane. */
  y(process: number): number {
    const slack = Math.max(0, this.height - TOP - BOTTOM - this.lane * this.processes) / 2;
    return TOP + slack + this.lane * (process + 0.5);
  }

  /** A smooth line that crosses the lane of each process at a column. */
  frontierPath(crossing: number[]): string {
    const points = crossing.map((column, k): [number, number] => [this.x(column), this.y(k)]);
    const [first, last] = [points[0], points[points.length - 1]];
    const reach = this.lane / 2;
    const all: [number, number][] = [[first[0], first[1] - reach], ...points, [last[0], last[1] + reach]];
    return line().curve(curveMonotoneY)(all) ?? "";
  }
}
