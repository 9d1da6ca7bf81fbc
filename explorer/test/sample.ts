/** A small recording, made by hand: two processes, window 3, as in the README's example of LatWin. */

import type { Chunk, Spec } from "../src/format";
import { Recording } from "../src/recording";

export const spec: Spec = {
  processes: ["a", "b"],
  window: [3, 3],
  delivery: "fifo",
  synchrony: null,
  properties: [{ name: "p", text: "possibly(a.on and b.on)", never: false, parts: [{ text: "", engine: "", why: "", meaning: "" }] }],
};

const states = (clock: number[][], times: number): Chunk["states"][number] => ({
  from: 0,
  index: [0, ...Array<number>(times - 1).fill(1)],
  clock,
  variables: [null, { on: true }],
  variables_of: [0, ...Array<number>(times - 1).fill(1)],
  colours: ["01"],
  time: Array(times).fill(null),
});

/** a1; b1, which knows a1; a2. Cuts at the end: (0,0) (1,0) (1,1) (2,0) (2,1). */
export const chunk: Chunk = {
  first: 1,
  process: [0, 1, 0],
  states: [states([[0, 1, 1], [0, 0, 0]], 3), states([[0, 1], [0, 1]], 2)],
  through: [],
  empty: "000",
  least: [[0, 0, 0], [0, 0, 0]],
  greatest: [[0, 0, 0], [0, 0, 0]],
  cuts: [2, 3, 5],
  levels: [],
  values: ["011"],
  parts: [{ values: "011", cut: [0, [1, 1], [1, 1]], path: [0, 0, [0, 0, 1]], stretch: [], labels: ["AA==", "BA==", "FA=="] }],
  counters: { waiting: [0, 0, 0], duplicates: [0, 1, 0], rejected: [0, 0, 0], late: [0, 0, 0], skipped: [0, 0, 0], too_large: [0, 0, 0] },
  totals: { delivered: 3, waiting: 0, duplicates: 1, rejected: 0, late: 0, skipped: 0, too_large: 0 },
};

export function sample(): Recording {
  const recording = new Recording(spec);
  recording.append(structuredClone(chunk));
  return recording;
}
