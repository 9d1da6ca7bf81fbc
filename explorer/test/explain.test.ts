import { describe, expect, it } from "vitest";
import { titleOf, violatedAt } from "../src/alarm";
import { avoidance, explain, toneOf, verdictWord } from "../src/explain";
import { chooseRuns, forcingMessages, wall } from "../src/forcing";
import type { Chunk, SpecOutline } from "../src/format";
import { explainNeed, unmet } from "../src/nocut";
import { Recording } from "../src/recording";
import { sceneOf } from "../src/scene";
import { messagesInto } from "../src/spacetime";
import { chunk, sample, spec } from "./sample";

/** The sample as a `definitely`, or with another value, or as what must never be. */
function asked(kind: string, value: string, never = false): Recording {
  const property = { ...spec.properties[0], never, parts: [{ ...spec.properties[0].parts[0], kind }] };
  const changed: SpecOutline = { ...spec, properties: [property] };
  const other: Chunk = structuredClone(chunk);
  other.values = [value.repeat(3)];
  other.parts[0].values = value.repeat(3);
  const recording = new Recording(changed);
  recording.append(other);
  return recording;
}

describe("the verdict in words", () => {
  it("has a tone that tells what is forbidden from what is just true", () => {
    expect([toneOf("1", true), toneOf("1", false), toneOf("0", true), toneOf("?", true)]).toEqual([
      "violated",
      "true",
      "false",
      "unknown",
    ]);
    expect([verdictWord("1", true), verdictWord("0", true), verdictWord("1", false)]).toEqual([
      "Violated",
      "Not violated",
      "True",
    ]);
  });
  it("tells a true `possibly` by its witness", () => {
    const said = explain(sceneOf(sample(), 2, 0, 0, 100));
    expect(said.sentence).toBe("In some possible order, a.on was true while b.on was true.");
    expect(said.final).toBe("final");
  });
  it("tells of a false `possibly` which process never satisfies its part", () => {
    const said = explain(sceneOf(asked("possibly", "0"), 1, 0, 0, 100));
    expect(said.sentence).toBe("In this window, b never satisfies its part of the condition.");
  });
  it("tells of a false `definitely` what came before what", () => {
    const recording = asked("definitely", "0");
    recording.lanes[0][2].colours = "0";
    recording.lanes[0][2].variables = { on: false };
    const scene = sceneOf(recording, 3, 0, 0, 100);
    expect(scene.witnessCuts).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [2, 1],
    ]);
    expect(explain(scene).sentence).toBe("In the order drawn in orange, a.on became false before b.on became true.");
    expect(avoidance(scene, { ...scene.outline!, conjunctive: false }, scene.witnessCuts)).toMatch(/^no moment/);
  });
  it("tells of a true `definitely` what held together, whatever the order", () => {
    const recording = asked("definitely", "1");
    const said = explain(sceneOf(recording, 3, 0, 0, 100));
    expect(said.sentence).toMatch(/^Whatever the order, at some moment a\.on was true while b\.on was true/);
  });
  it("raises an alarm in the title", () => {
    const recording = asked("possibly", "1", true);
    expect(violatedAt(recording, 2)).toEqual(["p"]);
    expect(titleOf({ title: "office" }, violatedAt(recording, 2))).toBe("Violated: p · office · latwin");
    expect(titleOf({ title: "office" }, violatedAt(sample(), 2))).toBe("office · latwin");
  });
});

describe("what forces a true `definitely`", () => {
  it("is a run of each process that began before the others ended", () => {
    const recording = asked("definitely", "1");
    const moment = recording.moment(3);
    const runs = chooseRuns(recording, moment, 0, recording.outlines[0]);
    expect(runs).toEqual([
      { process: 0, first: 1, last: 2 },
      { process: 1, first: 1, last: 1 },
    ]);
    const messages = messagesInto(recording, recording.state(1, 1)!);
    expect(forcingMessages(recording, moment, runs!, messages)).toEqual([]); // both last to the end
  });
  it("is nothing if a run ended before another could begin", () => {
    const recording = asked("definitely", "1");
    recording.lanes[0][2].colours = "0"; // a2 ends a's run, and knows nothing of b
    expect(chooseRuns(recording, recording.moment(3), 0, recording.outlines[0])).toBeNull();
  });
  it("is a wall of cuts: each order meets one of them first", () => {
    const scene = sceneOf(asked("definitely", "1"), 3, 0, 0, 100);
    const { lattice } = scene;
    expect(
      wall(
        lattice!,
        lattice!.level.map((level) => level === 2),
      ).sort(),
    ).toEqual([
      [1, 1],
      [2, 0],
    ]);
    expect(
      wall(
        lattice!,
        lattice!.cuts.map(() => true),
      ),
    ).toEqual([[0, 0]]);
  });
});

describe("no cut", () => {
  it("is explained by the state that is missing", () => {
    const recording = sample();
    const moment = { ...recording.moment(2), oldest: [0, 1], newest: [0, 1], least: null, greatest: null };
    const need = unmet(recording, moment)!;
    expect([need.state.process, need.state.index, need.process, need.index, need.slide]).toEqual([1, 1, 0, 1, 1]);
    expect(explainNeed(recording, need)).toEqual([
      "b#1 already knows of a#1,",
      "and a#1 arrives only at slide 1.",
      'delivery = "causal" makes the checker wait for it.',
    ]);
    expect(unmet(recording, recording.moment(3))).toBeNull();
  });
});
