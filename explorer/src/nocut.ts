/** Why a window has no cut: which state needs one that is not there. */

import type { Moment, Recording, State } from "./recording";

export interface Need {
  /** the state that knows of the missing one */
  state: State;
  /** the process of the missing state, and its index */
  process: number;
  index: number;
  /** the slide that delivers it, if the recording has it */
  slide: number | null;
}

/** The need that no cut can satisfy; null if there is a cut. As the least cut is found: raise what clocks demand. */
export function unmet(recording: Recording, moment: Moment): Need | null {
  if (!recording.hasClocks) return null;
  const cut = [...moment.oldest];
  for (let again = true; again; ) {
    again = false;
    for (const k of cut.keys()) {
      const state = recording.state(k, cut[k]);
      if (!state) return null;
      for (const [j, entry] of state.clock.entries()) {
        if (j === k) continue;
        while (recording.covers(j, cut[j], moment) < entry) {
          if (cut[j] >= moment.newest[j]) return needOf(recording, state, j, entry);
          cut[j] += 1;
          again = true;
        }
      }
    }
  }
  return null;
}

function needOf(recording: Recording, state: State, process: number, index: number): Need {
  const found = recording.latest(process, index);
  return { state, process, index, slide: found?.index === index && found.slide ? found.slide : null };
}

/** A need in words, line by line: why there is no cut, and what to do. */
export function explainNeed(recording: Recording, need: Need): string[] {
  const { processes } = recording.spec;
  const missing = `${processes[need.process]}#${need.index}`;
  const lines = [
    `${processes[need.state.process]}#${need.state.index} already knows of ${missing},`,
    need.slide === null ? `and ${missing} has not arrived.` : `and ${missing} arrives only at slide ${need.slide}.`,
  ];
  if (recording.spec.delivery === "causal") lines.push("A larger window keeps older states for it.");
  else lines.push('delivery = "causal" makes the checker wait for it.');
  return lines;
}
