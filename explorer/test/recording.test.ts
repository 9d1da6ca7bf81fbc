import { describe, expect, it } from "vitest";
import { nextChange } from "../src/changes";
import { bitsOf, runningSums, unpack } from "../src/format";
import { Recording } from "../src/recording";
import { describe as describeScene, sceneOf } from "../src/scene";
import { chunk, chunkOf, deliveries, sample, spec, specOf } from "./sample";

describe("format", () => {
  it("undoes columns of changes", () => {
    expect(runningSums([5, 1, 0, 3])).toEqual([5, 6, 6, 9]);
    expect(runningSums([])).toEqual([]);
  });
  it("reads bits from the lowest up", () => {
    const bit = bitsOf(btoa("\x05\x01"));
    expect([0, 1, 2, 3, 8, 9].map(bit)).toEqual([true, false, true, false, true, false]);
  });
  it("inflates a chunk, and takes an empty element for none", async () => {
    const stream = new Blob([JSON.stringify(chunk)]).stream().pipeThrough(new CompressionStream("deflate"));
    const packed = btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer())));
    expect(await unpack(`\n${packed}\n`)).toEqual(chunk);
    expect(await unpack("  ")).toBeNull();
  });
});

describe("Recording", () => {
  it("knows windows, ends and states of every slide", () => {
    const recording = sample();
    expect([recording.first, recording.last, recording.length]).toEqual([1, 3, 3]);
    expect(recording.moment(2)).toMatchObject({
      process: 1,
      newest: [1, 1],
      oldest: [0, 0],
      greatest: [1, 1],
      cuts: 3,
    });
    expect(recording.state(0, 2)).toMatchObject({ index: 2, clock: [2, 0], slide: 3 });
    expect(recording.state(1, 1)?.variables).toEqual({ on: true });
    expect(recording.state(0, 3)).toBeUndefined();
  });
  it("finds values, witnesses, counters and changes", () => {
    const recording = sample();
    expect([1, 2, 3].map((slide) => recording.value(0, slide))).toEqual(["0", "1", "1"]);
    expect([1, 2, 3].map((slide) => recording.final(0, slide))).toEqual(["0", "1", "1"]);
    expect(recording.because(0, 2)).toBe("-");
    expect(recording.witness(0, 2).cut).toEqual([1, 1]);
    expect(recording.counter("duplicates", 1)).toBe(0);
    expect(recording.counter("duplicates", 3)).toBe(1);
    expect(nextChange(recording, 0, 3, -1)).toBe(2);
    expect(nextChange(recording, 0, 2, 1)).toBeNull();
    expect(recording.clamp(99)).toBe(3);
  });
  it("is the same from one chunk as from two", () => {
    const whole = sample();
    const [head, tail] = [structuredClone(chunk), structuredClone(chunk)];
    head.process = [0, 1];
    for (const [columns, count] of [
      [head.states[0], 2],
      [head.states[1], 2],
    ] as const) {
      columns.index = columns.index.slice(0, count);
      columns.variables_of = columns.variables_of.slice(0, count);
      columns.clock = columns.clock.map((column) => column.slice(0, count));
    }
    tail.first = 3;
    tail.process = [0];
    tail.states[0] = {
      ...tail.states[0],
      from: 2,
      index: [2],
      clock: [[2], [0]],
      variables: [{ on: true }],
      variables_of: [0],
      colours: ["1"],
      time: [null],
    };
    tail.states[1] = {
      ...tail.states[1],
      from: 2,
      index: [],
      clock: [[], []],
      variables: [],
      variables_of: [],
      colours: [""],
      time: [],
    };
    for (const [part, begin, end] of [
      [head, 0, 2],
      [tail, 2, 3],
    ] as const) {
      part.cuts = part.cuts.slice(begin, end);
      part.values = part.values.map((letters) => letters.slice(begin, end));
      part.finals = part.finals.map((letters) => letters.slice(begin, end));
      part.least = part.least.map((column) => column.slice(begin, end));
      part.greatest = part.greatest.map((column) => column.slice(begin, end));
      part.parts[0].cut = part.parts[0].cut.slice(begin, end);
      part.parts[0].speak = part.parts[0].speak.slice(begin, end);
      part.held = begin ? [[3], [2]] : part.held.map((column) => column.slice(begin, end));
    }
    const recording = new Recording(spec);
    recording.append(head);
    recording.append(tail);
    for (const slide of [1, 2, 3]) expect(recording.moment(slide)).toEqual(whole.moment(slide));
    expect(recording.lanes.map((lane) => lane.map(({ index, clock }) => [index, clock]))).toEqual(
      whole.lanes.map((lane) => lane.map(({ index, clock }) => [index, clock])),
    );
  });
  it("knows slides at which only time went on, and windows that lose several states at once", () => {
    const ticking = structuredClone(chunk);
    ticking.process = [0, 1, 0, -1];
    ticking.held = [
      [2, 0, 1, -2],
      [1, 1, 0, -1],
    ];
    ticking.least = ticking.least.map((column) => [...column, 0]);
    ticking.greatest = ticking.greatest.map((column) => [...column, 0]);
    ticking.empty += "0";
    ticking.cuts.push(1);
    ticking.values = ["0111"];
    const recording = new Recording(spec);
    recording.append(ticking);
    expect(recording.moment(4)).toMatchObject({ process: -1, newest: [2, 1], oldest: [2, 1], least: [2, 1] });
    expect(recording.delivered(4)).toBeUndefined();
    expect(recording.delivered(3)?.index).toBe(2);
    expect(describeScene(sceneOf(recording, 4, 0, 0, 100))).toContain("Slide 4 of 4. Time went on.");
  });
  it("lets a state stand for lost ones after it", () => {
    const recording = new Recording(spec);
    const lost = structuredClone(chunk);
    lost.states[0].index = [0, 1, 4]; // 2 to 4 were declared lost
    lost.through = [[2, 0, 4]];
    recording.append(lost);
    expect(recording.covers(0, 1, recording.moment(1))).toBe(1);
    expect(recording.covers(0, 1, recording.moment(2))).toBe(4);
    expect(recording.covers(0, 1, recording.moment(3))).toBe(4);
    expect(recording.standing(0, 3)?.number).toBe(1);
    expect(recording.standing(0, 5)?.number).toBe(2);
    expect(recording.standing(0, 6)).toBeUndefined(); // it may still come
  });
  it("drops the oldest slides beyond a bound, and says the same of the others", () => {
    const all = deliveries(5, 3, 100);
    const [whole, some] = [new Recording(specOf(3)), new Recording(specOf(3), 20)];
    for (let begin = 0; begin < 100; begin += 7) {
      for (const recording of [whole, some]) recording.append(chunkOf(all, 3, begin, begin + 7));
      expect(some.length).toBe(Math.min(20, whole.length));
      expect(some.last).toBe(whole.last);
      for (let slide = some.first; slide <= some.last; slide++) {
        expect(some.moment(slide)).toEqual(whole.moment(slide));
        expect(some.value(0, slide)).toBe(whole.value(0, slide));
        expect(some.final(0, slide)).toBe("01?"[(slide - 1) % 3]);
        expect(some.because(0, slide)).toBe("lgi-"[(slide - 1) % 4]);
        expect(some.counter("late", slide)).toBe(slide - 1);
        expect(some.levels(slide)).toEqual(whole.levels(slide));
        const { newest, oldest } = some.moment(slide);
        oldest.forEach((first, k) => {
          for (let number = first; number <= newest[k]; number++)
            expect(some.state(k, number)).toEqual(whole.state(k, number));
        });
      }
    }
    expect(some.lanes.flat().length).toBeLessThanOrEqual(20 + 3 * 3);
    expect(some.levels(1)).toBeUndefined();
    expect([whole.covers(0, 0, { ...whole.moment(1), newest: [0, 0, 0] }), some.first]).toEqual([1, 81]);
  });
  it("takes more slides at once than a call can have arguments", () => {
    const many = 200_000;
    const column = (value: number): number[] => Array<number>(many).fill(value);
    const recording = new Recording(spec);
    recording.append({
      ...structuredClone(chunk),
      process: column(0),
      states: [],
      held: [],
      least: [],
      greatest: [],
      empty: "",
      cuts: column(7),
      values: ["1".repeat(many)],
      finals: ["1".repeat(many)],
      parts: [
        {
          values: "1".repeat(many),
          cut: Array<0>(many).fill(0),
          path: Array<0>(many).fill(0),
          stretch: [],
          labels: Array<0>(many).fill(0),
          speak: Array<0>(many).fill(0),
          because: "-".repeat(many),
        },
      ],
      counters: { late: column(0) },
    });
    expect([recording.length, recording.moment(many).cuts, recording.counter("late", many)]).toEqual([many, 7, 0]);
  });
});
