import { describe, expect, it } from "vitest";
import { titleOf, violatedAt } from "../src/alarm";
import { firstViolation, nextViolation } from "../src/changes";
import { explain, toneOf, verdictWord } from "../src/explain";
import { chooseRuns, forcingMessages, wall } from "../src/forcing";
import type { Chunk, PartOutline, SpecOutline } from "../src/format";
import { explainNeed, unmet } from "../src/nocut";
import { Recording } from "../src/recording";
import { reasonText, sceneOf } from "../src/scene";
import { messagesInto } from "../src/spacetime";
import { avoidance } from "../src/witness";
import { chunk, sample, spec } from "./sample";

/** The sample as another kind of question, or with another value, or as what must never be. */
function asked(kind: string, value: string, never = false, more: Partial<PartOutline> = {}): Recording {
  const property = { ...spec.properties[0], never, parts: [{ ...spec.properties[0].parts[0], kind, ...more }] };
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
    expect(said.sentence).toBe("In no possible order does b satisfy its part.");
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
    expect(avoidance(scene, { ...scene.outline!, conjunctive: false }, scene.witnessCuts)).toBe(
      "no global state satisfies the condition",
    );
  });
  it("tells of a true `definitely` what held together, whatever the order", () => {
    const recording = asked("definitely", "1");
    const said = explain(sceneOf(recording, 3, 0, 0, 100));
    expect(said.sentence).toMatch(/^Whatever the order, at some moment a\.on was true while b\.on was true/);
  });
  it.each([
    ["possibly sequence", "1", "In the order drawn in orange, the sequence occurs."],
    ["possibly sequence", "0", "The sequence occurs in no possible order."],
    ["definitely sequence", "1", "The sequence occurs in every possible order."],
    ["definitely sequence", "0", "In the order drawn in orange, the sequence does not occur."],
    ["possibly formula", "1", "The order drawn in orange satisfies the formula."],
    ["possibly formula", "0", "No possible order satisfies the formula."],
    ["definitely formula", "1", "Every possible order satisfies the formula."],
    ["definitely formula", "0", "The order drawn in orange does not satisfy the formula."],
    ["CTL", "1", "At the earliest global state of the window, looking forward, the formula holds."],
    ["CTL", "0", "At the earliest global state of the window, looking forward, the formula does not hold."],
    ["past CTL", "1", "At the latest global state of the window, looking back, the formula holds."],
    ["past CTL", "0", "At the latest global state of the window, looking back, the formula does not hold."],
    ["probability", "1", "The share of possible orders that show the condition is at least 90 %."],
    ["probability", "0", "The share of possible orders that show the condition is not at least 90 %."],
    ["possibly", "?", "The window has more global states than the spec's max_cuts allows to look at."],
  ])("tells of a %s that is %s why", (kind, value, sentence) => {
    const text = kind === "probability" ? "probability(a.on) >= 0.9" : "";
    expect(explain(sceneOf(asked(kind, value, false, { text }), 3, 0, 0, 100)).sentence).toBe(sentence);
  });
  it.each([
    ["possibly sequence", "1", "The sequence occurs in some possible order."],
    ["definitely sequence", "0", "In some possible order, the sequence does not occur."],
    ["possibly formula", "1", "Some possible order satisfies the formula."],
    ["definitely formula", "0", "Some possible order does not satisfy the formula."],
    ["definitely", "0", "In no possible order does b satisfy its part."],
  ])("points at no order that is not known: %s, %s", (kind, value, sentence) => {
    expect(explain(sceneOf(asked(kind, value), 1, 0, 0, 100)).sentence).toBe(sentence);
  });
  it("names the processes of the alternative that holds, and those that are only compared", () => {
    const compared = asked("possibly", "1", false, { conjunctive: false, own: [true, false] });
    compared.lanes[1][1].colours = "-";
    const both = "In some possible order, a.on was true while b.on was true.";
    expect(explain(sceneOf(compared, 2, 0, 0, 100)).sentence).toBe(both);
    const counted = asked("possibly", "1", false, { conjunctive: false });
    counted.lanes[1][1].colours = "-";
    expect(explain(sceneOf(counted, 2, 0, 0, 100)).sentence).toBe("In some possible order, a.on was true.");
    const chosen = sceneOf(asked("possibly", "1"), 2, 0, 0, 100);
    expect(explain({ ...chosen, witness: { ...chosen.witness, speak: [1] } }).sentence).toBe(
      "In some possible order, b.on was true.",
    );
  });
  it("speaks of the part, also where the property is the opposite of it", () => {
    const recording = asked("possibly", "0");
    recording.spec.properties[0].single = false;
    recording.values = ["111"];
    const said = explain(sceneOf(recording, 1, 0, 0, 100));
    expect(said.word).toBe("True");
    expect(said.sentence).toBe("possibly(a.on and b.on) is false: in no possible order does b satisfy its part.");
  });
  it("says that there is no cut, whatever is asked", () => {
    for (const kind of ["possibly", "definitely", "CTL", "past CTL", "probability"]) {
      const scene = sceneOf(asked(kind, "0"), 3, 0, 0, 100);
      const said = explain({ ...scene, moment: { ...scene.moment, least: null, greatest: null } });
      expect(said.sentence).toMatch(/no consistent global state, so every answer is false/);
    }
  });
  it("speaks of rings only where they are drawn", () => {
    const recording = asked("definitely", "1");
    const scene = { ...sceneOf(recording, 3, 0, 0, 100), forced: [] };
    expect(reasonText(scene)).toBe("");
    recording.because = () => "i";
    expect(reasonText(scene)).toBe("every order passes a global state that satisfies it");
    expect(reasonText({ ...scene, forced: [[0, 0]] })).toMatch(/ringed in orange$/);
  });
  it("finds violations", () => {
    const recording = asked("possibly", "1", true);
    recording.values = ["010"];
    expect(firstViolation(recording)).toEqual({ property: 0, slide: 2 });
    expect(nextViolation(recording, 3, -1)).toEqual({ property: 0, slide: 2 });
    expect(nextViolation(recording, 2, 1)).toBeNull();
    expect(firstViolation(sample())).toBeNull();
  });
  it("blames the states that make up a violation, and none where nothing is violated", () => {
    const violated = sceneOf(asked("possibly", "1", true), 2, 0, 0, 100);
    expect(violated.isViolated).toBe(true);
    expect([...violated.culprits!].map(({ process, index }) => [process, index])).toEqual([
      [0, 1],
      [1, 1],
    ]);
    const forced = sceneOf(asked("definitely", "1", true), 3, 0, 0, 100);
    expect([...forced.culprits!].map(({ process, index }) => [process, index])).toEqual([
      [0, 1],
      [0, 2],
      [1, 1],
    ]);
    for (const recording of [asked("possibly", "0", true), asked("possibly", "1", false)]) {
      const scene = sceneOf(recording, 2, 0, 0, 100);
      expect([scene.isViolated, scene.culprits]).toEqual([false, null]);
    }
    // Of a sequence or a formula no states can be told from others.
    expect(sceneOf(asked("CTL", "1", true), 2, 0, 0, 100).culprits).toBeNull();
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
