import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Player } from "../src/player";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A player of slides 1 to `last`, ten a second, with what it told. */
function playing(last: number): { player: Player; slide: () => number; told: boolean[] } {
  let slide = 1;
  const told: boolean[] = [];
  const player = new Player({
    begin: () => {
      if (slide >= last) slide = 1;
    },
    next: () => {
      if (slide >= last) return false;
      slide += 1;
      return true;
    },
    speed: () => 10,
    tell: (isPlaying) => told.push(isPlaying),
  });
  return { player, slide: () => slide, told };
}

describe("Player", () => {
  it("goes on by a slide at a time, and stops at the last", () => {
    const { player, slide, told } = playing(3);
    player.toggle();
    vi.advanceTimersByTime(100);
    expect(slide()).toBe(2);
    vi.advanceTimersByTime(1000);
    expect([slide(), told]).toEqual([3, [true, false]]);
  });
  it("stops where it is told to, and goes on from there", () => {
    const { player, slide, told } = playing(9);
    player.toggle();
    vi.advanceTimersByTime(300);
    player.toggle();
    vi.advanceTimersByTime(1000);
    expect([slide(), told]).toEqual([4, [true, false]]);
    player.toggle();
    vi.advanceTimersByTime(100);
    expect(slide()).toBe(5);
  });
  it("begins again after the last slide", () => {
    const { player, slide } = playing(3);
    player.toggle();
    vi.advanceTimersByTime(1000);
    player.toggle();
    expect(slide()).toBe(1);
  });
});
