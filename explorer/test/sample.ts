/** A small recording, made by hand: two processes, window 3, as in the README's example of LatWin. */

import type { Chunk, SpecOutline } from "../src/format";
import { Recording } from "../src/recording";

export const spec: SpecOutline = {
  processes: ["a", "b"],
  roles: { both: [0, 1] },
  window: [3, 3],
  delivery: "fifo",
  synchrony: null,
  properties: [
    {
      name: "p",
      text: "possibly(a.on and b.on)",
      expanded: "possibly(a.on and b.on)",
      never: false,
      single: true,
      parts: [
        {
          text: "possibly(a.on and b.on)",
          kind: "possibly",
          condition: "a.on and b.on",
          reads: [[["on"]], [["on"]]],
          own: [true, true],
          conjunctive: true,
          engine: "",
          why: "",
          meaning: "",
        },
      ],
    },
  ],
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
  states: [
    states(
      [
        [0, 1, 1],
        [0, 0, 0],
      ],
      3,
    ),
    states(
      [
        [0, 1],
        [0, 1],
      ],
      2,
    ),
  ],
  through: [],
  empty: "000",
  held: [
    [2, 0, 1],
    [1, 1, 0],
  ],
  least: [
    [0, 0, 0],
    [0, 0, 0],
  ],
  greatest: [
    [0, 0, 0],
    [0, 0, 0],
  ],
  cuts: [2, 3, 5],
  levels: [],
  values: ["011"],
  finals: ["011"],
  parts: [
    {
      values: "011",
      cut: [0, [1, 1], [1, 1]],
      path: [0, 0, [0, 0, 1]],
      stretch: [],
      labels: ["AA==", "BA==", "FA=="],
      speak: [0, 0, 0],
      because: "---",
    },
  ],
  counters: {
    waiting: [0, 0, 0],
    duplicates: [0, 1, 0],
    rejected: [0, 0, 0],
    late: [0, 0, 0],
    skipped: [0, 0, 0],
    too_large: [0, 0, 0],
    empty: [0, 0, 0],
    ticks: [0, 0, 0],
  },
  totals: {
    delivered: 3,
    waiting: 0,
    duplicates: 1,
    rejected: 0,
    late: 0,
    skipped: 0,
    too_large: 0,
    empty: 0,
    ticks: 0,
  },
};

export function sample(): Recording {
  const recording = new Recording(spec);
  recording.append(structuredClone(chunk));
  return recording;
}

/** A row of numbers that looks random, the same for the same seed. */
export function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface Delivered {
  process: number;
  clock: number[];
}

/** States of processes that hear of each other, in an order of delivery in which effects may come before causes. */
export function deliveries(seed: number, processes: number, count: number): Delivered[] {
  const draw = random(seed);
  const clocks = Array.from({ length: processes }, () => Array<number>(processes).fill(0));
  const made: Delivered[][] = clocks.map(() => []);
  for (let step = 0; step < count; step++) {
    const [process, other] = [draw(processes), draw(processes)];
    if (draw(3) === 0) clocks[process] = clocks[process].map((entry, k) => Math.max(entry, clocks[other][k]));
    clocks[process][process] += 1;
    made[process].push({ process, clock: [...clocks[process]] });
  }
  const order: Delivered[] = [];
  while (order.length < count) {
    const lane = made[draw(processes)];
    for (let some = draw(4); some > 0 && lane.length; some--) order.push(lane.shift()!);
  }
  return order;
}

const changes = (values: number[]): number[] => values.map((value, at) => value - (at ? values[at - 1] : 0));

/** The chunk of some of the deliveries, as the server makes it: the first brings the initial states. */
export function chunkOf(all: Delivered[], processes: number, begin: number, end: number): Chunk {
  const some = all.slice(begin, end);
  const zero = { clock: Array<number>(processes).fill(0) };
  return {
    first: begin + 1,
    process: some.map(({ process }) => process),
    states: zero.clock.map((_, k) => {
      const before = all.slice(0, begin).filter(({ process }) => process === k).length;
      const states = [...(begin ? [] : [zero]), ...some.filter(({ process }) => process === k)];
      return {
        from: begin ? before + 1 : 0,
        index: changes(states.map(({ clock }) => clock[k])),
        clock: zero.clock.map((_, j) => changes(states.map(({ clock }) => clock[j]))),
        variables: [null],
        variables_of: states.map(() => 0),
        colours: ["."],
        time: states.map(() => null),
      };
    }),
    through: begin === 0 ? [[1, 0, 1]] : [],
    empty: "0".repeat(some.length),
    held: zero.clock.map((_, k) => {
      const delivered = (at: number): number => all.slice(0, at).filter(({ process }) => process === k).length;
      return changes(some.map((_, at) => Math.min(3, delivered(begin + at + 1) + 1)));
    }),
    least: zero.clock.map(() => some.map(() => 0)),
    greatest: zero.clock.map(() => some.map(() => 0)),
    cuts: some.map((_, at) => begin + at),
    levels: some.map((_, at) => [begin + at + 1, [1], [[0]]]),
    values: [some.map((_, at) => String((begin + at) % 2)).join("")],
    finals: [some.map((_, at) => "01?"[(begin + at) % 3]).join("")],
    parts: [
      {
        values: "0".repeat(some.length),
        cut: some.map(() => 0),
        path: some.map(() => 0),
        stretch: [],
        labels: some.map(() => 0),
        speak: some.map(() => 0),
        because: some.map((_, at) => "lgi-"[(begin + at) % 4]).join(""),
      },
    ],
    counters: { late: changes(some.map((_, at) => begin + at)) },
    totals: {},
  };
}

export const specOf = (processes: number): SpecOutline => ({
  ...spec,
  processes: Array.from({ length: processes }, (_, k) => `p${k}`),
  window: Array<number>(processes).fill(3),
});
