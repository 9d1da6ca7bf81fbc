/** Times as events carry them, on a wall clock. Pure functions. */

const CLOCK = /(?:^|[T ])(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,3})?)?)/;
/** the earliest number that is taken for seconds since 1970; milliseconds and finer are a thousand times as large */
const SECONDS = 1e8;

/** A time on the wall clock, in UTC: `10:00:01`; a number that is no date, as it is; nothing where there is no time. */
export function timeText(time: unknown): string {
  if (typeof time === "number") return numberText(time);
  if (typeof time !== "string" || !time) return "";
  const clock = CLOCK.exec(time);
  if (clock) return clock[1];
  return time.trim() !== "" && Number.isFinite(Number(time)) ? numberText(Number(time)) : "";
}

function numberText(time: number): string {
  if (!Number.isFinite(time)) return "";
  let seconds = Math.abs(time);
  while (seconds >= SECONDS * 1000) seconds /= 1000;
  if (seconds < SECONDS) return String(Math.round(time * 1000) / 1000);
  const text = new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
  return text.endsWith(".000") ? text.slice(0, 8) : text;
}
