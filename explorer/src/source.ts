/** Where slides come from: chunks embedded in the page, or a server that streams them. */

import { unpack, type Chunk, type Header } from "./format";

export interface Source {
  /** Group names that contain a text. */
  groups(search: string): Promise<string[]>;
  /** Gives a group's chunks, now and as they come; the function it returns ends that. */
  open(group: string, take: (chunk: Chunk) => void, restart: () => void, tell: (isConnected: boolean) => void): () => void;
}

export function embedded(header: Header): Source {
  const texts = [...document.querySelectorAll("script.chunk")].map((node) => node.textContent ?? "");
  return {
    groups: async (search) => header.groups.filter((name) => name.toLowerCase().includes(search.toLowerCase())),
    open: (group, take) => {
      const at = Math.max(0, header.groups.indexOf(group));
      let isOpen = true;
      void unpack(texts[at] ?? "").then((chunk) => {
        if (chunk && isOpen) take(chunk);
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
    open: (group, take, restart, tell) => {
      const stream = new EventSource(`slides?group=${encodeURIComponent(group)}`);
      // A new connection begins with all slides that the server still has.
      stream.addEventListener("open", () => {
        restart();
        tell(true);
      });
      stream.addEventListener("error", () => tell(false));
      stream.addEventListener("restart", () => restart());
      stream.addEventListener("slides", (event) => take(JSON.parse((event as MessageEvent<string>).data) as Chunk));
      return () => stream.close();
    },
  };
}
