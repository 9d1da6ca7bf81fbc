/** What shares a pixel of the timeline. Pure functions. */

/** What a stretch of slides that share a pixel was: all true, all false, both, or partly too large. */
export type Shade = "1" | "0" | "m" | "?";

/** Slides of one shade; begin and end as shares of all slides. */
export type Run<S = Shade> = [begin: number, end: number, shade: S];

/** Joins the shades of `bins` stretches of some letters where neighbours are equal. */
function joined<S>(letters: string, bins: number, shadeOf: (inside: string) => S): Run<S>[] {
  const found: Run<S>[] = [];
  const count = Math.min(bins, letters.length);
  for (let bin = 0; bin < count; bin++) {
    const begin = Math.floor((bin * letters.length) / count);
    const end = Math.floor(((bin + 1) * letters.length) / count);
    const shade = shadeOf(letters.slice(begin, end));
    const last = found[found.length - 1];
    if (last && last[2] === shade) last[1] = (bin + 1) / count;
    else found.push([bin / count, (bin + 1) / count, shade]);
  }
  return found;
}

/** The runs of equal shades if the slides are drawn in `bins` pixels. */
export function runs(letters: string, bins: number): Run[] {
  return joined(letters, bins, (inside): Shade => {
    const isTrue = inside.includes("1");
    const isFalse = inside.includes("0");
    return inside.includes("?") ? "?" : isTrue && isFalse ? "m" : isTrue ? "1" : "0";
  });
}

/** The same of what states say of a condition; what says most stands for a stretch. */
export function colourRuns(letters: string, bins: number): Run<string>[] {
  return joined(letters, bins, (inside) => [..."21-0."].find((letter) => inside.includes(letter)) ?? " ");
}

/** The largest value of each of `bins` stretches. */
export function peaks(values: number[], bins: number): number[] {
  const count = Math.min(bins, values.length);
  return Array.from({ length: count }, (_, bin) => {
    const begin = Math.floor((bin * values.length) / count);
    const end = Math.max(begin + 1, Math.floor(((bin + 1) * values.length) / count));
    return values.slice(begin, end).reduce((a, b) => Math.max(a, b), 0);
  });
}
