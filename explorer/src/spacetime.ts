/** Where to draw states and messages of the space-time diagram. Pure functions. */

import type { Cut, Moment, Recording, State } from "./recording";

export interface Message {
  from: State;
  to: State;
}

/** The messages that a state's clock tells of: what its process learned with it, and not from another such message. */
export function messagesInto(recording: Recording, state: State): Message[] {
  if (state.number === 0) return [];
  const before = recording.state(state.process, state.number - 1);
  if (!before) return [];
  const fresh = state.clock.flatMap((entry, j) => (j !== state.process && entry > before.clock[j] ? [j] : []));
  return fresh.flatMap((j) => {
    const from = recording.standing(j, state.clock[j]);
    if (!from || from.number === 0) return [];
    const isImplied = fresh.some((k) => {
      const other = k === j ? undefined : recording.standing(k, state.clock[k]);
      return other !== undefined && other.clock[j] >= state.clock[j];
    });
    return isImplied ? [] : [{ from, to: state }];
  });
}

/** Gap between a state and one that depends on it, in slides. */
const GAP = 0.8;

/**
 * When each state happened, for drawing: at the latest when it was delivered, and before all that depends on it.
 *
 * So messages lead forwards even if their receipt was reported first, and a vertical line is always consistent. States
 * are placed as they come: only new ones, and old ones that they push to the left, are looked at.
 */
export class Positions {
  private at = new WeakMap<State, number>();
  /** per process, the number of the first state not placed yet */
  private next: number[];

  constructor(private recording: Recording) {
    this.next = recording.lanes.map(() => 0);
  }

  get(state: State): number | undefined {
    return this.at.get(state);
  }

  /** Places the states that came since. */
  follow(): this {
    const { recording } = this;
    const fresh: State[] = [];
    recording.lanes.forEach((lane, k) => {
      for (let at = Math.max(0, this.next[k] - recording.from[k]); at < lane.length; at++) fresh.push(lane[at]);
      this.next[k] = recording.from[k] + lane.length;
    });
    const sums = new Map(fresh.map((state) => [state, state.clock.reduce((a, b) => a + b, 0)]));
    fresh.sort((a, b) => sums.get(b)! - sums.get(a)!); // what depends on a state has the larger sum
    for (const state of fresh) {
      let place = state.slide || recording.first - 1;
      for (const effect of this.effects(state)) place = Math.min(place, this.at.get(effect)! - GAP);
      this.at.set(state, place);
      this.pushCauses(state);
    }
    return this;
  }

  /** The placed states that depend on one most directly: the next of its process, and the first of each other to know it. */
  private effects({ process, number, index }: State): State[] {
    const known = this.recording.lanes.map((lane, k) => {
      if (k === process) return this.recording.state(k, number + 1);
      let low = 0;
      let high = lane.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (lane[middle].clock[process] >= Math.max(index, 1)) high = middle;
        else low = middle + 1;
      }
      return lane[low];
    });
    return known.filter((state): state is State => state !== undefined && this.at.has(state));
  }

  private pushCauses(moved: State): void {
    const { recording } = this;
    const waiting = [moved];
    for (let state = waiting.pop(); state; state = waiting.pop()) {
      const { process, number, clock } = state;
      const limit = this.at.get(state)! - GAP;
      const before = recording.state(process, number - 1);
      const causes = clock.map((entry, j) => {
        if (j === process) return before;
        return entry > (before?.clock[j] ?? 0) ? recording.latest(j, entry) : undefined;
      });
      for (const cause of causes) {
        if (!cause || !((this.at.get(cause) ?? -Infinity) > limit)) continue; // others are placed later
        this.at.set(cause, limit);
        waiting.push(cause);
      }
    }
  }
}

export interface Visible {
  /** the processes that are drawn, from top to bottom */
  order: readonly number[];
  /** per process, the number of the first state shown and of the last; of a process that is not drawn, its window */
  spans: [first: number, last: number][];
  /** when states happened, for drawing */
  at: Positions;
  /** the column in which a state begins; the initial states share column 0 */
  column: Map<State, number>;
  columns: number;
  /** how many states of the windows are left out because they are too many */
  hidden: number;
}

/**
 * The states to draw: those in the windows, as many before as fit, and a few that come next. They stand in columns of
 * equal width in the order of their positions, because only their order is known.
 */
export function visible(
  recording: Recording,
  moment: Moment,
  at: Positions,
  { easy: room, most }: { easy: number; most: number },
  order: readonly number[] = [...recording.lanes.keys()],
): Visible {
  const now = moment.slide;
  const spans = recording.lanes.map((lane, k): [number, number] => {
    let last = moment.newest[k];
    while (lane[last + 1 - recording.from[k]] && at.get(lane[last + 1 - recording.from[k]])! <= now + 3) last++;
    return [moment.oldest[k], Math.min(last, moment.newest[k] + 3)];
  });
  let shown = order.reduce((sum, k) => sum + spans[k][1] - spans[k][0] + 1, 0);
  let hidden = 0;
  const step = (direction: 1 | -1): boolean => {
    // The state to add before the spans (-1) is the latest such, the one to leave out (1) the earliest.
    let best = -1;
    let where = 0;
    for (const k of order) {
      const [first, last] = spans[k];
      const state = recording.state(k, direction < 0 ? first - 1 : first);
      if (!state || (direction > 0 && first >= last)) continue;
      const x = at.get(state)!;
      if (best < 0 || (direction < 0 ? x > where : x < where)) [best, where] = [k, x];
    }
    if (best < 0) return false;
    spans[best][0] += direction;
    return true;
  };
  while (shown < room && step(-1)) shown++;
  while (shown > most && step(1)) {
    shown--;
    hidden++;
  }
  const states = order.flatMap((k) => {
    const [first, last] = spans[k];
    return Array.from({ length: last - first + 1 }, (_, i) => recording.state(k, first + i)!);
  });
  states.sort((a, b) => at.get(a)! - at.get(b)! || a.process - b.process || a.number - b.number);
  const column = new Map<State, number>();
  let next = states.some((state) => state.number === 0) ? 1 : 0;
  for (const state of states) column.set(state, state.number === 0 ? 0 : next++);
  return { order, spans, at, column, columns: Math.max(next, 1), hidden };
}

/** Where each state's segment begins and ends, in columns; the last one of a lane goes on to the end. */
export function segment(recording: Recording, view: Visible, state: State): [begin: number, end: number] {
  const after = recording.state(state.process, state.number + 1);
  const end = after === undefined ? undefined : view.column.get(after);
  return [view.column.get(state)!, end ?? view.columns];
}

/**
 * Where a cut's frontier crosses each lane, in columns: as straight as its states allow; null if one is not known. A
 * process that is not drawn has no place there (NaN).
 */
export function frontier(recording: Recording, view: Visible, cut: Cut): number[] | null {
  const spans = view.order.map((k): [number, number] | null => {
    const first = recording.state(k, view.spans[k][0]);
    if (first && cut[k] < first.number) return [-0.7, view.column.get(first)!]; // left of what is shown
    const state = recording.state(k, cut[k]);
    return state && view.column.has(state) ? segment(recording, view, state) : null;
  });
  if (spans.some((span) => span === null)) return null;
  const known = spans as [number, number][];
  const aim = Math.max(...known.map(([begin]) => begin)) + 0.5;
  const crossing = cut.map(() => Number.NaN);
  for (const [at, [begin, end]] of known.entries()) {
    crossing[view.order[at]] = Math.min(Math.max(aim, begin + 0.28), end - 0.28);
  }
  return crossing;
}

/**
 * The state of each process at a vertical line; where nothing is shown so far left, the one before the first shown. A
 * process that is not drawn is in the state that it was in when the latest of the others began.
 */
export function cutAt(recording: Recording, view: Visible, column: number): Cut {
  const cut = view.spans.map(([first]) => first - 1);
  let latest = -Infinity;
  for (const k of view.order) {
    const [first, last] = view.spans[k];
    for (let number = last; number >= first; number--) {
      const state = recording.state(k, number)!;
      if (view.column.get(state)! > column) continue;
      cut[k] = number;
      latest = Math.max(latest, view.at.get(state)!);
      break;
    }
  }
  for (const [k, [first, last]] of view.spans.entries()) {
    if (view.order.includes(k)) continue;
    cut[k] = last;
    while (cut[k] > first && view.at.get(recording.state(k, cut[k])!)! > latest) cut[k] -= 1;
  }
  return cut;
}
