/** The words of the page explained, with a picture, and its keys. */

import { element } from "./dom";

const WORDS = [
  ["process", "something that reports its states: a device, a service, a server"],
  ["state", "what a process reports; a bar that lasts until its next state"],
  ["message", "an arrow: from here on, the receiver knows what the sender had done"],
  [
    "global state",
    "one state of each process that could have existed at the same moment (a cut); drawn as a line through them, and as a node of the lattice",
  ],
  [
    "order",
    "one way in which everything may have happened: a path through the lattice from top to bottom (an observation)",
  ],
  ["possibly", "some order passes a global state that satisfies the condition"],
  ["definitely", "every order passes one"],
  ["violated", "something is true that must never be; what makes it up is red"],
  ["window", "the last states of each process; answers are about these"],
  ["slide", "one state arrived, and the windows moved on by it"],
  ["final", "no later event can overturn the answer for the states in this window"],
];

const KEYS = [
  ["← →", "previous, next slide (with Shift: ten)"],
  ["Home End", "first, last slide"],
  ["[ ]", "previous, next change of the chosen property"],
  ["{ }", "previous, next violation"],
  ["Space", "play, pause"],
  ["1 … 9", "choose a property"],
  ["+ - 0", "zoom the timeline in, out, show all of it"],
  ["/", "search"],
  ["Tab", "into the diagrams, where the arrow keys move between states or global states"],
  ["Enter", "keep a global state drawn; Escape lets it go"],
];

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 190" class="picture" role="img"
 aria-label="Two processes and a message on the left; on the right their global states, with one order through them">
<defs><marker id="help-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0.5 0.8 7.5 4 0.5 7.2z" class="arrow"/></marker></defs>
<rect class="window" x="66" y="32" width="230" height="44" rx="8"/><rect class="window" x="66" y="108" width="230" height="44" rx="8"/>
<text x="52" y="58" text-anchor="end" class="lane">phone</text><text x="52" y="134" text-anchor="end" class="lane">door</text>
<g class="bars"><rect x="72" y="46" width="86" height="17" rx="5"/><rect x="164" y="46" width="126" height="17" rx="5" class="on"/>
<rect x="72" y="122" width="126" height="17" rx="5" class="on"/><rect x="204" y="122" width="86" height="17" rx="5"/></g>
<text x="227" y="58" text-anchor="middle" class="in">here</text><text x="135" y="134" text-anchor="middle" class="in">open</text>
<path class="message" d="M164 56 L201 126" marker-end="url(#help-arrow)"/>
<path class="frontier" d="M181 20 V166"/><text x="181" y="182" text-anchor="middle" class="order">a global state</text>
<text x="226" y="98" class="remark">a message</text><text x="118" y="26" text-anchor="middle" class="remark">a state</text>
<g class="nodes"><path class="path" d="M376 30 V138"/>
<circle cx="376" cy="26" r="10"/><circle cx="376" cy="82" r="10" class="on"/><circle cx="376" cy="138" r="10"/></g>
<text x="396" y="30" class="remark">neither yet</text><text x="396" y="86" class="remark">phone here, door open</text><text x="396" y="142" class="remark">door closed</text>
<text x="436" y="176" text-anchor="middle" class="order">the only order: definitely true</text></svg>`;

/** The dialog; `showModal` opens it. */
export function helpDialog(): HTMLDialogElement {
  const help = element("dialog", { class: "help", "aria-label": "Words and keys" });
  const picture = new DOMParser().parseFromString(PICTURE, "image/svg+xml").documentElement;
  const done = element("button", { type: "button" }, "Close");
  done.addEventListener("click", () => help.close());
  help.append(
    element("div", { class: "head" }, element("h2", {}, "What the words mean"), done),
    document.importNode(picture, true),
    listOf(WORDS),
    element("h2", {}, "Keys"),
    listOf(KEYS),
  );
  return help;
}

function listOf(rows: string[][]): HTMLElement {
  const made = element("dl", {});
  for (const [word, text] of rows) made.append(element("dt", {}, word), element("dd", {}, text));
  return made;
}
