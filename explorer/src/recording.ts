/** One group's slides, decoded and indexed: everything about a slide is found without computing the ones before it. */

import { type Chunk, type PartOutline, runningSums, type SpecOutline } from "./format";

export type Cut = readonly number[];

/** A delivered state of a process. */
export interface State {
  process: number;
  /** how many states of the process were delivered before it; the initial one is 0 */
  number: number;
  /** the own entry of its clock */
  index: number;
  clock: number[];
  variables: unknown;
  time: unknown;
  /** per part: what the state says of its condition (".", "0", "-", "1", "2") */
  colours: string;
  /** the slide that delivered it; 0 if that is not known */
  slide: number;
}

/** What the windows held at a slide. */
export interface Moment {
  slide: number;
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
}

export class Recording {
  /** the parts of all properties */
  readonly outlines: PartOutline[];
  readonly lanes: State[][];
  /** the number of the first state that is known, per process */
  readonly from: number[];
  first = 1;
  values: string[];
  /** per property a letter for each slide: 1 if no later event can overturn the value, 0 if one may, ? if unknown */
  finals: string[];
  totals: Record<string, number> = {};
  counters: Record<string, number[]> = {};
  cutCounts: number[] = [];
  /** whether states and clocks are known, and so cuts can be drawn */
  hasClocks = true;

  private process: number[] = [];
  private newest: number[][] = [];
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
    this.lanes = spec.processes.map(() => []);
    this.from = spec.processes.map(() => 0);
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

  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** Takes the slides that follow those known, or the first ones. */
  append(chunk: Chunk): void {
    const isFirst = this.isEmpty;
    if (isFirst) this.first = chunk.first;
    this.hasClocks = chunk.states.length > 0;
    if (this.hasClocks) this.appendStates(chunk, isFirst);
    this.appendEnds(chunk, isFirst);
    for (const [k, letters] of chunk.values.entries()) this.values[k] += letters;
    for (const [k, letters] of chunk.finals.entries()) this.finals[k] += letters;
    chunk.parts.forEach((part, k) => {
      this.partValues[k] += part.values;
      this.reasons[k] += part.because;
      const stretches = new Map(part.stretch.map(([slide, begin, end]) => [slide, [begin, end] as [number, number]]));
      part.cut.forEach((offsets, at) => {
        const slide = chunk.first + at;
        const oldest = this.oldestAt(slide);
        const cut = offsets === 0 ? null : offsets.map((offset, j) => oldest[j] + offset);
        this.witnesses[k].push({ cut, path: part.path[at] || null, stretch: stretches.get(slide) ?? null });
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
    const alone = [this.process, this.newest, this.least, this.greatest, this.toldAt, this.cutCounts];
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
    this.oldestAt(this.first).forEach((oldest, k) => {
      const surplus = Math.max(0, oldest - this.from[k]);
      this.lanes[k].splice(0, surplus);
      this.from[k] += surplus;
    });
  }

  private appendStates(chunk: Chunk, isFirst: boolean): void {
    chunk.states.forEach((columns, process) => {
      const lane = this.lanes[process];
      if (isFirst) this.from[process] = columns.from;
      const indices = runningSums(columns.index);
      const clocks = columns.clock.map(runningSums);
      indices.forEach((index, at) => {
        const document = columns.variables_of[at];
        lane.push({
          process,
          number: columns.from + at,
          index,
          clock: clocks.map((column) => column[at]),
          variables: columns.variables[document],
          time: columns.time[at],
          colours: columns.colours.map((letters) => letters[document]).join(""),
          slide: 0,
        });
      });
    });
    for (const [slide, process, index] of chunk.through) this.lost.set(`${slide}/${process}`, index);
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
    const told = new Map((chunk.told ?? []).map(([slide, least, greatest]) => [slide, { least, greatest }]));
    chunk.process.forEach((process, at) => {
      const slide = chunk.first + at;
      newest = [...newest];
      if (this.hasClocks) {
        newest[process] += 1;
        this.lanes[process][newest[process] - this.from[process]].slide = slide;
      }
      this.process.push(process);
      this.newest.push(newest);
      if (this.hasClocks) {
        const oldest = this.oldestAt(slide);
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

  private oldestAt(slide: number): number[] {
    return this.newest[slide - this.first].map((number, k) => {
      const size = this.spec.window[k];
      return size === null ? 0 : Math.max(0, number - size + 1);
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
      oldest: this.oldestAt(slide),
      least: this.least[at],
      greatest: this.greatest[at],
      cuts: count < 0 ? null : count,
      toldAt: this.toldAt[at],
    };
  }

  state(process: number, number: number): State | undefined {
    return this.lanes[process][number - this.from[process]];
  }

  /** The state that a slide delivered. */
  delivered(slide: number): State | undefined {
    const at = slide - this.first;
    const process = this.process[at];
    return process === undefined || !this.hasClocks ? undefined : this.state(process, this.newest[at][process]);
  }

  /** The last index that a state stands for at a moment: where states were lost, those after it too. */
  covers(process: number, number: number, moment: Moment): number {
    if (number < moment.newest[process]) return this.state(process, number + 1)!.index - 1;
    return this.lost.get(`${moment.slide}/${process}`) ?? this.state(process, number)!.index;
  }

  /** The last known state of a process up to an index. */
  latest(process: number, index: number): State | undefined {
    const lane = this.lanes[process];
    let low = 0;
    let high = lane.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (lane[middle].index <= index) low = middle + 1;
      else high = middle - 1;
    }
    return lane[high];
  }

  /** The state of a process that has an index, or stands for it; undefined if it is not known. */
  standing(process: number, index: number): State | undefined {
    const found = this.latest(process, index);
    // What comes after the last one known is not known to be lost.
    const isLast = found === this.lanes[process].at(-1);
    return found && (found.index === index || !isLast) ? found : undefined;
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
    return this.witnesses[part]?.[slide - this.first] ?? { cut: null, path: null, stretch: null };
  }

  /** A bit for each cut in lexicographic order, or null if the cuts are not drawn. */
  labels(part: number, slide: number): string | null {
    return this.labelTexts[part]?.[slide - this.first] || null;
  }

  levels(slide: number): { counts: number[]; labelled: (number[] | null)[] } | undefined {
    return this.levelCounts.get(slide);
  }

  counter(name: string, slide: number): number {
    if (name === "delivered") return slide;
    return this.counters[name]?.[slide - this.first] ?? 0;
  }

  /** The next slide, in a direction, at which a property's value is another than right before it. */
  change(property: number, slide: number, direction: 1 | -1): number | null {
    const letters = this.values[property] ?? "";
    for (let at = slide - this.first + direction; at >= 0 && at < letters.length; at += direction) {
      if (letters[at] !== (at === 0 ? "0" : letters[at - 1])) return at + this.first;
    }
    return null;
  }

  /** The first slide at which something forbidden happened, and which property says so; null if nothing did. */
  firstViolation(): { property: number; slide: number } | null {
    let found: { property: number; slide: number } | null = null;
    for (const [property, { never }] of this.spec.properties.entries()) {
      const at = never ? this.values[property].indexOf("1") : -1;
      if (at >= 0 && (!found || at + this.first < found.slide)) found = { property, slide: at + this.first };
    }
    return found;
  }

  /** The next slide, in a direction, at which some property that must never be true becomes so. */
  violation(slide: number, direction: 1 | -1): { property: number; slide: number } | null {
    for (let at = slide - this.first + direction; at >= 0 && at < this.length; at += direction) {
      const property = this.spec.properties.findIndex(
        ({ never }, k) => never && this.values[k][at] === "1" && this.values[k][at - 1] !== "1",
      );
      if (property >= 0) return { property, slide: at + this.first };
    }
    return null;
  }

  /** A cut as it is written: the states' indices. */
  show(cut: Cut): string {
    return `(${cut.map((number, k) => this.state(k, number)?.index ?? number).join(",")})`;
  }
}
