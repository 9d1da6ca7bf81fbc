/** Steps by swiping over a drawing. */

const LEAST = 48;

/** What a finger's way is: a step forth to the left, back to the right, or none. */
export function swipeOf(dx: number, dy: number): 1 | -1 | 0 {
  if (Math.abs(dx) < LEAST || Math.abs(dx) < 1.6 * Math.abs(dy)) return 0;
  return dx < 0 ? 1 : -1;
}

export function onSwipe(target: HTMLElement, step: (by: 1 | -1) => void): void {
  let from: { x: number; y: number } | null = null;
  target.addEventListener(
    "touchstart",
    ({ touches }) => {
      from = touches.length === 1 ? { x: touches[0].clientX, y: touches[0].clientY } : null;
    },
    { passive: true },
  );
  target.addEventListener("touchend", ({ changedTouches }) => {
    const by = from ? swipeOf(changedTouches[0].clientX - from.x, changedTouches[0].clientY - from.y) : 0;
    from = null;
    if (by) step(by);
  });
}
