/** How wide texts are on the screen, so that names are shortened only as much as they must be. */

import { shortNames } from "./values";

/** where there is no screen, a letter is about this wide at 12.5 px */
const LETTER = 8;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif';

let context: CanvasRenderingContext2D | null = null;

/** The width of a text in the page's font. */
export function widthOf(text: string, style: string): number {
  if (typeof document === "undefined") return text.length * LETTER;
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return text.length * LETTER;
  context.font = `${style} ${FONT}`;
  return context.measureText(text).width;
}

/** A text as lines that have room each, broken at spaces. */
export function wrapped(text: string, room: number, style: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && widthOf(longer, style) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const known = new Map<string, string[]>();

/** The names, each shortened in the middle until it has room. */
export function fitNames(names: string[], room: number, style: string): string[] {
  const key = `${style}/${Math.floor(room)}/${names.join("\n")}`;
  const found = known.get(key);
  if (found) return found;
  let letters = names.reduce((most, name) => Math.max(most, [...name].length), 0);
  let fitted = names;
  while (letters > 4 && fitted.some((name) => widthOf(name, style) > room)) fitted = shortNames(names, --letters);
  if (known.size > 200) known.clear();
  known.set(key, fitted);
  return fitted;
}
