/** What a witness shows, in words: the states of a cut that speak for a condition, or how an order avoids it. */

import { satisfies } from "./forcing";
import type { PartOutline } from "./format";
import type { Cut, State } from "./recording";
import type { Scene } from "./scene";
import { changes, facts, together } from "./values";

/** The states of a cut that make a condition true: `s1.role was leader while s3.role was leader`. */
export function factsOf(scene: Scene, outline: PartOutline, cut: Cut): string {
  const { processes } = scene.recording.spec;
  return together(speaking(scene, outline, cut).map((state) => facts(state, outline, processes[state.process])));
}

/**
 * Of the states that a condition reads: those of the alternative that holds; else the one that makes it true alone; else
 * those that satisfy their own part, with those that are only compared or added with others.
 */
export function speaking({ recording, part, witness }: Scene, outline: PartOutline, cut: Cut): State[] {
  const read = cut.flatMap((number, k) => {
    const state = outline.reads[k].length ? recording.state(k, number) : undefined;
    return state ? [state] : [];
  });
  const { speak } = witness;
  if (speak) return read.filter(({ process }) => speak.includes(process));
  const alone = read.filter((state) => state.colours[part] === "2");
  if (alone.length) return alone;
  const some = read.filter(({ colours, process }) => colours[part] === "1" || !outline.own[process]);
  return some.length ? some : read;
}

/** The process whose every state between the ends rules the condition out; null if there is none. */
export function neverSatisfied({ recording, moment, part }: Scene, outline: PartOutline): number | null {
  const { least, greatest } = moment;
  const found = outline.reads.findIndex((paths, k) => {
    if (!paths.length || !least || !greatest) return false;
    for (let number = least[k]; number <= greatest[k]; number++) {
      if (satisfies(recording.state(k, number), part)) return false;
    }
    return true;
  });
  return found < 0 ? null : found;
}

/** How an observation avoids a condition: what ended before what began. */
export function avoidance({ recording, part }: Scene, outline: PartOutline, cuts: Cut[]): string {
  const { processes } = recording.spec;
  if (!outline.conjunctive) return "no global state satisfies the condition";
  const read = [...outline.reads.keys()].filter((k) => outline.reads[k].length);
  const stateAt = (k: number, at: number): State | undefined => recording.state(k, cuts[at][k]);
  const never = read.find((k) => cuts.every((_, at) => !satisfies(stateAt(k, at), part)));
  if (never !== undefined) return `${processes[never]} never satisfies its part`;
  let ended: State | undefined;
  for (let at = 1; at < cuts.length; at++) {
    const k = cuts[at].findIndex((number, j) => number !== cuts[at - 1][j]);
    const [before, now] = [stateAt(k, at - 1), stateAt(k, at)];
    if (!now || !outline.reads[k].length || satisfies(before, part) === satisfies(now, part)) continue;
    if (!satisfies(now, part)) ended = now;
    else if (ended && ended.process !== k) return `${told(ended)} before ${told(now)}`;
  }
  return "the parts of the condition never hold all at once";

  function told(state: State): string {
    const name = processes[state.process];
    const before = recording.state(state.process, state.number - 1);
    return changes(state, before, outline, name) || `${name}#${state.index} came`;
  }
}
