import { describe, expect, it } from "vitest";
import { parseShown, shown } from "../src/shown";

describe("shown", () => {
  it("leaves what a person reads as it is", () => {
    for (const text of ["", "phone", "Büro 北京", "two\nlines\tand a tab", "🙂"]) expect(shown(text)).toBe(text);
  });
  it("escapes what would control, hide or reorder", () => {
    expect(shown("\u001b[31m")).toBe("\\u001b[31m");
    expect(shown("a\u202eb\u2066c\u200f")).toBe("a\\u202eb\\u2066c\\u200f");
    expect(shown("\u{e0041}\u2028")).toBe("\\u{e0041}\\u2028");
  });
});

describe("parseShown", () => {
  it("gives the same as JSON.parse for plain data", () => {
    const document = { names: ["a", "b\nc"], values: [1, null, true, { x: 0.5 }] };
    expect(parseShown(JSON.stringify(document))).toEqual(document);
  });
  it("escapes texts and names, however JSON writes them", () => {
    const expected = { "a\\u202e": ["\\u001b", { x: "\\u0085" }] };
    expect(parseShown('{"a\u202e": ["\\u001b", {"x": "\u0085"}]}')).toEqual(expected);
  });
});
