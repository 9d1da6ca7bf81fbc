import "./colours.css";
import "./page.css";
import "./properties.css";
import "./spacetime.css";
import "./legend.css";
import "./menu.css";
import "./lattice.css";
import "./timeline.css";
import "./system.css";
import "./overlays.css";
import "./narrow.css";
import { App } from "./app";
import type { Header } from "./format";
import { parseShown } from "./shown";
import { embedded, served } from "./source";

const header = parseShown<Header>(document.getElementById("header")!.textContent!);
new App(document.getElementById("app")!, header, header.live ? served() : embedded(header));
