/** What forces a true `definitely`: the chosen runs of a conjunction, or the cuts that no observation avoids. */

import type { PartOutline } from "./format";
import type { Lattice } from "./lattice";
import type { Cut, Moment, Recording, State } from "./recording";
import type { Message } from "./spacetime";

/** States of a process that satisfy its own part, one after the other, by their numbers. */
export interface Run {
  process: number;
  first: number;
  last: number;
}

/** Whether a state satisfies its process's own part of a conjunction; a process that is not read has none. */
export const satisfies = (state: State | undefined, part: number): boolean =>
  state !== undefined && state.colours[part] !== "0";

/**
 * One run of each process that is read, so that each begins before any other ends; null if there is no such choice.
 *
 * As `choose_runs` in Python: the earliest choice. A run that ends before another begins is dropped for the next one.
 */
export function chooseRuns(recording: Recording, moment: Moment, part: number, outline: PartOutline): Run[] | null {
  const { least, greatest } = moment;
  if (!least || !greatest || !outline.conjunctive) return null;
  const read = [...outline.reads.keys()].filter((k) => outline.reads[k].length > 0);
  const next = (process: number, from: number): Run | null => {
    let first = from;
    while (first <= greatest[process] && !satisfies(recording.state(process, first), part)) first++;
    if (first > greatest[process]) return null;
    let last = first;
    while (last < greatest[process] && satisfies(recording.state(process, last + 1), part)) last++;
    return { process, first, last };
  };
  const runs: Run[] = [];
  for (const k of read) {
    const run = next(k, least[k]);
    if (!run) return null;
    runs.push(run);
  }
  for (let again = true; again; ) {
    again = false;
    for (const [at, run] of runs.entries()) {
      const isLate = runs.every((other) => other === run || beginsBeforeEnd(recording, moment, other, run));
      if (isLate) continue;
      const later = next(run.process, run.last + 2);
      if (!later) return null;
      runs[at] = later;
      again = true;
    }
  }
  return runs;
}

/** Whether the event that begins one run happened before the event that ends another. */
function beginsBeforeEnd(recording: Recording, { least, greatest }: Moment, one: Run, other: Run): boolean {
  if (one.first === least![one.process] || other.last === greatest![other.process]) return true;
  const begin = recording.state(one.process, one.first)!;
  const end = recording.state(other.process, other.last + 1)!;
  return end.clock[one.process] >= begin.index;
}

/** The messages by which the begin of one run is known before the end of another. */
export function forcingMessages(recording: Recording, moment: Moment, runs: Run[], messages: Message[]): Message[] {
  const pairs = runs.flatMap((one) =>
    runs.flatMap((other) => {
      const isBound =
        one !== other && one.first > moment.least![one.process] && other.last < moment.greatest![other.process];
      const begin = recording.state(one.process, one.first);
      const end = recording.state(other.process, other.last + 1);
      return isBound && begin && end ? [{ begin, end }] : [];
    }),
  );
  const knows = (later: State, earlier: State): boolean => later.clock[earlier.process] >= earlier.index;
  return messages.filter(({ from, to }) => pairs.some(({ begin, end }) => knows(from, begin) && knows(end, to)));
}

/** The first satisfying cuts that observations meet: if none avoids them, each passes exactly one of these first. */
export function wall(lattice: Lattice, flags: boolean[]): Cut[] {
  const after: number[][] = lattice.cuts.map(() => []);
  for (const [before, next] of lattice.steps) after[before].push(next);
  const found: Cut[] = [];
  const seen = new Set<number>(lattice.cuts.length ? [0] : []);
  const waiting = [...seen];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (flags[at]) {
      found.push(lattice.cuts[at]);
      continue;
    }
    for (const next of after[at]) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return found;
}
