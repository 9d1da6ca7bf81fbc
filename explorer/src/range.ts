/** The stretch of slides that the timeline shows: all of them, or what was zoomed in to. Immutable. */

/** slides that are shown at least */
const FEWEST = 12;

export class Range {
  /** From the left edge of a slide to the right edge of another, which are half a slide away from their numbers. */
  private constructor(
    readonly begin: number,
    readonly end: number,
    private readonly first: number,
    private readonly last: number,
  ) {}

  static whole(first: number, last: number): Range {
    return new Range(first - 0.5, Math.max(last, first) + 0.5, first, Math.max(last, first));
  }

  get length(): number {
    return this.end - this.begin;
  }

  get isWhole(): boolean {
    return this.begin <= this.first - 0.5 && this.end >= this.last + 0.5;
  }

  /** The first and the last slide of which something is seen. */
  get slides(): [first: number, last: number] {
    return [Math.max(this.first, Math.round(this.begin)), Math.min(this.last, Math.ceil(this.end - 0.5))];
  }

  /** Shows so many times as few slides; the slide `around` stays where it is. */
  zoom(factor: number, around: number): Range {
    const length = Math.min(Math.max(this.length / factor, FEWEST), this.last - this.first + 1);
    const share = (around - this.begin) / this.length;
    return this.moved(around - share * length, length);
  }

  pan(slides: number): Range {
    return this.moved(this.begin + slides, this.length);
  }

  /** The same length, moved so that a slide is seen. */
  toward(slide: number): Range {
    if (slide - 0.5 >= this.begin && slide + 0.5 <= this.end) return this;
    return this.moved(slide - this.length / 2, this.length);
  }

  /** The same view of a recording that has other slides now; a whole one stays whole. */
  follow(first: number, last: number): Range {
    if (first === this.first && last === this.last) return this;
    if (this.isWhole) return Range.whole(first, last);
    return new Range(this.begin, this.end, first, last).moved(this.begin, this.length);
  }

  private moved(begin: number, length: number): Range {
    const [low, high] = [this.first - 0.5, this.last + 0.5];
    const kept = Math.min(length, high - low);
    const at = Math.min(Math.max(begin, low), high - kept);
    return new Range(at, at + kept, this.first, this.last);
  }
}
