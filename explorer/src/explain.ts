/** The verdict of the chosen property in one plain sentence, made from its witness. */

import type { PartOutline, PropertyOutline } from "./format";
import { finalText, type Scene, tellingCut } from "./scene";
import { facts, together } from "./values";
import { avoidance, factsOf, neverSatisfied } from "./witness";

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
  if (hasNoCut(scene)) return "The states in the window make no consistent global state, so every answer is false.";
  // A formula may be answered by its opposite, as AG by EF; the sentence is about the formula.
  const isFormula = chosen.single && outline.kind.endsWith("CTL");
  const letter = isFormula
    ? recording.value(scene.property, moment.slide)
    : recording.partValue(scene.part, moment.slide);
  if (letter === "?") {
    return recording.hasClocks || recording.value(scene.property, moment.slide) === "?"
      ? "The window has more global states than the spec's max_cuts allows to look at."
      : "The pipeline tells the value of the whole property only.";
  }
  const said = REASONS[outline.kind]?.(scene, outline, letter === "1") ?? "";
  return chosen.single ? said : `${outline.text} is ${letter === "1" ? "true" : "false"}: ${lower(said)}`;
}

/** Whether there is no cut, as far as it is known. */
function hasNoCut({ recording, moment }: Scene): boolean {
  return !moment.least && (recording.hasClocks || moment.toldAt === moment.slide);
}

type Reason = (scene: Scene, outline: PartOutline, value: boolean) => string;

/** Why a part of each kind has its value. */
const REASONS: Record<string, Reason> = {
  possibly: (scene, outline, value) => (value ? possiblyTrue(scene, outline) : possiblyFalse(scene, outline)),
  definitely: (scene, outline, value) => (value ? definitelyTrue(scene, outline) : definitelyFalse(scene, outline)),
  "possibly sequence": (scene, _, value) => {
    if (!value) return "The sequence occurs in no possible order.";
    return isDrawn(scene)
      ? "In the order drawn in orange, the sequence occurs."
      : "The sequence occurs in some possible order.";
  },
  "definitely sequence": (scene, _, value) => {
    if (value) return "The sequence occurs in every possible order.";
    return isDrawn(scene)
      ? "In the order drawn in orange, the sequence does not occur."
      : "In some possible order, the sequence does not occur.";
  },
  "possibly formula": (scene, _, value) => {
    if (!value) return "No possible order satisfies the formula.";
    return isDrawn(scene)
      ? "The order drawn in orange satisfies the formula."
      : "Some possible order satisfies the formula.";
  },
  "definitely formula": (scene, _, value) => {
    if (value) return "Every possible order satisfies the formula.";
    return isDrawn(scene)
      ? "The order drawn in orange does not satisfy the formula."
      : "Some possible order does not satisfy the formula.";
  },
  CTL: (_, __, value) =>
    `At the earliest global state of the window, looking forward, the formula ${value ? "holds" : "does not hold"}.`,
  "past CTL": (_, __, value) =>
    `At the latest global state of the window, looking back, the formula ${value ? "holds" : "does not hold"}.`,
  probability: (_, outline, value) =>
    `The share of possible orders that show the condition is ${value ? "" : "not "}${boundOf(outline.text)}.`,
};

const isDrawn = ({ witness }: Scene): boolean => witness.path !== null;

const BOUNDS: Record<string, string> = {
  ">=": "at least",
  ">": "more than",
  "<=": "at most",
  "<": "less than",
  "==": "exactly",
  "!=": "other than",
};

/** The bound of a probability in words: `at least 90 %`. */
function boundOf(text: string): string {
  const found = /(>=|<=|==|!=|>|<) ([\d.e+-]+)$/.exec(text);
  if (!found) return "within the bound";
  return `${BOUNDS[found[1]]} ${Number((Number(found[2]) * 100).toPrecision(6))} %`;
}

function possiblyTrue(scene: Scene, outline: PartOutline): string {
  const { witness } = scene;
  const told = witness.cut ? factsOf(scene, outline, witness.cut) : "";
  return told ? `In some possible order, ${told}.` : "Some possible order of events shows it.";
}

function possiblyFalse(scene: Scene, outline: PartOutline): string {
  const { recording } = scene;
  if (!recording.hasClocks) return "No possible order of events shows it.";
  if (!outline.conjunctive) return "No possible order of the events in this window shows it.";
  const never = neverSatisfied(scene, outline);
  if (never !== null) return `In no possible order does ${recording.spec.processes[never]} satisfy its part.`;
  return "Each process satisfies its part at some time, but in no possible order all at once.";
}

function definitelyTrue(scene: Scene, outline: PartOutline): string {
  const { runs, recording } = scene;
  const cut = tellingCut(scene);
  const told = cut && recording.hasClocks ? factsOf(scene, outline, cut) : "";
  if (told) return `Whatever the order, ${told}.`;
  if (!runs?.length) return "Every possible order of events shows it.";
  const firsts = runs.map(({ process, first }) => recording.state(process, first)!);
  const both = together(firsts.map((state) => facts(state, outline, recording.spec.processes[state.process])));
  const because = runs.length > 1 ? ": each began before any other could end" : "";
  return `Whatever the order, at some moment ${both}${because}.`;
}

function definitelyFalse(scene: Scene, outline: PartOutline): string {
  if (!isDrawn(scene)) {
    const never = outline.conjunctive && scene.recording.hasClocks ? neverSatisfied(scene, outline) : null;
    if (never === null) return "Some possible order of events avoids it.";
    return `In no possible order does ${scene.recording.spec.processes[never]} satisfy its part.`;
  }
  return `In the order drawn in orange, ${avoidance(scene, outline, scene.witnessCuts)}.`;
}

const lower = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
