// Texts of events as they are shown: names and values come from anyone, and must neither hide nor reorder others.

/** Characters that control, format or separate, but for the line feed and the tab. */
const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const EACH = new RegExp(OBEYED, "gu");
/** Whether a JSON text may hold such a character, as it is or escaped. */
const SUSPECT = new RegExp(`\\\\u|${OBEYED.source}`, "u");

/** A text with such characters written as escapes. */
export function shown(text: string): string {
  return text.replace(EACH, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );
}

/** What a JSON text stands for, with all its texts as they are shown. */
export function parseShown<T>(text: string): T {
  return JSON.parse(text, SUSPECT.test(text) ? revive : undefined) as T;
}

function revive(_: string, value: unknown): unknown {
  if (typeof value === "string") return shown(value);
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [shown(name), inner]));
}

function escaped(character: string): string {
  const point = character.codePointAt(0)!.toString(16);
  return point.length <= 4 ? `\\u${point.padStart(4, "0")}` : `\\u{${point}}`;
}
