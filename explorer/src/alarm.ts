/** The page's title and icon: red, with the property's name, while something forbidden is the case. */

import type { Header } from "./format";
import type { Recording } from "./recording";
import { isViolated } from "./scene";

const icon = (colour: string, isFilled: boolean): string => {
  const paint = isFilled ? `fill='${colour}'` : `fill='none' stroke='${colour}' stroke-width='2'`;
  const path = `<path d='M8 2 13 8 8 14 3 8z' ${paint}/>`;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>${path}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};

const CALM = icon("#0072B2", false);
const RED = icon("#C62828", true);

/** The properties that must never be true, and are at a slide. */
export function violatedAt(recording: Recording, slide: number): string[] {
  const { properties } = recording.spec;
  return properties.filter((_, k) => isViolated(recording, k, slide)).map(({ name }) => name);
}

/** What the title says. */
export function titleOf(header: Pick<Header, "title">, violated: string[]): string {
  const about = `${header.title} · latwin`;
  return violated.length ? `Violated: ${violated.join(", ")} · ${about}` : about;
}

/** Shows it in the browser's tab. */
export function raise(header: Header, violated: string[]): void {
  document.title = titleOf(header, violated);
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const wanted = violated.length ? RED : CALM;
  if (link && link.getAttribute("href") !== wanted) link.setAttribute("href", wanted);
}
