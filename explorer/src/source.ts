/** Where slides come from: chunks embedded in the page, or a server that streams them. */

import { type Chunk, type Header, type SystemView, unpack } from "./format";
import { parseShown } from "./shown";

export interface Source {
  /** Group names that contain a text. */
  groups(search: string): Promise<string[]>;
  /** All groups, those first that are worst and whose name contains a text; only where the header says so. */
  system(search: string): Promise<SystemView>;
  /** Gives a group's chunks, now and as they come; the function it returns ends that. */
  open(group: string, on: Listener): () => void;
}

export interface Listener {
  take(chunk: Chunk): void;
  /** What was taken is to be forgotten. */
  restart(): void;
  tell(isConnected: boolean): void;
  /** What the reader should know of what is not shown. */
  note(notes: string[]): void;
}

/** The group to open for what was typed: the one of that very name, else the first that was found. */
export function choose(found: string[], typed: string): string | undefined {
  return found.includes(typed) ? typed : found[0];
}

/** Whether a link's group can be opened: on a live page any, since it may still appear. */
export function isKnown(header: Pick<Header, "groups" | "live">, group: string): boolean {
  return header.live || header.groups.includes(group);
}

export function embedded(header: Header): Source {
  const texts = [...document.querySelectorAll("script.chunk")].map((node) => node.textContent ?? "");
  return {
    groups: async (search) => header.groups.filter((name) => name.toLowerCase().includes(search.toLowerCase())),
    system: () => Promise.reject(new Error("only a server knows all groups")),
    open: (group, on) => {
      let isOpen = true;
      void unpack(texts[header.groups.indexOf(group)] ?? "").then((chunk) => {
        if (chunk && isOpen) on.take(chunk);
      });
      return () => {
        isOpen = false;
      };
    },
  };
}

export function served(): Source {
  return {
    groups: async (search) => (await (await fetch(`groups?search=${encodeURIComponent(search)}`)).json()) as string[],
    system: async (search) =>
      parseShown<SystemView>(await (await fetch(`system?search=${encodeURIComponent(search)}`)).text()),
    open: (group, on) => {
      const stream = new EventSource(`slides?group=${encodeURIComponent(group)}`);
      // A new connection begins with all slides that the server still has.
      stream.addEventListener("open", () => {
        on.restart();
        on.tell(true);
      });
      stream.addEventListener("error", () => on.tell(false));
      stream.addEventListener("restart", () => on.restart());
      stream.addEventListener("slides", (event) => on.take(parseShown<Chunk>((event as MessageEvent<string>).data)));
      stream.addEventListener("notes", (event) =>
        on.note(parseShown<string[]>((event as MessageEvent<string>).data)),
      );
      return () => stream.close();
    },
  };
}
