/** Where the space-time diagram puts things: columns from left to right, a lane per process. */

import { curveMonotoneY, line } from "d3-shape";

/** where the columns begin; before them stand the names */
export const LEFT = 116;
const NARROW_LEFT = 76;
const RIGHT = 18;
/** room for three rows of names of cuts above the lanes */
const TOP = 40;
const BOTTOM = 26;
const COLUMN = 46;
const MOST_COLUMN = 110;
const LEAST_COLUMN = 9;
const LEAST_LANE = 34;
const MOST_LANE = 116;
/** Where the columns of a drawing of a width begin. */
export const leftOf = (width: number): number => (width < 560 ? NARROW_LEFT : LEFT);

/** The width that a drawing has beside the names. */
export function innerWidth(width: number): number {
  return width - leftOf(width) - RIGHT;
}

/** How many columns fit into a width if they are easy to read, and how many fit at all. */
export function columnsIn(width: number): { easy: number; most: number } {
  const inner = innerWidth(width);
  return { easy: Math.floor(inner / COLUMN), most: Math.max(40, Math.floor(inner / LEAST_COLUMN)) };
}

/** A drawing of a width and a height, with a lane for each of some processes, from top to bottom, and some columns. */
export class Frame {
  readonly left: number;
  readonly height: number;
  /** how high a lane is */
  readonly lane: number;
  /** how thick a state is drawn */
  readonly thickness: number;
  /** half the height of the box around a window */
  readonly half: number;
  /** how wide a column is */
  readonly step: number;
  /** how much room a name has */
  readonly nameRoom: number;
  private readonly rows: Map<number, number>;

  /** It becomes higher than asked for where the lanes would be too narrow. */
  constructor(
    width: number,
    height: number,
    private readonly order: readonly number[],
    columns: number,
  ) {
    const lanes = Math.max(1, order.length);
    this.left = leftOf(width);
    this.rows = new Map(order.map((process, row) => [process, row]));
    this.height = Math.max(height, TOP + BOTTOM + LEAST_LANE * lanes);
    this.lane = Math.min(MOST_LANE, (this.height - TOP - BOTTOM) / lanes);
    this.thickness = Math.max(8, Math.min(20, this.lane * 0.36));
    this.half = Math.min(this.lane * 0.42, this.thickness + 12);
    this.step = Math.min(MOST_COLUMN, innerWidth(width) / columns);
    this.nameRoom = this.left - 22;
  }

  /** Where a column begins. */
  x(column: number): number {
    return this.left + column * this.step;
  }

  /** The middle of a process's lane; NaN if it has none. */
  y(process: number): number {
    const slack = Math.max(0, this.height - TOP - BOTTOM - this.lane * this.order.length) / 2;
    return TOP + slack + this.lane * ((this.rows.get(process) ?? Number.NaN) + 0.5);
  }

  /** Above all lanes. */
  get top(): number {
    return this.y(this.order[0]) - this.lane / 2;
  }

  /** Below all lanes. */
  get bottom(): number {
    return this.y(this.order[this.order.length - 1]) + this.lane / 2;
  }

  /** A smooth line that crosses the lane of each process at a column. */
  frontierPath(crossing: number[]): string {
    const points = this.order.map((k): [number, number] => [this.x(crossing[k]), this.y(k)]);
    const [first, last] = [points[0], points[points.length - 1]];
    const reach = this.lane / 2;
    const all: [number, number][] = [[first[0], first[1] - reach], ...points, [last[0], last[1] + reach]];
    return line().curve(curveMonotoneY)(all) ?? "";
  }
}
