/** Variables of states in words: long for sentences, short for bars. Pure functions. */

import { display } from "./dom";
import type { PartOutline } from "./format";
import type { State } from "./recording";

/** What a variable's path leads to; undefined where it leads nowhere. */
export function valueAt(variables: unknown, path: string[]): unknown {
  let value = variables;
  for (const name of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** A text of at most so many characters, shortened in the middle: names often differ at their ends. */
export function shorten(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  if (most < 3) return "…";
  const tail = Math.floor((most - 1) / 2);
  return `${letters.slice(0, most - 1 - tail).join("")}…${letters.slice(letters.length - tail).join("")}`;
}

/**
 * The names as short as they must be, told apart: where shortening in the middle would make some equal, what all begin
 * with is left out, and then also what all end with.
 */
export function shortNames(names: string[], most: number): string[] {
  const [first, ...others] = names;
  const distinct = new Set(names).size;
  const isTelling = (shown: string[]): boolean => new Set(shown).size === distinct;
  const same = (at: (name: string, k: number) => string | undefined): number => {
    let count = 0;
    while (others.every((name) => at(name, count) !== undefined && at(name, count) === at(first, count))) count++;
    return count;
  };
  const plain = names.map((name) => shorten(name, most));
  if (distinct < 2 || isTelling(plain)) return plain;
  const begin = same((name, k) => name[k]);
  const ends = names.map((name) => shorten(begin > 1 ? `…${name.slice(begin)}` : name, most));
  if (isTelling(ends)) return ends;
  const rests = names.map((name) => name.slice(begin));
  const end = same((name, k) => name.slice(begin)[name.length - begin - 1 - k]);
  return rests.map((rest) => shorten(`…${rest.slice(0, rest.length - end)}…`, most));
}

/** `leader, term 3`: the variables that a part reads of a state, as short as they can be understood. */
export function short(state: State, part: PartOutline | undefined): string {
  return words(state, part).join(", ");
}

/** The same in so many letters: without the last ones, or with the end cut off; nothing where that says nothing. */
export function shortIn(state: State, part: PartOutline | undefined, room: number): string {
  const all = words(state, part);
  for (let count = all.length; count > 0; count--) {
    const text = all.slice(0, count).join(", ");
    if (text.length <= room) return text;
  }
  return all.length && room >= 5 ? `${all[0].slice(0, room - 1)}…` : "";
}

function words(state: State, part: PartOutline | undefined): string[] {
  const paths = part?.reads[state.process] ?? [];
  return paths.flatMap((path) => {
    const value = valueAt(state.variables, path);
    const name = path[path.length - 1];
    if (isMissing(value)) return [];
    if (value === true) return [name];
    if (value === false) return [`not ${name}`];
    return [typeof value === "string" ? shorten(value, 24) : `${name} ${shorten(display(value), 24)}`];
  });
}

/** `s1.role was leader and s1.term was 3`; nothing if the part reads nothing of the process. */
export function facts(state: State, part: PartOutline, process: string): string {
  const paths = part.reads[state.process] ?? [];
  return paths.map((path) => fact(process, path, valueAt(state.variables, path), "was")).join(" and ");
}

/** What a part reads that is other in a state than in the one before it: `phone.ap became office`. */
export function changes(state: State, before: State | undefined, part: PartOutline, process: string): string {
  const paths = part.reads[state.process] ?? [];
  const other = paths.filter((path) => {
    const [old, now] = [before, state].map((known) => valueAt(known?.variables, path));
    return JSON.stringify(old ?? null) !== JSON.stringify(now ?? null);
  });
  return other.map((path) => fact(process, path, valueAt(state.variables, path), "became")).join(" and ");
}

function fact(process: string, path: string[], value: unknown, verb: "was" | "became"): string {
  const name = [shorten(process, 24), ...path].join(".");
  return `${name} ${verb} ${isMissing(value) ? "not known" : shorten(display(value), 32)}`;
}

/** Parts of a sentence: `a`, `a while b`, `a while b and c`. */
export function together(parts: string[], most = 4): string {
  const shown = parts.slice(0, most);
  if (parts.length > most) shown.push(`${parts.length - most} more`);
  const [first, ...others] = shown;
  return others.length ? `${first} while ${others.join(" and ")}` : (first ?? "");
}
