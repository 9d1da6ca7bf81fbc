import { describe, expect, it } from "vitest";
import { wrapped } from "../src/measure";
import { widest } from "../src/spacetime-ends";
import { columnsIn, Frame, LEFT } from "../src/spacetime-frame";
import { sample } from "./sample";

describe("Frame", () => {
  it("keeps all lanes inside, one below the other", () => {
    for (const [height, processes] of [
      [300, 1],
      [300, 4],
      [900, 3],
      [100, 40],
    ]) {
      const frame = new Frame(800, height, [...Array(processes).keys()], 10);
      const middles = Array.from({ length: processes }, (_, k) => frame.y(k));
      expect(frame.height).toBeGreaterThanOrEqual(height);
      expect(middles[0] - frame.lane / 2).toBeGreaterThanOrEqual(0);
      expect(middles[processes - 1] + frame.lane / 2).toBeLessThanOrEqual(frame.height);
      for (let k = 1; k < processes; k++) expect(middles[k] - middles[k - 1]).toBeCloseTo(frame.lane);
      expect(2 * frame.half).toBeLessThanOrEqual(frame.lane);
    }
  });
  it("has room for three rows of names of cuts above the lanes", () => {
    for (const processes of [3, 33]) {
      const frame = new Frame(800, 300, [...Array(processes).keys()], 10);
      expect(frame.top - 4 - 2 * 12).toBeGreaterThanOrEqual(11);
    }
  });
  it("keeps as many columns inside as it says that there is room for", () => {
    const { easy, most } = columnsIn(800);
    expect(easy).toBeLessThan(most);
    for (const columns of [1, easy, most]) {
      const frame = new Frame(800, 300, [0, 1], columns);
      expect(frame.x(0)).toBe(LEFT);
      expect(frame.x(columns)).toBeLessThanOrEqual(800);
    }
  });
  it("draws a frontier from above the first lane to below the last", () => {
    const frame = new Frame(800, 300, [0, 1, 2], 10);
    const numbers = frame
      .frontierPath([1, 2, 4])
      .match(/-?[\d.]+/g)!
      .map(Number);
    const ends = [frame.x(1), frame.y(0) - frame.lane / 2, frame.x(4), frame.y(2) + frame.lane / 2];
    for (const [k, found] of [...numbers.slice(0, 2), ...numbers.slice(-2)].entries()) {
      expect(found).toBeCloseTo(ends[k]);
    }
  });
});

describe("widest", () => {
  it("counts the states between the ends of the process that has most", () => {
    const moment = sample().moment(3);
    expect(widest({ ...moment, least: [4, 4], greatest: [5, 9] })).toBe(6);
    expect(widest({ ...moment, least: null, greatest: null })).toBe(1);
  });
});

describe("a message", () => {
  it("is broken at spaces where it has no room", () => {
    const text = "Too many to be drawn; many questions are answered without them.";
    const lines = wrapped(text, 240, "13px"); // thirty letters
    expect(lines.join(" ")).toBe(text);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
    expect(wrapped(text, 2000, "13px")).toEqual([text]);
  });
});
