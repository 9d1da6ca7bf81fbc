/**
 * The data that Python writes: the page's header, and chunks of slides in columns. `src/latwin/explorer/format.py` has the
 * same types under the same names, and says what each column holds; a test compares the two.
 */

import { parseShown } from "./shown";

/** The counters of a chunk, as they are shown. */
export const COUNTERS = [
  "delivered",
  "waiting",
  "duplicates",
  "rejected",
  "late",
  "skipped",
  "too_large",
  "empty",
  "ticks",
];

export interface PartOutline {
  text: string;
  kind: string;
  condition: string;
  /** per process the variables that the condition reads, each as the names on its path */
  reads: string[][][];
  /** per process whether some part of the condition is about it alone */
  own: boolean[];
  conjunctive: boolean;
  engine: string;
  why: string;
  /** what it means that a cut is filled */
  meaning: string;
}

export interface PropertyOutline {
  name: string;
  text: string;
  /** the text with named states written out */
  expanded: string;
  never: boolean;
  /** whether it is its one part and nothing more; a formula of CTL may be the opposite of its part */
  single: boolean;
  parts: PartOutline[];
}

export interface SpecOutline {
  processes: string[];
  /** the positions of the processes that have each role */
  roles: Record<string, number[]>;
  /** per process; null never forgets */
  window: (number | null)[];
  delivery: string;
  synchrony: string | null;
  properties: PropertyOutline[];
}

export interface Header {
  version: string;
  /** what the spec is called */
  title: string;
  source: string;
  live: boolean;
  /** whether the server has a view of all groups */
  system: boolean;
  groups: string[];
  notes: string[];
  /** lattices up to this many cuts are drawn */
  drawn: number;
  /** how many slides a live page keeps, as many as its server; null: all there are */
  slides: number | null;
  spec: SpecOutline;
}

export interface StateColumns {
  from: number;
  index: number[];
  clock: number[][];
  variables: unknown[];
  variables_of: number[];
  colours: string[];
  time: unknown[];
}

export interface PartColumns {
  values: string;
  cut: (number[] | 0)[];
  path: (number[] | 0)[];
  stretch: [slide: number, begin: number, end: number][];
  labels: (string | 0)[];
  /** the processes that make a condition with an `or` true at the cut that tells why */
  speak: (number[] | 0)[];
  because: string;
}

export interface Chunk {
  first: number;
  /** -1 where only time went on */
  process: number[];
  /** empty where only verdicts are known, as from a pipeline's output */
  states: StateColumns[];
  through: [slide: number, process: number, index: number][];
  empty: string;
  /** per process how many states its window held at the first slide, then by how much that changed */
  held: number[][];
  least: number[][];
  greatest: number[][];
  cuts: number[];
  levels: [slide: number, counts: number[], labelled: (number[] | null)[]][];
  values: string[];
  finals: string[];
  parts: PartColumns[];
  counters: Record<string, number[]>;
  totals: Record<string, number>;
  /** only of verdicts: the slides at which something was written, with least and greatest cut */
  told?: [slide: number, least: number[] | null, greatest: number[] | null][];
}

export interface GroupLine {
  name: string;
  slide: number;
  values: string;
  rejects: number;
}

export interface SystemView {
  groups: number;
  found: number;
  violating: number;
  /** some of those found, the worst first */
  lines: GroupLine[];
  /** per property, in how many groups it was true after each of the latest batches */
  true_in: number[][];
  totals: Record<string, number>;
}

/** The chunk in an element's text: base64 of deflated JSON. */
export async function unpack(text: string): Promise<Chunk | null> {
  const packed = text.trim();
  if (!packed) return null;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return parseShown<Chunk>(await new Response(stream).text());
}

/** Undoes the columns of changes: each value is the sum of all up to it. */
export function runningSums(changes: number[]): number[] {
  let sum = 0;
  return changes.map((change) => (sum += change));
}

/** Whether a bit is set in base64 text whose bytes begin with their lowest bit. */
export function bitsOf(text: string): (position: number) => boolean {
  const bytes = atob(text);
  return (position) => ((bytes.charCodeAt(position >> 3) >> (position & 7)) & 1) === 1;
}
