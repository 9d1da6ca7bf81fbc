import { describe, expect, it } from "vitest";
import { Lanes } from "../src/process-menu";
import { Range } from "../src/range";
import { Recording } from "../src/recording";
import { findStates } from "../src/search";
import { swipeOf } from "../src/swipe";
import { colourRuns } from "../src/timeline-data";
import { lettersOf } from "../src/timeline-overview";
import { chunkOf, deliveries, sample, spec, specOf } from "./sample";

describe("Range", () => {
  const whole = Range.whole(1, 100);
  it("zooms around a slide, and stays inside", () => {
    const half = whole.zoom(2, 50.5);
    expect([half.begin, half.end, half.slides]).toEqual([25.5, 75.5, [26, 75]]);
    expect(whole.zoom(2, 0.5).slides).toEqual([1, 50]);
    expect(half.zoom(1 / 8, 50).isWhole).toBe(true);
    expect(whole.zoom(1000, 50).length).toBe(12);
    expect(Range.whole(1, 5).zoom(4, 3).isWhole).toBe(true);
  });
  it("pans as far as there are slides", () => {
    const some = whole.zoom(4, 50);
    expect(some.pan(10).begin).toBeCloseTo(some.begin + 10);
    expect(some.pan(-1000).slides[0]).toBe(1);
    expect(some.pan(1000).slides[1]).toBe(100);
    expect(some.toward(50)).toBe(some);
    expect(some.toward(99).slides[1]).toBe(100);
  });
  it("follows a recording that grows", () => {
    expect(whole.follow(1, 120).slides).toEqual([1, 120]);
    const some = whole.zoom(4, 50);
    expect(some.follow(1, 120).slides).toEqual(some.slides);
    expect(some.follow(60, 160).slides[0]).toBe(60);
    expect(whole.follow(1, 100)).toBe(whole);
  });
});

describe("the overview", () => {
  it("has a letter of each process for each slide", () => {
    expect(lettersOf(sample(), 0, 1, 3)).toEqual(["111", "011"]);
    expect(lettersOf(sample(), 0, 2, 2)).toEqual(["1", "1"]);
  });
  it("says of each slide what the newest state says", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const recording = new Recording(specOf(3));
      recording.append(chunkOf(deliveries(seed, 3, 40), 3, 0, 40));
      for (const [k, lane] of recording.lanes.entries())
        for (const [at, state] of lane.entries()) state.colours = "012-"[(at + k) % 4];
      const letters = lettersOf(recording, 0, 5, 33);
      for (let slide = 5; slide <= 33; slide++) {
        const { newest } = recording.moment(slide);
        expect(letters.map((row) => row[slide - 5])).toEqual(
          newest.map((number, k) => recording.state(k, number)!.colours),
        );
      }
    }
  });
  it("lets what says most stand for a pixel", () => {
    expect(colourRuns("00..-1", 3)).toEqual([
      [0, 1 / 3, "0"],
      [1 / 3, 2 / 3, "."],
      [2 / 3, 1, "1"],
    ]);
  });
});

describe("search", () => {
  it("finds processes, states, names and values, by delivery", () => {
    const recording = sample();
    const found = (text: string): string[] =>
      findStates(recording, text).map(({ process, index }) => `${spec.processes[process]}#${index}`);
    expect(found("a#2")).toEqual(["a#2"]);
    expect(found("B")).toEqual(["b#1"]);
    expect(found("on true")).toEqual(["a#1", "b#1", "a#2"]);
    expect(found("nothing")).toEqual([]);
    expect(found("  ")).toEqual([]);
  });
});

describe("Lanes", () => {
  it("take in those that join, below the others", () => {
    const lanes = Lanes.of(2).toggle(0).upTo(4);
    expect(lanes.all).toEqual([0, 1, 2, 3]);
    expect(lanes.shown).toEqual([1, 2, 3]);
  });
  it("are hidden, shown and moved", () => {
    const lanes = Lanes.of(3);
    expect(lanes.toggle(1).shown).toEqual([0, 2]);
    expect(lanes.toggle(1).toggle(1).shown).toEqual([0, 1, 2]);
    expect(lanes.move(2, -1).shown).toEqual([0, 2, 1]);
    expect(lanes.move(0, -1)).toBe(lanes);
    const part = { ...spec.properties[0].parts[0], reads: [[], [["x"]], []] };
    expect(lanes.only(part).shown).toEqual([1]);
    expect(lanes.only(undefined).shown).toEqual([0, 1, 2]);
    expect(lanes.only(part).toggle(1).shown).toEqual([1]); // the last one stays
    expect(lanes.only(part).every().shown).toEqual([0, 1, 2]);
    expect(lanes.byRole({ worker: [2], server: [1] }).shown).toEqual([2, 1, 0]);
    expect(lanes.toggle(1).byRole({ worker: [1, 2] }).shown).toEqual([2, 0]);
  });
});

describe("swipes", () => {
  it("step, but not while scrolling", () => {
    expect([swipeOf(-80, 10), swipeOf(80, 10), swipeOf(20, 0), swipeOf(-80, 70)]).toEqual([1, -1, 0, 0]);
  });
});
