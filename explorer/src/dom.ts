/** Small helpers around the DOM. Styles are set through the object model only, as the content-security policy asks. */

type Attributes = Record<string, string | number | boolean | undefined>;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

const ICONS = {
  first: "M4 3v10M13 3 6.5 8 13 13",
  last: "M12 3v10M3 3l6.5 5L3 13",
  back: "M10.5 3 5 8l5.5 5",
  forth: "M5.5 3 11 8l-5.5 5",
  changeBack: "M7.5 3 2.5 8l5 5M13 3 8 8l5 5",
  changeForth: "M8.5 3l5 5-5 5M3 3l5 5-5 5",
  play: "M5 3v10l8-5z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  less: "M3.5 8h9",
  more: "M3.5 8h9M8 3.5v9",
  all: "M5 4 1.5 8 5 12M11 4l3.5 4-3.500 4M2 8h12",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  help: "M5.8 6a2.2 2.2 0 1 1 3.3 1.9c-.7.4-1.1.8-1.1 1.600M8 12.3h.01",
};
export type Icon = keyof typeof ICONS;

const SVG = "http://www.w3.org/2000/svg";

export function icon(name: Icon): SVGSVGElement {
  const made = document.createElementNS(SVG, "svg");
  made.setAttribute("viewBox", "0 0 16 16");
  made.setAttribute("aria-hidden", "true");
  made.setAttribute("class", `icon-${name}`);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  made.append(path);
  return made;
}

export function button(label: string, name: Icon, onClick: () => void, key: string): HTMLButtonElement {
  const made = element("button", { type: "button", "aria-label": label, title: `${label} (${key})`, class: "icon" });
  made.append(icon(name));
  made.addEventListener("click", onClick);
  return made;
}

/** A value as it is shown: text as it is, anything else as JSON. */
export function display(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function plural(count: number, word: string, many = `${word}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? word : many}`;
}

/** Calls a function whenever an element's size changes, and once it is known. */
export function onResize(target: Element, call: (width: number, height: number) => void): void {
  new ResizeObserver(([entry]) => call(entry.contentRect.width, entry.contentRect.height)).observe(target);
}
