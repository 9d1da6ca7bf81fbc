/** The verdict of the chosen property in one plain sentence, made from its witness. */

import { satisfies } from "./forcing";
import type { PartOutline, PropertyOutline } from "./format";
import type { Cut, State } from "./recording";
import { finalText, type Scene } from "./scene";
import { changes, facts, together } from "./values";

/** What a value means to the reader: something forbidden happened, or something is the case, or not. */
export type Tone = "violated" | "true" | "false" | "unknown";

export interface Explanation {
  tone: Tone;
  /** the verdict in a word or two */
  word: string;
  sentence: string;
  /** whether later events can overturn it; nothing if that is not known */
  final: string;
}

export const toneOf = (letter: string, isNever: boolean): Tone =>
  letter === "?" ? "unknown" : letter === "1" ? (isNever ? "violated" : "true") : "false";

export function verdictWord(letter: string, isNever: boolean): string {
  if (letter === "?") return "Too large to tell";
  if (isNever) return letter === "1" ? "Violated" : "Not violated";
  return letter === "1" ? "True" : "False";
}

export function explain(scene: Scene): Explanation {
  const { recording, moment, property } = scene;
  const chosen = recording.spec.properties[property];
  const letter = recording.value(property, moment.slide);
  return {
    tone: toneOf(letter, chosen.never),
    word: verdictWord(letter, chosen.never),
    sentence: sentenceOf(scene, chosen),
    final: finalText(recording, property, moment.slide),
  };
}

function sentenceOf(scene: Scene, chosen: PropertyOutline): string {
  const { recording, moment, outline } = scene;
  if (!outline) return "";
  const letter =
    chosen.parts.length > 1
      ? recording.partValue(scene.part, moment.slide)
      : recording.value(scene.property, moment.slide);
  if (letter === "?") {
    return recording.hasClocks || chosen.parts.length === 1
      ? "The window has more global states than the spec's max_cuts allows to look at."
      : "The pipeline tells the value of the whole property only.";
  }
  if (recording.hasClocks && !moment.least)
    return "The states in the window make no consistent global state, so every answer is false.";
  const said = letter === "1" ? whyTrue(scene, outline) : whyFalse(scene, outline);
  return chosen.parts.length > 1
    ? `The part ${outline.text} is ${letter === "1" ? "true" : "false"}: ${lower(said)}`
    : said;
}

function whyTrue(scene: Scene, outline: PartOutline): string {
  const { witness, runs, moment, recording } = scene;
  if (outline.kind === "possibly") {
    const told = witness.cut ? factsOf(scene, outline, witness.cut) : "";
    return told ? `In some possible order, ${told}.` : "Some possible order of events shows it.";
  }
  if (outline.kind !== "definitely") return generic(scene, outline, true);
  const where = recording.because(scene.part, moment.slide);
  const cut = where === "l" ? moment.least : where === "g" ? moment.greatest : null;
  if (cut && recording.hasClocks) return `Whatever the order, ${factsOf(scene, outline, cut)}.`;
  if (!runs) return "Every possible order of events shows it.";
  const firsts = runs.map(({ process, first }) => recording.state(process, first)!);
  const told = together(firsts.map((state) => facts(state, outline, recording.spec.processes[state.process])));
  const because = runs.length > 1 ? ": each began before any other could end" : "";
  return `Whatever the order, at some moment ${told}${because}.`;
}

function whyFalse(scene: Scene, outline: PartOutline): string {
  const { witnessCuts, witness, recording } = scene;
  if (outline.kind === "definitely") {
    if (!witness.path) return "Some possible order of events avoids it.";
    return `In the order drawn in orange, ${avoidance(scene, outline, witnessCuts)}.`;
  }
  if (outline.kind !== "possibly") return generic(scene, outline, false);
  if (!recording.hasClocks) return "No possible order of events shows it.";
  const never = outline.conjunctive ? neverSatisfied(scene, outline) : null;
  if (never !== null)
    return `In this window, ${recording.spec.processes[never]} never satisfies its part of the condition.`;
  if (outline.conjunctive)
    return "Each process satisfies its part at some time, but in no possible order all at once.";
  return "No possible order of the events in this window shows it.";
}

/** Other questions than a plain `possibly` or `definitely`. */
function generic({ witness }: Scene, { kind }: PartOutline, value: boolean): string {
  const not = value ? "" : "not ";
  if (kind === "probability") return `The share of possible orders that show it is ${not}within the bound.`;
  if (kind === "CTL")
    return `The formula does ${not}hold from the earliest global state of the window on.`.replace(
      "does hold",
      "holds",
    );
  if (kind === "possibly sequence" && value) {
    return witness.path
      ? "In the order drawn in orange, the sequence occurs."
      : "The sequence occurs in some possible order.";
  }
  if (kind === "definitely sequence" && !value) {
    return witness.path
      ? "In the order drawn in orange, the sequence does not occur."
      : "Some possible order avoids the sequence.";
  }
  return value ? "The sequence occurs in every possible order." : "The sequence occurs in no possible order.";
}

/** The states of a cut in words: of those that the condition reads, the ones that speak for it. */
function factsOf({ recording, part }: Scene, outline: PartOutline, cut: Cut): string {
  const read = cut.flatMap((number, k) => {
    const state = outline.reads[k].length ? recording.state(k, number) : undefined;
    return state ? [state] : [];
  });
  const speaking = read.filter((state) => "12".includes(state.colours[part]));
  const shown = speaking.length ? speaking : read;
  return together(shown.map((state) => facts(state, outline, recording.spec.processes[state.process])));
}

/** The process whose every state between the ends rules the condition out; null if there is none. */
function neverSatisfied({ recording, moment, part }: Scene, outline: PartOutline): number | null {
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
  if (!outline.conjunctive) return "no moment satisfies the condition";
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
    else if (ended && ended.process !== k) {
      const said = [ended, now].map((state) => {
        const name = processes[state.process];
        return (
          changes(state, recording.state(state.process, state.number - 1), outline, name) ||
          `${name}#${state.index} came`
        );
      });
      return `${said[0]} before ${said[1]}`;
    }
  }
  return "the parts of the condition never hold all at once";
}

const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
