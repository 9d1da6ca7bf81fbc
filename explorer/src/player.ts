/** Plays the slides one after the other until there is no next one. */
export class Player {
  private timer = 0;

  /** `next` moves on by a slide, or returns false at the end; `speed` is in slides per second. */
  constructor(
    private on: {
      begin(): void;
      next(): boolean;
      speed(): number;
      tell(isPlaying: boolean): void;
    },
  ) {}

  toggle(): void {
    if (this.timer) {
      this.stop();
      return;
    }
    this.on.begin();
    this.on.tell(true);
    this.tick();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.on.tell(false);
  }

  private tick(): void {
    this.timer = window.setTimeout(() => {
      if (this.on.next()) this.tick();
      else this.stop();
    }, 1000 / this.on.speed());
  }
}
