/** The page: one slide and one property are chosen, everything else follows. */

import { raise, violatedAt } from "./alarm";
import { firstViolation, nextChange, nextViolation } from "./changes";
import { element } from "./dom";
import type { Chunk, Header } from "./format";
import { GroupPicker } from "./group-picker";
import { onKeys } from "./keys";
import { readLink, writeLink } from "./link";
import { toggleTheme } from "./page";
import { Player } from "./player";
import { Recording } from "./recording";
import { describe, type Scene, sceneOf } from "./scene";
import { isKnown, type Source } from "./source";
import { SystemPanel } from "./system-view";
import { Views } from "./views";

export class App {
  private recording: Recording;
  private group = "";
  private slide = 1;
  private property = 0;
  private part = 0;
  private scene: Scene | null = null;
  private close = (): void => {};
  /** live: whether to move on to each new slide */
  private isFollowing = true;
  private wanted = readLink(location.hash);
  /** The address as it was last read or written here. */
  private address = location.hash;
  /** the slide that was looked at when the group began again */
  private returnTo: number | undefined;

  private views: Views;
  private heard = element("p", { class: "unseen", "aria-live": "polite" });
  private status = element("span", { class: "live", hidden: true });
  private waiting = element(
    "p",
    { class: "waiting", role: "status" },
    element("strong", {}, "Waiting for the first slide"),
    "The page fills itself as soon as events arrive.",
  );
  private picker: GroupPicker;
  /** null where there is no view of all groups */
  private system: SystemPanel | null = null;
  private back = element("button", { type: "button", class: "all-groups", hidden: true }, "All groups");
  private player: Player;
  private notes = element("div", { class: "notes" });
  private announced = 0;

  constructor(
    private root: HTMLElement,
    private header: Header,
    private source: Source,
  ) {
    this.recording = new Recording(header.spec, header.slides);
    this.player = this.makePlayer();
    this.picker = new GroupPicker(source, (group) => this.pick(group));
    const moves = {
      go: (slide: number) => this.go(slide),
      step: (by: number) => this.go(this.slide + by),
      ends: (end: -1 | 1) => this.go(end < 0 ? this.recording.first : this.recording.last),
      change: (direction: -1 | 1) => this.goToChange(direction),
      play: () => this.player.toggle(),
    };
    this.views = new Views(
      root,
      header,
      () => this.recording,
      { ...moves, choose: (property, part) => this.choose(property, part) },
      {
        status: [this.back, this.status],
        groups: this.picker.root,
        notes: this.notes,
        others: [this.heard, this.waiting],
      },
    );
    this.showNotes(header.notes);
    if (header.system) {
      this.system = new SystemPanel(header, (search) => source.system(search), {
        open: (group) => this.pick(group),
        violated: (names) => {
          if (this.root.classList.contains("whole")) raise(header, names);
        },
      });
      root.append(this.system.root);
      this.back.addEventListener("click", () => this.showSystem());
    }
    onKeys({
      ...moves,
      violation: (direction) => this.goToViolation(direction),
      choose: (property) => this.choose(property, 0),
      zoom: (factor) => this.views.zoom(factor),
      search: () => this.views.search.field.focus(),
      release: () => this.views.pin(null),
      theme: toggleTheme,
      help: () => document.querySelector("dialog")?.showModal(),
    });
    addEventListener("hashchange", () => this.follow());
    const { property, part, group } = this.wanted;
    const named = header.spec.properties.findIndex(({ name }) => name === property);
    this.property = Math.max(0, named);
    this.part = Math.min(part ?? 0, Math.max(0, (header.spec.properties[this.property]?.parts.length ?? 1) - 1));
    void this.openFirst(group);
  }

  /** Shows all groups instead of one. */
  private showSystem(): void {
    this.close();
    this.player.stop();
    this.group = "";
    this.recording = new Recording(this.header.spec, this.header.slides);
    clearTimeout(this.announced);
    history.replaceState(null, "", location.pathname + location.search);
    this.address = location.hash;
    this.setWaiting(false);
    this.setWhole(true);
    raise(this.header, []);
  }

  private setWhole(isWhole: boolean): void {
    this.root.classList.toggle("whole", isWhole);
    this.back.hidden = isWhole || !this.system;
    if (isWhole) this.system?.start();
    else this.system?.stop();
  }

  private async openFirst(group: string | undefined): Promise<void> {
    if (this.system && group === undefined) {
      this.showSystem();
      return;
    }
    this.setWaiting(true);
    let known = this.header.groups;
    while (this.header.live && group === undefined && !known.length) {
      known = await this.source.groups("").catch(() => []);
      if (!known.length) await new Promise((resolve) => setTimeout(resolve, 700));
    }
    this.open(group !== undefined && isKnown(this.header, group) ? group : (known[0] ?? ""));
  }

  private open(group: string): void {
    this.close();
    this.setWhole(false);
    this.player.stop();
    this.group = group;
    this.picker.show(group);
    this.restart();
    this.returnTo = undefined;
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
    if (chunk.spec) this.recording = new Recording(chunk.spec, this.header.slides);
    const isFirst = this.recording.isEmpty;
    this.recording.append(chunk);
    this.setWaiting(false);
    const { first, last } = this.recording;
    if (isFirst) {
      const wanted = this.returnTo ?? this.wanted.slide;
      this.returnTo = undefined;
      this.go(wanted ?? (this.header.live ? last : this.beginning()), { isFirst });
    } else if (this.isFollowing) this.go(last, { keepFollowing: true });
    // What was looked at may be dropped.
    else if (this.slide < first) this.go(first);
    else this.render();
  }

  /** Where it matters: at the first violation, else at the first change of the chosen property. */
  private beginning(): number {
    const violation = this.wanted.property === undefined ? firstViolation(this.recording) : null;
    if (violation) [this.property, this.part] = [violation.property, 0];
    const change = nextChange(this.recording, this.property, this.recording.first - 1, 1);
    return violation?.slide ?? change ?? this.recording.first;
  }

  private showNotes(notes: string[]): void {
    this.notes.replaceChildren(...notes.map((note) => element("p", { class: "note" }, note)));
  }

  private restart(): void {
    if (!this.recording.isEmpty) this.returnTo = this.isFollowing ? Number.MAX_SAFE_INTEGER : this.slide;
    this.recording = new Recording(this.header.spec, this.header.slides);
    this.setWaiting(true);
  }

  /** As long as there is no slide, a calm message stands for all of the page. */
  private setWaiting(isWaiting: boolean): void {
    this.waiting.hidden = !isWaiting;
    this.root.classList.toggle("empty", isWaiting);
  }

  private pick(group: string | undefined): void {
    this.wanted = {};
    const isWhole = this.root.classList.contains("whole");
    if (group !== undefined && (isWhole || group !== this.group)) this.open(group);
    else this.picker.show(this.group);
  }

  private go(slide: number, { isFirst = false, keepFollowing = false } = {}): void {
    if (this.recording.isEmpty || !Number.isFinite(slide)) return;
    const next = this.recording.clamp(slide);
    if (!isFirst && !keepFollowing && next === this.slide) return;
    this.slide = next;
    this.isFollowing = next === this.recording.last;
    this.render();
  }

  private goToChange(direction: 1 | -1): void {
    const slide = nextChange(this.recording, this.property, this.slide, direction);
    if (slide !== null) this.go(slide);
  }

  private goToViolation(direction: 1 | -1): void {
    const found = nextViolation(this.recording, this.slide, direction);
    if (!found) return;
    [this.property, this.part] = [found.property, 0];
    this.go(found.slide);
  }

  private choose(property: number, part: number): void {
    if (!this.header.spec.properties[property]) return;
    this.property = property;
    this.part = part;
    this.render();
  }

  private follow(): void {
    this.address = location.hash;
    const link = readLink(this.address);
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
    // Live, the tab tells of now, whatever slide is looked at.
    const violated = violatedAt(this.recording, this.header.live ? this.recording.last : this.slide);
    raise(this.header, violated);
    this.root.classList.toggle("alarm", violated.length > 0);
    this.root.classList.toggle("violating", this.scene.isViolated);
    this.root.classList.toggle("verdicts-only", !this.recording.hasClocks);
    this.views.render(this.scene, this.part);
    this.announce();
    this.root.dataset.slide = String(this.slide);
  }

  /** Tells screen readers and the address of the slide, but not of each one that passes by. */
  private announce(): void {
    clearTimeout(this.announced);
    this.announced = window.setTimeout(() => {
      if (this.scene) this.heard.textContent = describe(this.scene);
      if (location.hash !== this.address) return; // somebody has just entered another one, which is followed next
      const property = this.header.spec.properties[this.property]?.name;
      const link = writeLink({ slide: this.slide, property, part: this.part || undefined, group: this.group });
      if (link !== location.hash) history.replaceState(null, "", link);
      this.address = location.hash;
    }, 250);
  }

  private makePlayer(): Player {
    const isAtEnd = (): boolean => this.slide >= this.recording.last;
    return new Player({
      begin: () => {
        if (isAtEnd()) this.go(this.recording.first);
      },
      next: () => {
        if (isAtEnd() && !this.header.live) return false;
        this.go(this.slide + 1);
        return true;
      },
      speed: () => Number(this.views.transport.speed.value),
      tell: (isPlaying) => {
        this.views?.transport.setPlaying(isPlaying);
        document.documentElement.classList.toggle("playing", isPlaying);
      },
    });
  }
}
