import { describe, expect, it } from "vitest";
import { readLink, writeLink } from "../src/link";
import { Recording, type State } from "../src/recording";
import { choose, isKnown } from "../src/source";
import { cutAt, frontier, messagesInto, Positions, segment, visible } from "../src/spacetime";
import { peaks, runs } from "../src/timeline-data";
import { chunkOf, deliveries, sample, specOf } from "./sample";

const positions = (recording: Recording): Positions => new Positions(recording).follow();

/** The same, all states at once, from the latest to the earliest. */
function allPositions(recording: Recording): Map<State, number> {
  const sum = ({ clock }: State): number => clock.reduce((a, b) => a + b, 0);
  const states = recording.lanes.flat().sort((a, b) => sum(b) - sum(a));
  const at = new Map(states.map((state) => [state, state.slide || recording.first - 1]));
  for (const state of states) {
    const before = recording.state(state.process, state.number - 1);
    state.clock.forEach((entry, j) => {
      const isNews = entry > (before?.clock[j] ?? 0);
      const cause = j === state.process ? before : isNews ? recording.latest(j, entry) : undefined;
      if (cause) at.set(cause, Math.min(at.get(cause)!, at.get(state)! - 0.8));
    });
  }
  return at;
}

describe("the space-time diagram", () => {
  const recording = sample();
  const moment = recording.moment(3);
  const view = visible(recording, moment, positions(recording), { easy: 12, most: 400 });

  it("finds messages from the clocks", () => {
    const found = messagesInto(recording, recording.state(1, 1)!);
    expect(found.map(({ from, to }) => [from.process, from.index, to.process, to.index])).toEqual([[0, 1, 1, 1]]);
    expect(messagesInto(recording, recording.state(0, 2)!)).toEqual([]);
  });
  it("puts causes before effects, even if they were delivered later", () => {
    const at = positions(recording);
    expect(at.get(recording.state(0, 1)!)!).toBeLessThan(at.get(recording.state(1, 1)!)!);
    expect(at.get(recording.state(0, 2)!)!).toBe(3);
  });
  it("places states as they come where it would place them all at once", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const processes = 2 + (seed % 3);
      const all = deliveries(seed, processes, 60);
      const growing = new Recording(specOf(processes));
      const placed = new Positions(growing);
      for (let begin = 0; begin < 60; begin += 1 + (seed % 9)) {
        growing.append(chunkOf(all, processes, begin, Math.min(60, begin + 1 + (seed % 9))));
        placed.follow();
        for (const [state, at] of allPositions(growing)) expect(placed.get(state), `seed ${seed}`).toBe(at);
      }
    }
  });
  it("keeps causes before effects when slides are dropped", () => {
    const all = deliveries(3, 3, 200);
    const bounded = new Recording(specOf(3), 15);
    const placed = new Positions(bounded);
    for (let begin = 0; begin < 200; begin += 10) {
      bounded.append(chunkOf(all, 3, begin, begin + 10));
      placed.follow();
      for (const state of bounded.lanes.flat()) {
        for (const { from } of messagesInto(bounded, state))
          expect(placed.get(from)!).toBeLessThan(placed.get(state)!);
      }
    }
  });
  it("shows the windows in columns", () => {
    expect(view.spans).toEqual([
      [0, 2],
      [0, 1],
    ]);
    expect(view.column.get(recording.state(0, 0)!)).toBe(0);
    expect(view.columns).toBe(4);
    expect(segment(recording, view, recording.state(0, 1)!)).toEqual([1, 3]);
    expect(segment(recording, view, recording.state(1, 1)!)).toEqual([2, 4]);
  });
  it("draws a cut inside its states, and reads it back from a vertical line", () => {
    expect(frontier(recording, view, [1, 0])).toEqual([1.5, 1.5]);
    expect(cutAt(recording, view, 1.5)).toEqual([1, 0]);
    expect(cutAt(recording, view, 3.5)).toEqual([2, 1]);
    const bent = frontier(recording, view, [2, 0])!;
    expect(bent[0]).toBeGreaterThan(3);
    expect(bent[1]).toBeLessThan(2);
    expect(frontier(recording, view, [7, 0])).toBeNull();
  });
  it("leaves out the earliest states when there are too many", () => {
    const few = visible(recording, moment, positions(recording), { easy: 2, most: 3 });
    expect(few.hidden).toBe(2);
    expect(few.column.size).toBe(3);
    expect(frontier(recording, few, [0, 0])!.every((column) => column < 1)).toBe(true); // at the left edge
  });
});

describe("the timeline", () => {
  it("joins equal neighbours, and mixes what shares a pixel", () => {
    expect(runs("0011", 100)).toEqual([
      [0, 0.5, "0"],
      [0.5, 1, "1"],
    ]);
    expect(runs("0011", 2)).toEqual([
      [0, 0.5, "0"],
      [0.5, 1, "1"],
    ]);
    expect(runs("0101", 2)).toEqual([[0, 1, "m"]]);
    expect(runs("01?1", 1)).toEqual([[0, 1, "?"]]);
    expect(runs("", 10)).toEqual([]);
  });
  it("keeps the largest values", () => {
    expect(peaks([1, 5, 2, 3], 2)).toEqual([5, 3]);
    expect(peaks([1, 2], 10)).toEqual([1, 2]);
  });
});

describe("links", () => {
  it("survive the way to the address and back", () => {
    const link = { slide: 15, property: "a & b", part: 1, group: "office #7" };
    expect(readLink(writeLink(link))).toEqual(link);
    expect(readLink("")).toEqual({});
    expect(readLink("#slide=x").slide).toBeUndefined();
  });
});

describe("groups", () => {
  it("are opened by their very name, else by the first that was found", () => {
    expect(choose(["office 10", "office 1"], "office 1")).toBe("office 1");
    expect(choose(["office 10"], "office 1")).toBe("office 10");
    expect(choose([], "x")).toBeUndefined();
  });
  it("are known if the page has them, or may get them", () => {
    expect(isKnown({ groups: ["a"], live: false }, "a")).toBe(true);
    expect(isKnown({ groups: ["a"], live: false }, "typo")).toBe(false);
    expect(isKnown({ groups: [], live: true }, "b")).toBe(true);
  });
});
