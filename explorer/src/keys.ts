/** The keys of the page. */

export interface Commands {
  /** by so many slides */
  step(by: number): void;
  ends(end: -1 | 1): void;
  change(direction: -1 | 1): void;
  violation(direction: -1 | 1): void;
  choose(property: number): void;
  play(): void;
  /** 0 shows all */
  zoom(factor: number): void;
  search(): void;
  release(): void;
  theme(): void;
  help(): void;
}

const COMMANDS: Record<string, (on: Commands, isShifted: boolean) => void> = {
  ArrowLeft: (on, isShifted) => on.step(isShifted ? -10 : -1),
  ArrowRight: (on, isShifted) => on.step(isShifted ? 10 : 1),
  PageUp: (on) => on.step(-10),
  PageDown: (on) => on.step(10),
  Home: (on) => on.ends(-1),
  End: (on) => on.ends(1),
  "[": (on) => on.change(-1),
  "]": (on) => on.change(1),
  "{": (on) => on.violation(-1),
  "}": (on) => on.violation(1),
  " ": (on) => on.play(),
  "+": (on) => on.zoom(2),
  "-": (on) => on.zoom(1 / 2),
  "0": (on) => on.zoom(0),
  "/": (on) => on.search(),
  "?": (on) => on.help(),
  t: (on) => on.theme(),
  Escape: (on) => on.release(),
};

/** Calls the command of each key that is pressed outside of fields and dialogs; on a button, Space is the button's. */
export function onKeys(on: Commands): void {
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (target.closest("input, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && target.closest("button, summary")) return;
    const isDigit = /^[1-9]$/.test(event.key);
    const command = COMMANDS[event.key];
    if (!isDigit && !command) return;
    event.preventDefault();
    if (isDigit) on.choose(Number(event.key) - 1);
    else command(on, event.shiftKey);
  });
}
