import { describe, expect, it } from "vitest";
import { extentOf, isRoomy } from "../src/lattice-look";
import type { State } from "../src/recording";
import { timeText } from "../src/times";
import { changes, facts, short, shorten, shortIn, shortNames, together, valueAt } from "../src/values";
import { sample, spec } from "./sample";

const part = { ...spec.properties[0].parts[0], reads: [[["role"], ["term"], ["at", "home"]], []] };
const state = (variables: unknown): State => ({
  process: 0,
  number: 1,
  index: 1,
  clock: [1, 0],
  variables,
  time: null,
  colours: ".",
  slide: 1,
});

describe("values", () => {
  it("are short on bars", () => {
    expect(short(state({ role: "leader", term: 3, at: { home: false } }), part)).toBe("leader, term 3, not home");
    expect(short(state({ role: null, at: { home: true } }), part)).toBe("home");
    expect(short(state(null), part)).toBe("");
    expect(short(state({ role: "x" }), undefined)).toBe("");
  });
  it("leave out what has no room", () => {
    const leader = state({ role: "leader", term: 3 });
    expect([20, 10, 5, 3].map((room) => shortIn(leader, part, room))).toEqual([
      "leader, term 3",
      "leader",
      "lead…",
      "",
    ]);
  });
  it("are whole in sentences", () => {
    expect(facts(state({ role: "leader", term: 3 }), part, "s1")).toBe(
      "s1.role was leader and s1.term was 3 and s1.at.home was not known",
    );
    expect(changes(state({ role: "leader", term: 3 }), state({ role: "idle", term: 3 }), part, "s1")).toBe(
      "s1.role became leader",
    );
    expect(together(["a", "b", "c"])).toBe("a while b and c");
    expect(together(["a", "b", "c", "d", "e", "f"])).toBe("a while b and c and d and 2 more");
    expect([together([]), together(["a"])]).toEqual(["", "a"]);
  });
  it("are found by their own names only", () => {
    expect(valueAt({ a: { b: 1 } }, ["a", "b"])).toBe(1);
    expect(valueAt({ a: 1 }, ["a", "b"])).toBeUndefined();
    expect(valueAt({}, ["toString"])).toBeUndefined();
  });
});

describe("shorten", () => {
  it("leaves out the middle", () => {
    expect(shorten("service-number-17-eu", 11)).toBe("servi…17-eu");
    expect(shorten("short", 11)).toBe("short");
    expect([...shorten("🙂🙂🙂🙂🙂", 3)]).toEqual(["🙂", "…", "🙂"]);
    for (let most = 3; most < 12; most++) expect([...shorten("abcdefghijklmnop", most)]).toHaveLength(most);
  });
});

describe("shortNames", () => {
  it("tells names apart that differ in the middle only", () => {
    expect(shortNames(["service_01_in_eu", "service_02_in_eu"], 11)).toEqual(["…1_in_eu", "…2_in_eu"]);
    expect(shortNames(["service_01_in_eu", "service_02_in_eu"], 3)).toEqual(["…1…", "…2…"]);
    expect(shortNames(["phone", "rfid"], 11)).toEqual(["phone", "rfid"]);
    expect(shortNames(["same", "same"], 11)).toEqual(["same", "same"]);
  });
});

describe("times", () => {
  it("are read off a wall clock", () => {
    expect(timeText("2026-01-01T10:00:01.250Z")).toBe("10:00:01.250");
    expect(timeText("08:02:03")).toBe("08:02:03");
    expect(timeText(1767261601)).toBe("10:00:01");
    expect(timeText(1767261601500)).toBe("10:00:01.500");
    expect(timeText("1767261601")).toBe("10:00:01");
    expect(timeText(12.5)).toBe("12.5");
    expect([timeText(null), timeText("soon"), timeText(""), timeText({}), timeText(Number.NaN)]).toEqual(
      Array(5).fill(""),
    );
  });
});

describe("the look of the lattice", () => {
  it("is one for all slides of a recording", () => {
    const extent = extentOf(sample(), 100)!;
    expect(extent).toEqual({ across: 2, down: 4, letters: 5 });
    expect(isRoomy(extent, 400, 400)).toBe(true);
    expect(isRoomy(extent, 80, 400)).toBe(false);
    expect(isRoomy(extent, 400, 80)).toBe(false);
    expect(isRoomy(null, 4000, 4000)).toBe(false);
  });
});
