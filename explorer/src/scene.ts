/** What is looked at: a slide and a part of a property, with all that the views draw of them. */

import { plural } from "./dom";
import { chooseRuns, type Run, wall } from "./forcing";
import type { PartOutline } from "./format";
import { enumerate, type Lattice, labelled, rowsOf, walk } from "./lattice";
import type { Cut, Moment, Recording, State, Witness } from "./recording";
import { speaking } from "./witness";

/** What the pointer or the keyboard points at. */
export interface Hover {
  cut: Cut | null;
  state: State | null;
}

export const NOTHING: Hover = { cut: null, state: null };

export interface Scene {
  recording: Recording;
  moment: Moment;
  property: number;
  /** the part's position among all parts of all properties */
  part: number;
  /** what is said of the part; undefined if the spec has no property */
  outline: PartOutline | undefined;
  /** null where the lattice is too large, or unknown */
  lattice: Lattice | null;
  rows: number[][];
  /** which cuts are labelled, and what that means */
  flags: boolean[];
  meaning: string;
  witness: Witness;
  /** the cuts of a witness: one, or an observation */
  witnessCuts: Cut[];
  /** of a true `definitely` of a conjunction: the runs that every observation sees at once */
  runs: Run[] | null;
  /** of a true `definitely`: the cuts of which every observation meets one first */
  forced: Cut[];
  /** the processes that decide the verdict, as far as they can be told from others */
  deciding: number[];
  /** whether the property must never be true, and is */
  isViolated: boolean;
  /** of a violation: the states that make it up; null where they cannot be told from others that satisfy their part */
  culprits: ReadonlySet<State> | null;
}

export function sceneOf(recording: Recording, slide: number, property: number, part: number, drawn: number): Scene {
  const moment = recording.moment(slide);
  const isDrawn = recording.hasClocks && moment.cuts !== null && moment.cuts <= drawn;
  const lattice = isDrawn ? enumerate(recording, moment) : null;
  const witness = recording.witness(part, slide);
  let witnessCuts: Cut[] = witness.cut ? [witness.cut] : [];
  if (witness.path && moment.least) witnessCuts = walk(moment.least, witness.path);
  const outline = recording.outlines[part];
  const flags = lattice ? labelled(lattice, recording.labels(part, slide)) : [];
  const isForced = outline?.kind === "definitely" && recording.partValue(part, slide) === "1";
  const scene: Scene = {
    recording,
    moment,
    property,
    part,
    outline,
    lattice,
    rows: lattice ? rowsOf(lattice) : [],
    flags,
    meaning: outline?.meaning ?? "",
    witness,
    witnessCuts,
    runs: isForced && recording.hasClocks ? chooseRuns(recording, moment, part, outline) : null,
    forced: isForced && lattice ? wall(lattice, flags) : [],
    deciding: [],
    isViolated: isViolated(recording, property, slide),
    culprits: null,
  };
  if (outline && recording.hasClocks) {
    scene.deciding = decidingIn(scene, outline);
    if (scene.isViolated) scene.culprits = culpritsIn(scene, outline);
  }
  return scene;
}

/** The cut at which a condition holds, if a part is true because of one. */
export function tellingCut({ recording, part, outline, moment, witness }: Scene): Cut | null {
  if (outline?.kind === "possibly") return witness.cut;
  const where = recording.because(part, moment.slide);
  return where === "l" ? moment.least : where === "g" ? moment.greatest : null;
}

function decidingIn(scene: Scene, outline: PartOutline): number[] {
  const cut = scene.recording.partValue(scene.part, scene.moment.slide) === "1" ? tellingCut(scene) : null;
  if (cut) return speaking(scene, outline, cut).map(({ process }) => process);
  if (scene.runs) return scene.runs.map(({ process }) => process);
  return [...outline.reads.keys()].filter((process) => outline.reads[process].length > 0);
}

/** Whether a property that must never be true is. */
export function isViolated(recording: Recording, property: number, slide: number): boolean {
  return (recording.spec.properties[property]?.never ?? false) && recording.value(property, slide) === "1";
}

function culpritsIn(scene: Scene, outline: PartOutline): Set<State> | null {
  const { recording, part, moment, runs } = scene;
  if (recording.partValue(part, moment.slide) !== "1") return new Set(); // this part of the property is not why
  const cut = tellingCut(scene);
  if (cut) return new Set(speaking(scene, outline, cut));
  if (!runs) return null;
  const numbers = runs.flatMap(({ process, first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => recording.state(process, first + at)!),
  );
  return new Set(numbers);
}

const VALUES: Record<string, string> = { "1": "true", "0": "false", "?": "too large to tell" };

export const valueText = (letter: string): string => VALUES[letter] ?? letter;

const REASONS: Record<string, string> = {
  l: "it holds at the beginning of the window, where every order starts",
  g: "it holds at the end of the window, which every order reaches",
  i: "every order passes a global state that satisfies it",
};

/** Why the chosen part is true if it is a true `definitely`; nothing of any other. */
export function reasonText({ recording, part, moment, forced }: Scene): string {
  const letter = recording.because(part, moment.slide);
  if (letter === "i" && forced.length) return "every order passes one of the global states ringed in orange";
  return REASONS[letter] ?? "";
}

/** Whether later events can overturn the value of a property; nothing if that is not known. */
export function finalText(recording: Recording, property: number, slide: number): string {
  const letter = recording.final(property, slide);
  if (letter === "1") return "final";
  return letter === "0" ? "may still change" : "";
}

/** The value of a property and whether it is final. */
export const verdictText = (recording: Recording, property: number, slide: number): string =>
  [valueText(recording.value(property, slide)), finalText(recording, property, slide)].filter(Boolean).join(", ");

/** The slide in words, for screen readers. */
export function describe(scene: Scene): string {
  const { recording, moment } = scene;
  const { processes, properties } = recording.spec;
  const parts = [`Slide ${moment.slide} of ${recording.last}.`];
  const state = recording.delivered(moment.slide);
  if (state) parts.push(`State ${state.index} of ${processes[state.process]} delivered.`);
  else if (moment.process < 0) parts.push("Time went on.");
  parts.push(...properties.map((known, k) => `${known.name}: ${verdictText(recording, k, moment.slide)}.`));
  parts.push(`${latticeText(scene)}.`);
  return parts.join(" ");
}

/** The lattice in a few words. */
export function latticeText({ recording, moment, lattice, flags }: Scene): string {
  if (!moment.least || !moment.greatest) {
    const isKnown = recording.hasClocks || moment.toldAt > 0;
    return isKnown || moment.cuts === 0 ? "no cut" : moment.cuts === null ? "" : plural(moment.cuts, "cut");
  }
  const isShort = !recording.spec.open && recording.spec.processes.length <= 8;
  const facts = isShort ? [`${recording.show(moment.least)} to ${recording.show(moment.greatest)}`] : [];
  if (lattice && recording.spec.properties.length) facts.unshift(`${flags.filter(Boolean).length} filled`);
  if (moment.cuts !== null) facts.unshift(plural(moment.cuts, "cut"));
  else if (recording.hasClocks) facts.unshift("too many cuts to count");
  return facts.join(", ");
}
