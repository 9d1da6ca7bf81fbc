/** Moving through the slides, the counters, and the facts beside the lattice. */

import { button, element, icon } from "./dom";
import { COUNTERS } from "./format";
import type { Recording } from "./recording";
import { latticeText, type Scene } from "./scene";

/** First, back, play, forth, last, jumps to changes, and the slide's number. */
export class Transport {
  readonly root = element("div", { class: "transport", role: "group", "aria-label": "Move through the slides" });
  readonly speed = element("select", { "aria-label": "Slides per second", title: "slides per second" });
  private play: HTMLButtonElement;
  private field = element("input", { type: "number", class: "slide", "aria-label": "Slide", min: 1 });
  private total = element("span", { class: "soft total" });

  constructor(on: {
    go(slide: number): void;
    step(by: number): void;
    ends(end: -1 | 1): void;
    change(direction: -1 | 1): void;
    play(): void;
  }) {
    this.play = button("Play", "play", on.play, "space");
    this.play.classList.add("play");
    for (const speed of [2, 5, 10, 30, 60]) {
      this.speed.append(element("option", { value: speed, selected: speed === 5 }, `${speed}/s`));
    }
    this.field.addEventListener("change", () => on.go(Number(this.field.value)));
    this.root.append(
      button("First slide", "first", () => on.ends(-1), "Home"),
      button("Previous change of the property", "changeBack", () => on.change(-1), "["),
      button("Previous slide", "back", () => on.step(-1), "←"),
      this.play,
      button("Next slide", "forth", () => on.step(1), "→"),
      button("Next change of the property", "changeForth", () => on.change(1), "]"),
      button("Last slide", "last", () => on.ends(1), "End"),
      element("label", { class: "number" }, "slide", this.field, this.total),
      this.speed,
    );
  }

  render(recording: Recording, slide: number): void {
    if (document.activeElement !== this.field) this.field.value = String(slide);
    this.field.min = String(recording.first);
    this.field.max = String(recording.last);
    this.total.textContent = `of ${recording.last.toLocaleString("en")}`;
  }

  setPlaying(isPlaying: boolean): void {
    this.play.replaceChildren(icon(isPlaying ? "pause" : "play"));
    this.play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  }
}

/** counters that are not called by their own names */
const WORDS: Record<string, string> = { too_large: "too large", empty: "no cut" };

/** The counters at the slide; those that count nothing are only in the hint. */
export class CounterPanel {
  readonly root = element("dl", { class: "counters", "aria-label": "Counters at this slide" });

  render(recording: Recording, slide: number): void {
    const isLast = slide === recording.last;
    const counts = COUNTERS.map((name) => ({
      name,
      count: isLast ? (recording.totals[name] ?? 0) : recording.counter(name, slide),
    }));
    this.root.title = counts
      .map(({ name, count }) => `${WORDS[name] ?? name} ${count.toLocaleString("en")}`)
      .join(", ");
    const shown = counts.flatMap(({ name, count }) => {
      if (!count && name !== "delivered") return [];
      const entry = element("div", {
        class: count && name !== "delivered" ? "counter some" : "counter",
        "data-counter": name,
      });
      entry.append(element("dt", {}, WORDS[name] ?? name), element("dd", {}, count.toLocaleString("en")));
      return [entry];
    });
    this.root.replaceChildren(...shown);
  }
}

/** The lattice's line of facts. */
export function latticeFacts(scene: Scene): string {
  const told = scene.recording.hasClocks || scene.moment.toldAt === scene.moment.slide || !scene.moment.toldAt;
  return latticeText(scene) + (told ? "" : `, as of slide ${scene.moment.toldAt.toLocaleString("en")}`);
}
