/** The properties as buttons; of the chosen one the verdict, large, and a sentence on why. */

import { element } from "./dom";
import { explain, toneOf, verdictWord } from "./explain";
import type { Header, PropertyOutline } from "./format";
import { finalText, reasonText, type Scene } from "./scene";

const FINAL_TITLE = "whether a later event can overturn the value for the states of this window";

export class PropertyPanel {
  readonly root = element("section", { class: "card properties", "aria-label": "Properties" });
  private chips = element("div", { class: "chips", role: "group", "aria-label": "Choose a property" });
  private verdict = element("div", { class: "verdict" });
  private parts = element("div", { class: "parts", role: "group", "aria-label": "Choose a part of the property" });
  private more = element("details", { class: "more" });
  private detail = element("div", { class: "detail" });

  constructor(
    private header: Header,
    private choose: (property: number, part: number) => void,
  ) {
    this.more.append(element("summary", {}, "How it is asked and answered"), this.detail);
    const { properties } = header.spec;
    this.root.append(this.chips, this.verdict, this.parts, this.more);
    properties.forEach((property, k) => {
      const chip = element("button", { type: "button", class: "chip", "data-property": property.name });
      chip.append(element("span", { class: "lamp" }), element("span", { class: "label" }, property.name));
      if (property.never)
        chip.append(" ", element("span", { class: "never", title: "must never come true" }, "never"));
      chip.addEventListener("click", () => this.choose(k, 0));
      this.chips.append(chip);
    });
    if (!properties.length) this.root.replaceChildren(element("p", { class: "soft" }, "The spec has no properties."));
  }

  render(scene: Scene, part: number): void {
    const { properties } = this.header.spec;
    const { recording, moment, property } = scene;
    for (const [k, chip] of [...this.chips.querySelectorAll("button")].entries()) {
      const letter = recording.value(k, moment.slide);
      const final = finalText(recording, k, moment.slide);
      chip.dataset.tone = toneOf(letter, properties[k].never);
      chip.setAttribute("aria-pressed", String(k === property));
      const word = verdictWord(letter, properties[k].never).toLowerCase();
      chip.setAttribute(
        "aria-label",
        `${properties[k].name}${properties[k].never ? " never" : ""}: ${[word, final].filter(Boolean).join(", ")}`,
      );
    }
    const chosen = properties[property];
    if (!chosen) return;
    this.renderVerdict(scene, chosen);
    this.renderParts(scene, chosen, part);
    this.renderDetail(scene, chosen, part);
  }

  private renderVerdict(scene: Scene, chosen: PropertyOutline): void {
    const { recording, moment, property } = scene;
    const { tone, word, sentence, final } = explain(scene);
    const badges: Node[] = [];
    const isFinal = recording.final(property, moment.slide);
    if (final)
      badges.push(element("span", { class: "badge final", "data-final": isFinal, title: FINAL_TITLE }, final));
    const reason = reasonText(scene);
    if (reason) badges.push(element("span", { class: "badge because" }, reason));
    this.verdict.dataset.tone = tone;
    this.verdict.replaceChildren(
      element("p", { class: "word" }, word),
      element(
        "div",
        { class: "said" },
        element("p", { class: "sentence" }, sentence),
        element(
          "p",
          { class: "asked" },
          element("code", { class: "text", title: chosen.expanded }, chosen.text),
          ...badges,
        ),
      ),
    );
  }

  private renderParts(scene: Scene, chosen: PropertyOutline, part: number): void {
    const buttons = chosen.parts.map((known, k) => {
      const letter = scene.recording.partValue(scene.part - part + k, scene.moment.slide);
      const pick = element("button", {
        type: "button",
        class: "part",
        "aria-pressed": String(k === part),
        "data-tone": toneOf(letter, false),
      });
      pick.append(element("span", { class: "lamp" }), known.text);
      pick.addEventListener("click", () => this.choose(scene.property, k));
      return pick;
    });
    this.parts.replaceChildren(...(buttons.length > 1 ? buttons : []));
  }

  private renderDetail(scene: Scene, chosen: PropertyOutline, part: number): void {
    const known = chosen.parts[part];
    const lines: Node[] = [];
    if (chosen.expanded !== chosen.text) {
      lines.push(element("p", {}, "Written out: ", element("code", {}, chosen.expanded)));
    }
    lines.push(element("p", { class: "why" }, element("span", { class: "engine" }, known.engine), ` ${known.why}`));
    if (scene.meaning) lines.push(element("p", {}, `A filled global state: ${scene.meaning}.`));
    this.detail.replaceChildren(...lines);
  }
}
