/** The delivered states of all processes, by number and by index. */

import { runningSums, type StateColumns } from "./format";

/** A delivered state of a process. */
export interface State {
  process: number;
  /** how many states of the process were delivered before it; the initial one is 0 */
  number: number;
  /** the own entry of its clock */
  index: number;
  clock: number[];
  variables: unknown;
  time: unknown;
  /** per part: what the state says of its condition (".", "0", "-", "1", "2") */
  colours: string;
  /** the slide that delivered it; 0 if that is not known */
  slide: number;
}

export class States {
  readonly lanes: State[][];
  /** the number of the first state that is known, per process */
  readonly from: number[];

  constructor(processes: number) {
    this.lanes = Array.from({ length: processes }, () => []);
    this.from = this.lanes.map(() => 0);
  }

  /** Takes the states that follow those known, or the first ones. */
  append(all: StateColumns[], isFirst: boolean): void {
    all.forEach((columns, process) => {
      const lane = this.lanes[process];
      if (isFirst) this.from[process] = columns.from;
      const clocks = columns.clock.map(runningSums);
      runningSums(columns.index).forEach((index, at) => {
        const document = columns.variables_of[at];
        lane.push({
          process,
          number: columns.from + at,
          index,
          clock: clocks.map((column) => column[at]),
          variables: columns.variables[document],
          time: columns.time[at],
          colours: columns.colours.map((letters) => letters[document]).join(""),
          slide: 0,
        });
      });
    });
  }

  /** Forgets the states of a process before a number. */
  drop(process: number, before: number): void {
    const surplus = Math.max(0, before - this.from[process]);
    this.lanes[process].splice(0, surplus);
    this.from[process] += surplus;
  }

  get(process: number, number: number): State | undefined {
    return this.lanes[process][number - this.from[process]];
  }

  /** The last known state of a process up to an index. */
  latest(process: number, index: number): State | undefined {
    const lane = this.lanes[process];
    let low = 0;
    let high = lane.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (lane[middle].index <= index) low = middle + 1;
      else high = middle - 1;
    }
    return lane[high];
  }

  /** The state of a process that has an index, or stands for it; undefined if it is not known. */
  standing(process: number, index: number): State | undefined {
    const found = this.latest(process, index);
    // What comes after the last one known is not known to be lost.
    const isLast = found === this.lanes[process].at(-1);
    return found && (found.index === index || !isLast) ? found : undefined;
  }
}
