/** One group's slides, decoded and indexed: everything about a slide is found without computing the ones before it. */

import { type Chunk, type PartOutline, runningSums, type SpecOutline } from "./format";
import { type State, States } from "./states";

export type { State };

export type Cut = readonly number[];

/** What the windows held at a slide. */
export interface Moment {
  slide: number;
  /** whose state was delivered; -1 if only time went on */
  process: number;
  newest: number[];
  oldest: number[];
  least: number[] | null;
  greatest: number[] | null;
  /** null: more than could be counted */
  cuts: number | null;
  /** the slide at which the ends were last told, for outputs that tell only changes */
  toldAt: number;
}

export interface Witness {
  cut: number[] | null;
  path: number[] | null;
  stretch: [number, number] | null;
  /** of a condition with an `or`: the processes that make it true; else null */
  speak: number[] | null;
}

const NO_WITNESS: Witness = { cut: null, path: null, stretch: null, speak: null };

export class Recording {
  /** the parts of all properties */
  readonly outlines: PartOutline[];
  first = 1;
  values: string[];
  /** per property a letter for each slide: 1 if no later event can overturn the value, 0 if one may, ? if unknown */
  finals: string[];
  totals: Record<string, number> = {};
  counters: Record<string, number[]> = {};
  cutCounts: number[] = [];
  /** whether states and clocks are known, and so cuts can be drawn */
  hasClocks = true;

  private states: States;
  private process: number[] = [];
  private newest: number[][] = [];
  private oldest: number[][] = [];
  private least: (number[] | null)[] = [];
  private greatest: (number[] | null)[] = [];
  private toldAt: number[] = [];
  private lost = new Map<string, number>();
  private levelCounts = new Map<number, { counts: number[]; labelled: (number[] | null)[] }>();
  private partValues: string[];
  private reasons: string[];
  private witnesses: Witness[][];
  private labelTexts: (string | 0)[][];

  /** Of more than `most` slides the oldest are dropped; null keeps all. */
  constructor(
    readonly spec: SpecOutline,
    private most: number | null = null,
  ) {
    const parts = spec.properties.flatMap((property) => property.parts);
    this.outlines = parts;
    this.states = new States(spec.processes.length);
    this.values = spec.properties.map(() => "");
    this.finals = spec.properties.map(() => "");
    this.partValues = parts.map(() => "");
    this.reasons = parts.map(() => "");
    this.witnesses = parts.map(() => []);
    this.labelTexts = parts.map(() => []);
  }

  get length(): number {
    return this.process.length;
  }

  get last(): number {
    return this.first + this.length - 1;
  }

  /** Per process the states that are known. */
  get lanes(): State[][] {
    return this.states.lanes;
  }

  /** Per process the number of the first of them. */
  get from(): number[] {
    return this.states.from;
  }

  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** Takes the slides that follow those known, or the first ones. */
  append(chunk: Chunk): void {
    const isFirst = this.isEmpty;
    if (isFirst) this.first = chunk.first;
    this.hasClocks = chunk.states.length > 0;
    if (this.hasClocks) this.states.append(chunk.states, isFirst);
    for (const [slide, process, index] of chunk.through) this.lost.set(`${slide}/${process}`, index);
    this.appendEnds(chunk, isFirst);
    for (const [k, letters] of chunk.values.entries()) this.values[k] += letters;
    for (const [k, letters] of chunk.finals.entries()) this.finals[k] += letters;
    chunk.parts.forEach((part, k) => {
      this.partValues[k] += part.values;
      this.reasons[k] += part.because;
      const stretches = new Map(part.stretch.map(([slide, begin, end]) => [slide, [begin, end] as [number, number]]));
      part.cut.forEach((offsets, at) => {
        const slide = chunk.first + at;
        const cut = offsets === 0 ? null : offsets.map((offset, j) => this.oldest[slide - this.first][j] + offset);
        this.witnesses[k].push({
          cut,
          path: part.path[at] || null,
          stretch: stretches.get(slide) ?? null,
          speak: part.speak[at] || null,
        });
      });
      for (const text of part.labels) this.labelTexts[k].push(text);
    });
    for (const [slide, counts, labelled] of chunk.levels) this.levelCounts.set(slide, { counts, labelled });
    for (const [name, changes] of Object.entries(chunk.counters)) {
      this.counters[name] ??= [];
      const column = this.counters[name];
      for (const value of runningSums(changes)) column.push(value);
    }
    for (const count of chunk.cuts) this.cutCounts.push(count);
    this.totals = chunk.totals;
    if (this.most !== null && this.length > this.most) this.drop(this.length - this.most);
  }

  /** Forgets the oldest slides, and the states that no other slide has in its window. */
  private drop(count: number): void {
    const alone = [this.process, this.newest, this.oldest, this.least, this.greatest, this.toldAt, this.cutCounts];
    const perSlide = [...alone, ...Object.values(this.counters), ...this.witnesses, ...this.labelTexts];
    for (const column of perSlide) column.splice(0, count);
    this.values = this.values.map((letters) => letters.slice(count));
    this.finals = this.finals.map((letters) => letters.slice(count));
    this.partValues = this.partValues.map((letters) => letters.slice(count));
    this.reasons = this.reasons.map((letters) => letters.slice(count));
    for (let slide = this.first; slide < this.first + count; slide++) {
      this.levelCounts.delete(slide);
      for (const k of this.spec.processes.keys()) this.lost.delete(`${slide}/${k}`);
    }
    this.first += count;
    if (!this.hasClocks) return;
    for (const [k, oldest] of this.oldest[0].entries()) this.states.drop(k, oldest);
  }

  private appendEnds(chunk: Chunk, isFirst: boolean): void {
    const processes = this.spec.processes.length;
    let newest: number[];
    if (!isFirst) newest = this.newest[this.length - 1];
    else if (this.hasClocks) {
      newest = chunk.states.map((columns, k) => {
        const delivered = chunk.process.filter((process) => process === k).length;
        return columns.from + columns.index.length - 1 - delivered;
      });
    } else newest = Array<number>(processes).fill(0);
    const held = chunk.held.map(runningSums);
    const told = new Map((chunk.told ?? []).map(([slide, least, greatest]) => [slide, { least, greatest }]));
    chunk.process.forEach((process, at) => {
      const slide = chunk.first + at;
      newest = [...newest];
      if (this.hasClocks && process >= 0) {
        newest[process] += 1;
        this.lanes[process][newest[process] - this.from[process]].slide = slide;
      }
      this.process.push(process);
      this.newest.push(newest);
      const oldest = newest.map((number, k) => number + 1 - (held[k]?.[at] ?? 1));
      this.oldest.push(oldest);
      if (this.hasClocks) {
        const isEmpty = chunk.empty[at] === "1";
        this.least.push(isEmpty ? null : oldest.map((number, k) => number + chunk.least[k][at]));
        this.greatest.push(isEmpty ? null : newest.map((number, k) => number - chunk.greatest[k][at]));
        this.toldAt.push(slide);
      } else {
        const here = told.get(slide);
        const before = this.least.length - 1;
        this.least.push(here ? here.least : (this.least[before] ?? null));
        this.greatest.push(here ? here.greatest : (this.greatest[before] ?? null));
        this.toldAt.push(here ? slide : (this.toldAt[before] ?? 0));
      }
    });
  }

  /** The slide nearest to a number that may be out of range. */
  clamp(slide: number): number {
    return Math.min(Math.max(Math.round(slide), this.first), Math.max(this.last, this.first));
  }

  moment(slide: number): Moment {
    const at = slide - this.first;
    const count = this.cutCounts[at];
    return {
      slide,
      process: this.process[at],
      newest: this.newest[at],
      oldest: this.oldest[at],
      least: this.least[at],
      greatest: this.greatest[at],
      cuts: count < 0 ? null : count,
      toldAt: this.toldAt[at],
    };
  }

  state(process: number, number: number): State | undefined {
    return this.states.get(process, number);
  }

  /** The state that a slide delivered; undefined if only time went on, or if states are not known. */
  delivered(slide: number): State | undefined {
    const at = slide - this.first;
    const process = this.process[at];
    return this.hasClocks && process >= 0 ? this.state(process, this.newest[at][process]) : undefined;
  }

  /** The last index that a state stands for at a moment: where states were lost, those after it too. */
  covers(process: number, number: number, moment: Moment): number {
    if (number < moment.newest[process]) return this.state(process, number + 1)!.index - 1;
    return this.lost.get(`${moment.slide}/${process}`) ?? this.state(process, number)!.index;
  }

  /** See `States.latest`. */
  latest(process: number, index: number): State | undefined {
    return this.states.latest(process, index);
  }

  /** See `States.standing`. */
  standing(process: number, index: number): State | undefined {
    return this.states.standing(process, index);
  }

  value(property: number, slide: number): string {
    return this.values[property][slide - this.first] ?? "0";
  }

  /** Whether no later event can overturn a property's value: "1", "0", or "?" if that is not known. */
  final(property: number, slide: number): string {
    return this.finals[property][slide - this.first] ?? "?";
  }

  /** Where every observation meets the condition of a true `definitely`: "l", "g", "i"; else "-". */
  because(part: number, slide: number): string {
    return this.reasons[part]?.[slide - this.first] ?? "-";
  }

  partValue(part: number, slide: number): string {
    return this.partValues[part]?.[slide - this.first] ?? "0";
  }

  witness(part: number, slide: number): Witness {
    return this.witnesses[part]?.[slide - this.first] ?? NO_WITNESS;
  }

  /** A bit for each cut in lexicographic order, or null if the cuts are not drawn. */
  labels(part: number, slide: number): string | null {
    return this.labelTexts[part]?.[slide - this.first] || null;
  }

  levels(slide: number): { counts: number[]; labelled: (number[] | null)[] } | undefined {
    return this.levelCounts.get(slide);
  }

  counter(name: string, slide: number): number {
    if (name === "delivered") return slide - this.counter("ticks", slide);
    return this.counters[name]?.[slide - this.first] ?? 0;
  }

  /** A cut as it is written: the states' indices. */
  show(cut: Cut): string {
    return `(${cut.map((number, k) => this.state(k, number)?.index ?? number).join(",")})`;
  }
}
