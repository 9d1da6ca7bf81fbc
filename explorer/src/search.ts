/** Finding states by process, index, variable, value or time. */

import { button, display, element } from "./dom";
import type { Recording, State } from "./recording";

/** states that are found at most */
const MOST = 2_000;

/** The states in which a text occurs, in the order of their delivery; initial ones are left out. */
export function findStates(recording: Recording, text: string): State[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const seen = new Map<unknown, boolean>(); // states often share their variables
  const says = (variables: unknown): boolean => {
    const known = seen.get(variables);
    if (known !== undefined) return known;
    const found = wordsOf(variables).includes(wanted);
    seen.set(variables, found);
    return found;
  };
  const found = recording.lanes.flatMap((lane, k) => {
    const name = recording.spec.processes[k].toLowerCase();
    return lane.filter((state) => {
      if (state.number === 0 || !state.slide) return false;
      if (`${name}#${state.index}`.includes(wanted) || says(state.variables)) return true;
      return state.time !== null && state.time !== undefined && display(state.time).toLowerCase().includes(wanted);
    });
  });
  return found.sort((a, b) => a.slide - b.slide).slice(0, MOST);
}

/** `role leader term 3`: names and values, so that both, and both together, can be searched. */
function wordsOf(variables: unknown): string {
  if (variables === null || typeof variables !== "object") return "";
  const pairs = Object.entries(variables).map(([name, value]) => `${name} ${display(value)}`);
  return pairs.join(" ").toLowerCase();
}

/** A field, and buttons to the states that were found. */
export class SearchBox {
  readonly root = element("div", { class: "search", role: "search" });
  readonly field = element("input", {
    type: "search",
    "aria-label": "Find a process, state or value",
    placeholder: "find process, state, value",
    autocomplete: "off",
  });
  private told = element("span", { class: "soft found", role: "status" });
  private found: State[] = [];

  /** `show` is given each state to look at; `mark` all that were found. */
  constructor(
    private recording: () => Recording,
    private on: { show(state: State): void; mark(found: State[]): void; slide(): number },
  ) {
    const back = button("Previous found state", "back", () => this.step(-1), "Shift+Enter");
    const forth = button("Next found state", "forth", () => this.step(1), "Enter");
    this.root.append(this.field, back, forth, this.told);
    this.field.addEventListener("input", () => this.look());
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") this.clear();
    });
  }

  private clear(): void {
    this.field.value = "";
    this.look();
    this.field.blur();
  }

  private look(): void {
    this.found = findStates(this.recording(), this.field.value);
    const isMore = this.found.length === MOST;
    this.told.textContent = this.field.value ? `${isMore ? "more than " : ""}${this.found.length} found` : "";
    this.root.classList.toggle("active", this.field.value !== "");
    this.on.mark(this.found);
  }

  private step(direction: 1 | -1): void {
    this.look();
    if (!this.found.length) return;
    const now = this.on.slide();
    const ahead = this.found.filter(({ slide }) => (direction > 0 ? slide > now : slide < now));
    const next =
      direction > 0 ? (ahead[0] ?? this.found[0]) : (ahead[ahead.length - 1] ?? this.found[this.found.length - 1]);
    this.told.textContent = `${this.found.indexOf(next) + 1} of ${this.found.length}`;
    this.on.show(next);
  }
}
