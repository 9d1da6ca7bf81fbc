/** Everything that shows a slide: properties, drawings, counters, legend, tooltip. */

import { CounterPanel, latticeFacts, Transport } from "./controls";
import { element } from "./dom";
import type { Header } from "./format";
import { LatticeView } from "./lattice-view";
import { Legend } from "./legend";
import { buildPage, formButtons, zoomButtons } from "./page";
import { ProcessMenu } from "./process-menu";
import { PropertyPanel } from "./property-panel";
import type { Cut, Recording } from "./recording";
import { type Hover, NOTHING, type Scene } from "./scene";
import { SearchBox } from "./search";
import { SpaceTimeView } from "./spacetime-view";
import { onSwipe } from "./swipe";
import { TimelineView } from "./timeline-view";
import { Tooltip } from "./tooltip";

/** What the views ask for. */
export interface Wishes {
  go(slide: number): void;
  step(by: number): void;
  ends(end: -1 | 1): void;
  change(direction: -1 | 1): void;
  play(): void;
  choose(property: number, part: number): void;
}

/** What else stands on the page. */
export interface Around {
  status: Node[];
  groups: HTMLElement;
  notes: Node;
  others: Node[];
}

export class Views {
  readonly transport: Transport;
  readonly search: SearchBox;
  private properties: PropertyPanel;
  private counters = new CounterPanel();
  private tooltip = new Tooltip();
  private legend = new Legend();
  private spaceTime: SpaceTimeView;
  private lattice: LatticeView;
  private timeline: TimelineView;
  private facts = element("span", { class: "soft facts" });
  private scene: Scene | null = null;
  private hover: Hover = NOTHING;
  private pinned: Cut | null = null;

  constructor(root: HTMLElement, header: Header, recording: () => Recording, on: Wishes, around: Around) {
    this.transport = new Transport(on);
    this.properties = new PropertyPanel(header, (property, part) => on.choose(property, part));
    const [spaceTime, lattice, timeline] = [0, 1, 2].map(() => element("div", { class: "drawing" }));
    const point = (hover: Hover, at: { x: number; y: number } | null): void => this.point(hover, at);
    this.spaceTime = new SpaceTimeView(spaceTime, { point });
    this.lattice = new LatticeView(lattice, header.drawn, { point, pin: (cut) => this.pin(cut) });
    this.timeline = new TimelineView(timeline, { go: (slide) => on.go(slide), choose: (k) => on.choose(k, 0) });
    this.search = new SearchBox(recording, {
      show: (state) => {
        on.go(state.slide);
        this.spaceTime.show(state);
      },
      mark: (found) => this.timeline.mark(found),
      slide: () => this.scene?.moment.slide ?? 0,
    });
    for (const drawing of [spaceTime, lattice]) onSwipe(drawing, (by) => on.step(by));
    const processes = new ProcessMenu(header.spec.processes, header.spec.roles, {
      arrange: (order) => this.spaceTime.arrange(order),
      part: () => this.scene?.outline,
    });
    const forms = header.spec.processes.length === 2 ? (["grid", "levels"] as const) : [];
    if (forms.length) this.lattice.form = forms[0];
    buildPage(root, header, {
      ...around,
      properties: this.properties.root,
      spaceTime: [spaceTime, this.spaceTime.note],
      lattice,
      timeline,
      facts: this.facts,
      legend: this.legend.root,
      processes: processes.root,
      forms: formButtons(forms, (form) => {
        this.lattice.form = form;
        if (this.scene) this.lattice.render(this.scene);
      }),
      transport: this.transport.root,
      tools: [this.search.root, zoomButtons((factor) => this.zoom(factor))],
      counters: this.counters.root,
      others: [...around.others, this.tooltip.root],
    });
  }

  /** Shows a scene; `part` is the chosen part of its property. */
  render(scene: Scene, part: number): void {
    const { recording, moment } = scene;
    if (this.scene?.moment.slide !== moment.slide || this.scene.recording !== recording) this.pinned = null;
    this.scene = scene;
    this.properties.render(scene, part);
    this.transport.render(recording, moment.slide);
    this.counters.render(recording, moment.slide);
    this.facts.textContent = latticeFacts(scene);
    this.facts.title = scene.meaning ? `filled: ${scene.meaning}` : "";
    this.legend.render(scene);
    this.spaceTime.render(scene);
    this.lattice.render(scene);
    this.timeline.render(scene);
    this.point(NOTHING, null);
  }

  zoom(factor: number): void {
    this.timeline.zoom(factor);
  }

  /** Keeps a cut drawn, or lets it go. */
  pin(cut: Cut | null): void {
    this.pinned = cut !== null && this.pinned?.join() === cut.join() ? null : cut;
    this.spaceTime.highlight(this.hover, this.pinned);
    this.lattice.highlight(this.hover, this.pinned);
  }

  private point(hover: Hover, at: { x: number; y: number } | null): void {
    this.hover = hover;
    this.spaceTime.highlight(hover, this.pinned);
    this.lattice.highlight(hover, this.pinned);
    this.tooltip.render(hover, this.scene, at);
  }
}
