/** What every colour and line means; those that a recording does not have are left out. */

import { element } from "./dom";
import type { Scene } from "./scene";

/** kind of a state, the letters of its colour, what it means */
const STATES = [
  ["holds", "12", "satisfies its part"],
  ["may", "-", "does not rule it out"],
  ["out", "0", "rules it out"],
  ["unread", ".", "not read"],
];

const MARKS = [
  ["window", "window"],
  ["end", "earliest, latest"],
  ["order", "order or state that decides"],
  ["new", "just delivered"],
  ["coming", "not delivered yet"],
  ["left", "left"],
  ["picked", "pointed at, or found"],
];

export class Legend {
  readonly root = element("ul", { class: "legend", "aria-label": "Colours" });
  private shown = "";

  render({ recording, part, outline, isViolated }: Scene): void {
    const key = `${part} ${recording.last} ${isViolated}`;
    if (key === this.shown) return;
    this.shown = key;
    const letters = new Set(
      recording.lanes.flatMap((lane) =>
        lane.filter((state) => recording.isThere(state)).map(({ colours }) => colours[part]),
      ),
    );
    const states = STATES.filter(([, some]) => [...some].some((letter) => letters.has(letter)));
    const marks = MARKS.filter(([kind]) => (outline || kind !== "order") && (recording.spec.open || kind !== "left"));
    const entries = [...(outline ? states.map(([kind, , text]) => [kind, text]) : []), ...marks];
    if (isViolated) entries.unshift(["culprit", "violation"]);
    this.root.replaceChildren(
      ...entries.map(([kind, text]) => element("li", {}, element("i", { class: kind }), text)),
    );
  }
}
