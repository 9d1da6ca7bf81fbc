import { describe, expect, it } from "vitest";
import { explain } from "../src/explain";
import type { Chunk, SpecOutline } from "../src/format";
import { Recording } from "../src/recording";
import { sceneOf } from "../src/scene";
import { lettersOf } from "../src/timeline-overview";
import { chunk, spec } from "./sample";

/** The sample as a group that b joins at slide 2, and that a leaves at slide 3. */
function joined(): Recording {
  const opened: SpecOutline = { ...spec, open: true };
  const other: Chunk = { ...structuredClone(chunk), spec: opened };
  other.states[0].variables = [null, { on: true }, null];
  other.states[0].variables_of = [0, 1, 2];
  other.states[0].colours = ["010"];
  const recording = new Recording(opened);
  recording.append(other);
  return recording;
}

describe("processes that join and leave", () => {
  it("are there from their first state to the one that they leave with", () => {
    const recording = joined();
    const [before, there, left] = [0, 1, 2].map((number) => recording.state(0, number)!);
    expect([before, there, left].map((state) => recording.isThere(state))).toEqual([false, true, false]);
    expect([before, there, left].map((state) => recording.isJoining(state))).toEqual([false, true, false]);
    expect([before, there, left].map((state) => recording.isLeaving(state))).toEqual([false, false, true]);
  });
  it("have a lane from when they joined, and until every cut has passed their leaving", () => {
    const recording = joined();
    expect([1, 2].map((slide) => recording.hasJoined(1, recording.moment(slide)))).toEqual([false, true]);
    const now = recording.moment(3);
    expect(recording.isOver(0, now)).toBe(false);
    expect(recording.isOver(0, { ...now, least: [2, 1] })).toBe(true);
    expect(recording.isOver(1, { ...now, least: [2, 1] })).toBe(false);
  });
  it("are not in the timeline while they are not there", () => {
    expect(lettersOf(joined(), 0, 1, 3)).toEqual(["11 ", " 11"]);
  });
  it("are named in sentences only while they are there", () => {
    const recording = joined();
    expect(explain(sceneOf(recording, 3, 0, 0, 100)).sentence).toBe(
      "In some possible order, a.on was true while b.on was true.",
    );
    recording.state(1, 1)!.variables = null;
    expect(explain(sceneOf(recording, 3, 0, 0, 100)).sentence).toBe("In some possible order, a.on was true.");
  });
  it("of a listed group are always there, whatever their states hold", () => {
    const recording = new Recording(spec);
    recording.append(structuredClone(chunk));
    expect(recording.isThere(recording.state(0, 0)!)).toBe(true);
    expect(recording.hasJoined(1, recording.moment(1))).toBe(true);
  });
});
