import { describe, expect, it } from "vitest";
import type { SystemView } from "../src/format";
import { sentenceOf, sparkPath, violatedIn } from "../src/system-view";
import { spec } from "./sample";

const view = (groups: number, violating: number): SystemView => ({
  groups,
  violating,
  found: groups,
  lines: [],
  true_in: [[]],
  totals: {},
});

describe("all groups", () => {
  it("are told in a sentence", () => {
    const never = [{ ...spec.properties[0], never: true }];
    expect(sentenceOf(view(0, 0), never)).toBe("No group has reported yet.");
    expect(sentenceOf(view(1200, 0), never)).toBe("In none of 1,200 groups is anything violated now.");
    expect(sentenceOf(view(1200, 1), never)).toBe("1 of 1,200 groups violates something now.");
    expect(sentenceOf(view(2, 0), spec.properties)).toBe("2 groups. Open one to see what happened in it.");
  });
  it("raise an alarm for what is violated in some group now", () => {
    const [property] = spec.properties;
    const some = [property, { ...property, name: "q", never: true }, { ...property, name: "r", never: true }];
    expect(violatedIn({ ...view(3, 1), true_in: [[1], [2, 1], [3, 0]] }, some)).toEqual(["q"]);
    expect(violatedIn({ ...view(0, 0), true_in: [] }, some)).toEqual([]);
  });
  it("are drawn over time", () => {
    expect(sparkPath([0, 2], 2)).toBe("M0.0 33.0L260.0 2.0");
    expect(sparkPath([1], 1)).toBe("M0 2H260");
    expect(sparkPath([], 1)).toBe("");
  });
});
