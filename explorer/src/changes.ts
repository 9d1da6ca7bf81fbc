/** Where something happens in a recording: changes of a property, and violations. Pure functions. */

import type { Recording } from "./recording";

export interface Violation {
  property: number;
  slide: number;
}

/** The next slide, in a direction, at which a property's value is another than right before it. */
export function nextChange(
  { values, first }: Recording,
  property: number,
  slide: number,
  direction: 1 | -1,
): number | null {
  const letters = values[property] ?? "";
  for (let at = slide - first + direction; at >= 0 && at < letters.length; at += direction) {
    if (letters[at] !== (at === 0 ? "0" : letters[at - 1])) return at + first;
  }
  return null;
}

/** The first slide at which something forbidden happened, and which property says so; null if nothing did. */
export function firstViolation({ spec, values, first }: Recording): Violation | null {
  let found: Violation | null = null;
  for (const [property, { never }] of spec.properties.entries()) {
    const at = never ? values[property].indexOf("1") : -1;
    if (at >= 0 && (!found || at + first < found.slide)) found = { property, slide: at + first };
  }
  return found;
}

/** The next slide, in a direction, at which some property that must never be true becomes so. */
export function nextViolation(
  { spec, values, first, length }: Recording,
  slide: number,
  direction: 1 | -1,
): Violation | null {
  for (let at = slide - first + direction; at >= 0 && at < length; at += direction) {
    const property = spec.properties.findIndex(
      ({ never }, k) => never && values[k][at] === "1" && values[k][at - 1] !== "1",
    );
    if (property >= 0) return { property, slide: at + first };
  }
  return null;
}
