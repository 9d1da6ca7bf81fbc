import { describe, expect, it } from "vitest";
import { enumerate, labelled, placeRows, rowsOf, walk } from "../src/lattice";
import { sample } from "./sample";

describe("the lattice", () => {
  const recording = sample();
  const lattice = enumerate(recording, recording.moment(3));

  it("has the consistent cuts in lexicographic order", () => {
    expect(lattice.cuts).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
    ]);
    expect(lattice.level).toEqual([0, 1, 2, 2, 3]);
    expect(lattice.steps).toHaveLength(5);
  });
  it("takes labels from bits", () => {
    expect(labelled(lattice, recording.labels(0, 3))).toEqual([false, false, true, false, true]);
    expect(labelled(lattice, null)).not.toContain(true);
  });
  it("walks an observation", () => {
    expect(walk([0, 0], [0, 0, 1])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 1],
    ]);
  });
  it("places each level in a row of its own, inside the box", () => {
    const rows = rowsOf(lattice);
    expect(rows.map((row) => row.length)).toEqual([1, 1, 2, 1]);
    const places = placeRows(rows, 300, 200);
    for (const [x, y] of places) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(300);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(200);
    }
    expect(new Set(places.map(([x, y]) => `${x} ${y}`)).size).toBe(5);
    expect(places[4][1]).toBeGreaterThan(places[0][1]); // time flows downwards
  });
  it("is empty without a least cut", () => {
    expect(enumerate(recording, { ...recording.moment(3), least: null }).cuts).toEqual([]);
  });
});
