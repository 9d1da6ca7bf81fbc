/** The page: one slide and one property are chosen, everything else follows. */

import { CounterPanel, latticeFacts, PropertyPanel, Tooltip, Transport } from "./controls";
import { button, element } from "./dom";
import type { Chunk, Header } from "./format";
import { LatticeView } from "./lattice-view";
import { readLink, writeLink } from "./link";
import { type Cut, Recording } from "./recording";
import { describe, type Hover, NOTHING, type Scene, sceneOf } from "./scene";
import { choose, isKnown, type Source } from "./source";
import { SpaceTimeView } from "./spacetime-view";
import { TimelineView } from "./timeline-view";

const KEYS = [
  ["← →", "previous, next slide (with Shift: ten)"],
  ["Home End", "first, last slide"],
  ["[ ]", "previous, next change of the chosen property"],
  ["Space", "play, pause"],
  ["1 … 9", "choose a property"],
  ["Tab", "into the diagrams, where the arrow keys move between states or cuts"],
  ["Enter", "keep a cut drawn; Escape lets it go"],
];

export class App {
  private recording: Recording;
  private group = "";
  private slide = 1;
  private property = 0;
  private part = 0;
  private scene: Scene | null = null;
  private hover: Hover = NOTHING;
  private pinned: Cut | null = null;
  private timer = 0;
  private close = (): void => {};
  /** live: whether to move on to each new slide */
  private isFollowing = true;
  private wanted = readLink(location.hash);

  private properties: PropertyPanel;
  private transport: Transport;
  private counters = new CounterPanel();
  private tooltip = new Tooltip();
  private spaceTime: SpaceTimeView;
  private lattice: LatticeView;
  private timeline: TimelineView;
  private facts = element("span", { class: "soft facts" });
  private heard = element("p", { class: "unseen", "aria-live": "polite" });
  private status = element("span", { class: "live", hidden: true });
  private waiting = element("p", { class: "waiting" }, "Waiting for the first slide …");
  private picker = element("input", {
    type: "search",
    list: "groups",
    "aria-label": "Group",
    placeholder: "find a group",
    autocomplete: "off",
  });
  private options = element("datalist", { id: "groups" });
  private notes = element("div", { class: "notes" });
  private announced = 0;

  constructor(
    private root: HTMLElement,
    private header: Header,
    private source: Source,
  ) {
    this.recording = new Recording(header.spec, header.slides);
    this.properties = new PropertyPanel(header, (property, part) => this.choose(property, part));
    this.transport = new Transport({
      go: (slide) => this.go(slide),
      step: (by) => this.go(this.slide + by),
      ends: (end) => this.go(end < 0 ? this.recording.first : this.recording.last),
      change: (direction) => this.goToChange(direction),
      play: () => this.togglePlay(),
    });
    const [spaceTime, lattice, timeline] = [0, 1, 2].map(() => element("div", { class: "drawing" }));
    this.build(spaceTime, lattice, timeline);
    const point = (hover: Hover, at: { x: number; y: number } | null): void => this.point(hover, at);
    this.spaceTime = new SpaceTimeView(spaceTime, { point });
    this.lattice = new LatticeView(lattice, { point, pin: (cut) => this.pin(cut) });
    this.timeline = new TimelineView(timeline, { go: (slide) => this.go(slide), choose: (k) => this.choose(k, 0) });
    if (header.spec.processes.length === 2) this.lattice.form = "grid";
    addEventListener("keydown", (event) => this.onKey(event));
    addEventListener("hashchange", () => this.follow());
    const { property, part, group } = this.wanted;
    const named = header.spec.properties.findIndex(({ name }) => name === property);
    this.property = Math.max(0, named);
    this.part = Math.min(part ?? 0, Math.max(0, (header.spec.properties[this.property]?.parts.length ?? 1) - 1));
    void this.openFirst(group);
  }

  private build(spaceTime: HTMLElement, lattice: HTMLElement, timeline: HTMLElement): void {
    const { header } = this;
    const help = element("dialog", { class: "help", "aria-label": "Keys" });
    const keys = element("dl", {});
    for (const [key, what] of KEYS) keys.append(element("dt", {}, key), element("dd", {}, what));
    const done = element("button", { type: "button" }, "Close");
    done.addEventListener("click", () => help.close());
    help.append(element("h2", {}, "Keys"), keys, done);
    const theme = button("Light or dark", "theme", () => toggleTheme(), "t");
    const groups = element("label", { class: "group" }, "group ", this.picker, this.options);
    groups.hidden = header.groups.length < 2 && !header.live;
    this.picker.addEventListener("input", () => void this.suggest());
    this.picker.addEventListener("focus", () => void this.suggest());
    this.picker.addEventListener("change", () => void this.pick());
    const top = element(
      "header",
      {},
      element("h1", {}, element("span", { class: "brand" }, "latwin"), " explorer"),
      element("span", { class: "source", title: header.source }, header.source),
      this.status,
      element("span", { class: "space" }),
      groups,
      theme,
      button("Keys and help", "help", () => help.showModal(), "?"),
    );
    const forms = element("div", { class: "forms", role: "group", "aria-label": "How the lattice is drawn" });
    if (header.spec.processes.length === 2) {
      for (const form of ["grid", "levels"] as const) {
        const pick = element(
          "button",
          { type: "button", "aria-pressed": String(form === "grid"), "data-form": form },
          form,
        );
        pick.addEventListener("click", () => {
          this.lattice.form = form;
          for (const other of forms.children) other.setAttribute("aria-pressed", String(other === pick));
          if (this.scene) this.lattice.render(this.scene);
        });
        forms.append(pick);
      }
    }
    this.showNotes(header.notes);
    this.root.append(
      top,
      this.properties.root,
      card(
        "spacetime",
        "Space-time",
        legend(
          [
            ["may", "allows the condition"],
            ["out", "rules it out"],
            ["unread", "not read"],
            ["coming", "not delivered yet"],
          ],
          header,
        ),
        spaceTime,
      ),
      card("lattice", "Lattice", element("div", { class: "row" }, this.facts, forms), lattice),
      card(
        "timeline",
        "Timeline",
        element("div", { class: "row" }, this.transport.root, this.counters.root),
        timeline,
        this.notes,
      ),
      this.heard,
      this.waiting,
      this.tooltip.root,
      help,
    );
  }

  private async openFirst(group: string | undefined): Promise<void> {
    let known = this.header.groups;
    while (this.header.live && group === undefined && !known.length) {
      known = await this.source.groups("").catch(() => []);
      if (!known.length) await new Promise((resolve) => setTimeout(resolve, 700));
    }
    this.open(group !== undefined && isKnown(this.header, group) ? group : (known[0] ?? ""));
  }

  private open(group: string): void {
    this.close();
    this.stop();
    this.group = group;
    this.picker.value = group;
    this.restart();
    this.close = this.source.open(group, {
      take: (chunk) => this.take(chunk),
      restart: () => this.restart(),
      note: (notes) => this.showNotes(notes),
      tell: (isConnected) => {
        this.status.hidden = false;
        this.status.textContent = isConnected ? "live" : "connection lost";
        this.status.classList.toggle("lost", !isConnected);
      },
    });
  }

  private take(chunk: Chunk): void {
    const isFirst = this.recording.isEmpty;
    this.recording.append(chunk);
    this.waiting.hidden = true;
    const { first, last } = this.recording;
    if (isFirst) this.go(this.wanted.slide ?? (this.header.live ? last : first), { isFirst });
    else if (this.isFollowing) this.go(last, { keepFollowing: true });
    // What was looked at may be dropped.
    else if (this.slide < first) this.go(first);
    else this.render();
  }

  private showNotes(notes: string[]): void {
    this.notes.replaceChildren(...notes.map((note) => element("p", { class: "note" }, note)));
  }

  private restart(): void {
    this.recording = new Recording(this.header.spec, this.header.slides);
    this.waiting.hidden = false;
    this.pinned = null;
  }

  private async suggest(): Promise<void> {
    const names = await this.source.groups(this.picker.value === this.group ? "" : this.picker.value);
    this.options.replaceChildren(...names.slice(0, 50).map((value) => element("option", { value })));
  }

  private async pick(): Promise<void> {
    const typed = this.picker.value; // it may change while the names come
    const name = choose(await this.source.groups(typed), typed);
    this.wanted = {};
    if (name !== undefined && name !== this.group) this.open(name);
    else this.picker.value = this.group;
  }

  private go(slide: number, { isFirst = false, keepFollowing = false } = {}): void {
    if (this.recording.isEmpty || !Number.isFinite(slide)) return;
    const next = this.recording.clamp(slide);
    if (!isFirst && !keepFollowing && next === this.slide) return;
    this.slide = next;
    this.isFollowing = next === this.recording.last;
    this.pinned = null;
    this.render();
  }

  private goToChange(direction: 1 | -1): void {
    const slide = this.recording.change(this.property, this.slide, direction);
    if (slide !== null) this.go(slide);
  }

  private choose(property: number, part: number): void {
    if (!this.header.spec.properties[property]) return;
    this.property = property;
    this.part = part;
    this.render();
  }

  private follow(): void {
    const link = readLink(location.hash);
    const property = this.header.spec.properties.findIndex(({ name }) => name === link.property);
    if (link.group !== undefined && link.group !== this.group && isKnown(this.header, link.group)) {
      this.wanted = link;
      this.open(link.group);
    }
    const part = link.part ?? 0;
    if (property >= 0 && (property !== this.property || part !== this.part)) this.choose(property, part);
    if (link.slide !== undefined) this.go(link.slide);
    if (link.group !== undefined && !isKnown(this.header, link.group)) this.announce(); // the address says what is shown
  }

  private render(): void {
    if (this.recording.isEmpty) return;
    const { properties } = this.header.spec;
    const before = properties.slice(0, this.property).reduce((sum, known) => sum + known.parts.length, 0);
    this.scene = sceneOf(this.recording, this.slide, this.property, before + this.part, this.header.drawn);
    this.properties.render(this.scene, this.part);
    this.transport.render(this.recording, this.slide);
    this.counters.render(this.recording, this.slide);
    this.facts.textContent = latticeFacts(this.scene);
    this.facts.title = this.scene.meaning ? `filled: ${this.scene.meaning}` : "";
    this.spaceTime.render(this.scene);
    this.lattice.render(this.scene);
    this.timeline.render(this.scene);
    this.point(NOTHING, null);
    this.announce();
    this.root.dataset.slide = String(this.slide);
    this.root.classList.toggle("verdicts-only", !this.recording.hasClocks);
  }

  /** Tells screen readers and the address of the slide, but not of each one that passes by. */
  private announce(): void {
    clearTimeout(this.announced);
    this.announced = window.setTimeout(() => {
      if (this.scene) this.heard.textContent = describe(this.scene);
      const property = this.header.spec.properties[this.property]?.name;
      const link = writeLink({ slide: this.slide, property, part: this.part || undefined, group: this.group });
      if (link !== location.hash) history.replaceState(null, "", link);
    }, 250);
  }

  private point(hover: Hover, at: { x: number; y: number } | null): void {
    this.hover = hover;
    this.spaceTime.highlight(hover, this.pinned);
    this.lattice.highlight(hover, this.pinned);
    this.tooltip.render(hover, this.scene, at);
  }

  private pin(cut: Cut | null): void {
    this.pinned = cut !== null && this.pinned?.join() === cut.join() ? null : cut;
    this.spaceTime.highlight(this.hover, this.pinned);
    this.lattice.highlight(this.hover, this.pinned);
  }

  private togglePlay(): void {
    if (this.timer) this.stop();
    else {
      if (this.slide >= this.recording.last) this.go(this.recording.first);
      this.transport.setPlaying(true);
      document.documentElement.classList.add("playing");
      this.tick();
    }
  }

  private tick(): void {
    this.timer = window.setTimeout(() => {
      if (this.slide >= this.recording.last && !this.header.live) {
        this.stop();
        return;
      }
      this.go(this.slide + 1);
      this.tick();
    }, 1000 / Number(this.transport.speed.value));
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.transport.setPlaying(false);
    document.documentElement.classList.remove("playing");
  }

  private onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.closest("input, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = event.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.go(this.slide - by),
      ArrowRight: () => this.go(this.slide + by),
      PageUp: () => this.go(this.slide - 10),
      PageDown: () => this.go(this.slide + 10),
      Home: () => this.go(this.recording.first),
      End: () => this.go(this.recording.last),
      "[": () => this.goToChange(-1),
      "]": () => this.goToChange(1),
      t: () => toggleTheme(),
      "?": () => document.querySelector("dialog")?.showModal(),
      Escape: () => this.pin(null),
    };
    if (event.key === " " && !target.closest("button")) actions[" "] = () => this.togglePlay();
    if (/^[1-9]$/.test(event.key)) actions[event.key] = () => this.choose(Number(event.key) - 1, 0);
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

function card(name: string, title: string, beside: Node, ...content: Node[]): HTMLElement {
  const head = element("div", { class: "head" }, element("h2", {}, title), beside);
  return element("section", { class: `card ${name}`, "aria-label": title }, head, ...content);
}

function legend(entries: [string, string][], header: Header): HTMLElement {
  const made = element("ul", { class: "legend", "aria-label": "Colours" });
  const isAsked = header.spec.properties.length > 0;
  for (const [kind, text] of entries) {
    if (isAsked || kind === "coming") made.append(element("li", {}, element("i", { class: kind }), text));
  }
  return made;
}

function toggleTheme(): void {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "light" : "dark";
}
