import { describe, expect, it } from "vitest";
import { cutAt, frontier, messagesInto, positions, segment, visible } from "../src/spacetime";
import { runs, peaks } from "../src/timeline-view";
import { readLink, writeLink } from "../src/link";
import { sample } from "./sample";

describe("the space-time diagram", () => {
  const recording = sample();
  const moment = recording.moment(3);
  const view = visible(recording, moment, positions(recording), 12, 400);

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
  it("shows the windows in columns", () => {
    expect(view.spans).toEqual([[0, 2], [0, 1]]);
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
    const few = visible(recording, moment, positions(recording), 2, 3);
    expect(few.hidden).toBe(2);
    expect(few.column.size).toBe(3);
    expect(frontier(recording, few, [0, 0])!.every((column) => column < 1)).toBe(true); // at the left edge
  });
});

describe("the timeline", () => {
  it("joins equal neighbours, and mixes what shares a pixel", () => {
    expect(runs("0011", 100)).toEqual([[0, 0.5, "0"], [0.5, 1, "1"]]);
    expect(runs("0011", 2)).toEqual([[0, 0.5, "0"], [0.5, 1, "1"]]);
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
