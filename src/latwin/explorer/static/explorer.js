/* The page of latwin's explorer, built from explorer/; sources 0fa0cf8ee7242851 */
//#region src/dom.ts
function e(e, t = {}, ...n) {
	let r = document.createElement(e);
	for (let [e, n] of Object.entries(t)) n !== void 0 && n !== !1 && r.setAttribute(e, n === !0 ? "" : String(n));
	return r.append(...n), r;
}
var t = {
	first: "M4 3v10M13 3 6.5 8 13 13",
	last: "M12 3v10M3 3l6.5 5L3 13",
	back: "M10.5 3 5 8l5.5 5",
	forth: "M5.5 3 11 8l-5.5 5",
	changeBack: "M7.5 3 2.5 8l5 5M13 3 8 8l5 5",
	changeForth: "M8.5 3l5 5-5 5M3 3l5 5-5 5",
	play: "M5 3v10l8-5z",
	pause: "M5.5 3.5v9M10.5 3.5v9",
	less: "M3.5 8h9",
	more: "M3.5 8h9M8 3.5v9",
	all: "M5 4 1.5 8 5 12M11 4l3.5 4-3.500 4M2 8h12",
	theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
	help: "M5.8 6a2.2 2.2 0 1 1 3.3 1.9c-.7.4-1.1.8-1.1 1.600M8 12.3h.01"
}, n = "http://www.w3.org/2000/svg";
function r(e) {
	let r = document.createElementNS(n, "svg");
	r.setAttribute("viewBox", "0 0 16 16"), r.setAttribute("aria-hidden", "true"), r.setAttribute("class", `icon-${e}`);
	let i = document.createElementNS(n, "path");
	return i.setAttribute("d", t[e]), r.append(i), r;
}
function i(t, n, i, a) {
	let o = e("button", {
		type: "button",
		"aria-label": t,
		title: `${t} (${a})`,
		class: "icon"
	});
	return o.append(r(n)), o.addEventListener("click", i), o;
}
function a(e) {
	return typeof e == "string" ? e : JSON.stringify(e);
}
function o(e, t, n = `${t}s`) {
	return `${e.toLocaleString("en")} ${e === 1 ? t : n}`;
}
function s(e, t) {
	new ResizeObserver(([e]) => t(e.contentRect.width, e.contentRect.height)).observe(e);
}
//#endregion
//#region src/forcing.ts
var c = (e, t) => e !== void 0 && e.colours[t] !== "0";
function l(e, t, n, r) {
	let { least: i, greatest: a } = t;
	if (!i || !a || !r.conjunctive) return null;
	let o = [...r.reads.keys()].filter((e) => r.reads[e].length > 0), s = (t, r) => {
		let i = r;
		for (; i <= a[t] && !c(e.state(t, i), n);) i++;
		if (i > a[t]) return null;
		let o = i;
		for (; o < a[t] && c(e.state(t, o + 1), n);) o++;
		return {
			process: t,
			first: i,
			last: o
		};
	}, l = [];
	for (let e of o) {
		let t = s(e, i[e]);
		if (!t) return null;
		l.push(t);
	}
	for (let n = !0; n;) {
		n = !1;
		for (let [r, i] of l.entries()) {
			if (l.every((n) => n === i || u(e, t, n, i))) continue;
			let a = s(i.process, i.last + 2);
			if (!a) return null;
			l[r] = a, n = !0;
		}
	}
	return l;
}
function u(e, { least: t, greatest: n }, r, i) {
	if (r.first === t[r.process] || i.last === n[i.process]) return !0;
	let a = e.state(r.process, r.first);
	return e.state(i.process, i.last + 1).clock[r.process] >= a.index;
}
function d(e, t, n, r) {
	let i = n.flatMap((r) => n.flatMap((n) => {
		let i = r !== n && r.first > t.least[r.process] && n.last < t.greatest[n.process], a = e.state(r.process, r.first), o = e.state(n.process, n.last + 1);
		return i && a && o ? [{
			begin: a,
			end: o
		}] : [];
	})), a = (e, t) => e.clock[t.process] >= t.index;
	return r.filter(({ from: e, to: t }) => i.some(({ begin: n, end: r }) => a(e, n) && a(r, t)));
}
function f(e, t) {
	let n = e.cuts.map(() => []);
	for (let [t, r] of e.steps) n[t].push(r);
	let r = [], i = new Set(e.cuts.length ? [0] : []), a = [...i];
	for (let o = a.pop(); o !== void 0; o = a.pop()) if (t[o]) r.push(e.cuts[o]);
	else for (let e of n[o]) i.has(e) || (i.add(e), a.push(e));
	return r;
}
//#endregion
//#region src/shown.ts
var p = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u, m = new RegExp(p, "gu"), h = RegExp(`\\\\u|${p.source}`, "u");
function g(e) {
	return e.replace(m, (e) => e === "\n" || e === "	" ? e : y(e));
}
function _(e) {
	return JSON.parse(e, h.test(e) ? v : void 0);
}
function v(e, t) {
	return typeof t == "string" ? g(t) : typeof t != "object" || !t || Array.isArray(t) ? t : Object.fromEntries(Object.entries(t).map(([e, t]) => [g(e), t]));
}
function y(e) {
	let t = e.codePointAt(0).toString(16);
	return t.length <= 4 ? `\\u${t.padStart(4, "0")}` : `\\u{${t}}`;
}
//#endregion
//#region src/format.ts
var b = [
	"delivered",
	"waiting",
	"duplicates",
	"rejected",
	"late",
	"skipped",
	"too_large",
	"empty",
	"ticks"
];
async function ee(e) {
	let t = e.trim();
	if (!t) return null;
	let n = Uint8Array.from(atob(t), (e) => e.charCodeAt(0)), r = new Blob([n]).stream().pipeThrough(new DecompressionStream("deflate"));
	return _(await new Response(r).text());
}
function x(e) {
	let t = 0;
	return e.map((e) => t += e);
}
function S(e) {
	let t = atob(e);
	return (e) => (t.charCodeAt(e >> 3) >> (e & 7) & 1) == 1;
}
//#endregion
//#region src/lattice.ts
var C = (e) => e.join(",");
function te(e, t) {
	let { least: n, greatest: r } = t;
	if (!n || !r || !e.hasClocks) return {
		cuts: [],
		level: [],
		steps: [],
		position: /* @__PURE__ */ new Map()
	};
	let i = /* @__PURE__ */ new Map([[C(n), {
		cut: n,
		level: 0
	}]]), a = [], o = [n];
	for (let n = 1; o.length > 0; n++) {
		let s = [];
		for (let c of o) {
			let o = c.map((n, r) => e.covers(r, n, t));
			for (let t = 0; t < c.length; t++) {
				if (c[t] >= r[t] || e.state(t, c[t] + 1).clock.some((e, n) => n !== t && e > o[n])) continue;
				let l = c.slice();
				l[t] += 1;
				let u = C(l);
				a.push([
					C(c),
					u,
					t
				]), i.has(u) || (i.set(u, {
					cut: l,
					level: n
				}), s.push(l));
			}
		}
		o = s;
	}
	let s = [...i.values()].sort((e, t) => ne(e.cut, t.cut)), c = new Map(s.map(({ cut: e }, t) => [C(e), t]));
	return {
		cuts: s.map(({ cut: e }) => e),
		level: s.map(({ level: e }) => e),
		steps: a.map(([e, t, n]) => [
			c.get(e),
			c.get(t),
			n
		]),
		position: c
	};
}
function ne(e, t) {
	let n = e.findIndex((e, n) => e !== t[n]);
	return n < 0 ? 0 : e[n] - t[n];
}
function re(e, t) {
	if (t === null) return e.cuts.map(() => !1);
	let n = S(t);
	return e.cuts.map((e, t) => n(t));
}
function ie(e, t) {
	let n = [e];
	for (let e of t) n.push(n[n.length - 1].map((t, n) => t + Number(n === e)));
	return n;
}
function ae(e) {
	let t = [];
	for (let [n, r] of e.level.entries()) t[r] ??= [], t[r].push(n);
	for (let e of t) e.reverse();
	let n = e.cuts.map(() => []), r = e.cuts.map(() => []);
	for (let [t, i] of e.steps) n[i].push(t), r[t].push(i);
	let i = [], a = (e) => {
		for (let [t, n] of e.entries()) i[n] = t - (e.length - 1) / 2;
	};
	t.forEach(a);
	let o = (e, t) => {
		let n = /* @__PURE__ */ new Map();
		for (let r of e) {
			let e = t[r].map((e) => i[e]);
			n.set(r, oe(e, i[r]));
		}
		e.sort((e, t) => n.get(e) - n.get(t) || i[e] - i[t]), a(e);
	};
	for (let e = 0; e < 3; e++) {
		for (let e of t) o(e, n);
		for (let e of t.toReversed()) o(e, r);
	}
	return t;
}
function oe(e, t) {
	return e.length ? e.reduce((e, t) => e + t, 0) / e.length : t;
}
function se(e, t, n, r = 64) {
	let i = Math.max(1, ...e.map((e) => e.length)), a = Math.min(r, t / i), o = Math.min(r, n / Math.max(1, e.length)), s = (n - o * (e.length - 1)) / 2, c = [];
	for (let [n, r] of e.entries()) for (let [e, i] of r.entries()) c[i] = [t / 2 + (e - (r.length - 1) / 2) * a, s + n * o];
	return c;
}
//#endregion
//#region src/values.ts
function w(e, t) {
	let n = e;
	for (let e of t) {
		if (typeof n != "object" || !n || !Object.hasOwn(n, e)) return;
		n = n[e];
	}
	return n;
}
var ce = (e) => e == null;
function T(e, t) {
	let n = [...e];
	if (n.length <= t) return e;
	if (t < 3) return "…";
	let r = Math.floor((t - 1) / 2);
	return `${n.slice(0, t - 1 - r).join("")}…${n.slice(n.length - r).join("")}`;
}
function le(e, t) {
	let [n, ...r] = e, i = new Set(e).size, a = (e) => new Set(e).size === i, o = (e) => {
		let t = 0;
		for (; r.every((r) => e(r, t) !== void 0 && e(r, t) === e(n, t));) t++;
		return t;
	}, s = e.map((e) => T(e, t));
	if (i < 2 || a(s)) return s;
	let c = o((e, t) => e[t]), l = e.map((e) => T(c > 1 ? `…${e.slice(c)}` : e, t));
	if (a(l)) return l;
	let u = e.map((e) => e.slice(c)), d = o((e, t) => e.slice(c)[e.length - c - 1 - t]);
	return u.map((e) => T(`…${e.slice(0, e.length - d)}…`, t));
}
function ue(e, t, n) {
	let r = de(e, t);
	for (let e = r.length; e > 0; e--) {
		let t = r.slice(0, e).join(", ");
		if (t.length <= n) return t;
	}
	return r.length && n >= 5 ? `${r[0].slice(0, n - 1)}…` : "";
}
function de(e, t) {
	return (t?.reads[e.process] ?? []).flatMap((t) => {
		let n = w(e.variables, t), r = t[t.length - 1];
		return ce(n) ? [] : n === !0 ? [r] : n === !1 ? [`not ${r}`] : [typeof n == "string" ? T(n, 24) : `${r} ${T(a(n), 24)}`];
	});
}
function fe(e, t, n) {
	return (t.reads[e.process] ?? []).map((t) => me(n, t, w(e.variables, t), "was")).join(" and ");
}
function pe(e, t, n, r) {
	return (n.reads[e.process] ?? []).filter((n) => {
		let [r, i] = [t, e].map((e) => w(e?.variables, n));
		return JSON.stringify(r ?? null) !== JSON.stringify(i ?? null);
	}).map((t) => me(r, t, w(e.variables, t), "became")).join(" and ");
}
function me(e, t, n, r) {
	return `${[T(e, 24), ...t].join(".")} ${r} ${ce(n) ? "not known" : T(a(n), 32)}`;
}
function he(e, t = 4) {
	let n = e.slice(0, t);
	e.length > t && n.push(`${e.length - t} more`);
	let [r, ...i] = n;
	return i.length ? `${r} while ${i.join(" and ")}` : r ?? "";
}
//#endregion
//#region src/witness.ts
function ge(e, t, n) {
	let { processes: r } = e.recording.spec;
	return he(_e(e, t, n).map((n) => {
		let i = r[n.process];
		return e.recording.isThere(n) ? fe(n, t, i) : `${i} was not there`;
	}));
}
function _e({ recording: e, part: t, witness: n }, r, i) {
	let a = i.flatMap((t, n) => {
		let i = r.reads[n].length ? e.state(n, t) : void 0;
		return i && e.isThere(i) ? [i] : [];
	}), { speak: o } = n, s = a.filter(({ process: e }) => o?.includes(e));
	if (o && (s.length || !e.spec.open)) return s;
	let c = a.filter((e) => e.colours[t] === "2");
	if (c.length) return c;
	let l = a.filter(({ colours: e, process: n }) => e[t] === "1" || !r.own[n]);
	return l.length ? l : a;
}
function ve({ recording: e, moment: t, part: n }, r) {
	let { least: i, greatest: a } = t, o = r.reads.findIndex((t, r) => {
		if (!t.length || !i || !a) return !1;
		for (let t = i[r]; t <= a[r]; t++) if (c(e.state(r, t), n)) return !1;
		return !0;
	});
	return o < 0 ? null : o;
}
function ye({ recording: e, part: t }, n, r) {
	let { processes: i } = e.spec;
	if (!n.conjunctive) return "no global state satisfies the condition";
	let a = [...n.reads.keys()].filter((e) => n.reads[e].length), o = (t, n) => e.state(t, r[n][t]), s = a.find((e) => r.every((n, r) => !c(o(e, r), t)));
	if (s !== void 0) return `${i[s]} never satisfies its part`;
	let l;
	for (let e = 1; e < r.length; e++) {
		let i = r[e].findIndex((t, n) => t !== r[e - 1][n]), [a, s] = [o(i, e - 1), o(i, e)];
		if (s && n.reads[i].length && c(a, t) !== c(s, t)) {
			if (!c(s, t)) l = s;
			else if (l && l.process !== i) return `${u(l)} before ${u(s)}`;
		}
	}
	return "the parts of the condition never hold all at once";
	function u(t) {
		let r = i[t.process], a = e.state(t.process, t.number - 1);
		return e.isLeaving(t) ? `${r} left` : pe(t, a, n, r) || `${r}#${t.index} came`;
	}
}
//#endregion
//#region src/scene.ts
var E = {
	cut: null,
	state: null
};
function be(e, t, n, r, i) {
	let a = e.moment(t), o = e.hasClocks && a.cuts !== null && a.cuts <= i ? te(e, a) : null, s = e.witness(r, t), c = s.cut ? [s.cut] : [];
	s.path && a.least && (c = ie(a.least, s.path));
	let u = e.outlines[r], d = o ? re(o, e.labels(r, t)) : [], p = u?.kind === "definitely" && e.partValue(r, t) === "1", m = {
		recording: e,
		moment: a,
		property: n,
		part: r,
		outline: u,
		lattice: o,
		rows: o ? ae(o) : [],
		flags: d,
		meaning: u?.meaning ?? "",
		witness: s,
		witnessCuts: c,
		runs: p && e.hasClocks ? l(e, a, r, u) : null,
		forced: p && o ? f(o, d) : [],
		deciding: [],
		isViolated: Ce(e, n, t),
		culprits: null
	};
	return u && e.hasClocks && (m.deciding = Se(m, u), m.isViolated && (m.culprits = we(m, u))), m;
}
function xe({ recording: e, part: t, outline: n, moment: r, witness: i }) {
	if (n?.kind === "possibly") return i.cut;
	let a = e.because(t, r.slide);
	return a === "l" ? r.least : a === "g" ? r.greatest : null;
}
function Se(e, t) {
	let n = e.recording.partValue(e.part, e.moment.slide) === "1" ? xe(e) : null;
	return n ? _e(e, t, n).map(({ process: e }) => e) : e.runs ? e.runs.map(({ process: e }) => e) : [...t.reads.keys()].filter((e) => t.reads[e].length > 0);
}
function Ce(e, t, n) {
	return (e.spec.properties[t]?.never ?? !1) && e.value(t, n) === "1";
}
function we(e, t) {
	let { recording: n, part: r, moment: i, runs: a } = e;
	if (n.partValue(r, i.slide) !== "1") return /* @__PURE__ */ new Set();
	let o = xe(e);
	if (o) return new Set(_e(e, t, o));
	if (!a) return null;
	let s = a.flatMap(({ process: e, first: t, last: r }) => Array.from({ length: r - t + 1 }, (r, i) => n.state(e, t + i)));
	return new Set(s);
}
var Te = {
	1: "true",
	0: "false",
	"?": "too large to tell"
}, Ee = (e) => Te[e] ?? e, De = {
	l: "it holds at the beginning of the window, where every order starts",
	g: "it holds at the end of the window, which every order reaches",
	i: "every order passes a global state that satisfies it"
};
function Oe({ recording: e, part: t, moment: n, forced: r }) {
	let i = e.because(t, n.slide);
	return i === "i" && r.length ? "every order passes one of the global states ringed in orange" : De[i] ?? "";
}
function D(e, t, n) {
	let r = e.final(t, n);
	return r === "1" ? "final" : r === "0" ? "may still change" : "";
}
var ke = (e, t, n) => [Ee(e.value(t, n)), D(e, t, n)].filter(Boolean).join(", ");
function Ae(e) {
	let { recording: t, moment: n } = e, { processes: r, properties: i } = t.spec, a = [`Slide ${n.slide} of ${t.last}.`], o = t.delivered(n.slide);
	return o ? a.push(`State ${o.index} of ${r[o.process]} delivered.`) : n.process < 0 && a.push("Time went on."), a.push(...i.map((e, r) => `${e.name}: ${ke(t, r, n.slide)}.`)), a.push(`${je(e)}.`), a.join(" ");
}
function je({ recording: e, moment: t, lattice: n, flags: r }) {
	if (!t.least || !t.greatest) return e.hasClocks || t.toldAt > 0 || t.cuts === 0 ? "no cut" : t.cuts === null ? "" : o(t.cuts, "cut");
	let i = !e.spec.open && e.spec.processes.length <= 8 ? [`${e.show(t.least)} to ${e.show(t.greatest)}`] : [];
	return n && e.spec.properties.length && i.unshift(`${r.filter(Boolean).length} filled`), t.cuts === null ? e.hasClocks && i.unshift("too many cuts to count") : i.unshift(o(t.cuts, "cut")), i.join(", ");
}
//#endregion
//#region src/alarm.ts
var Me = (e, t) => {
	let n = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>${`<path d='M8 2 13 8 8 14 3 8z' ${t ? `fill='${e}'` : `fill='none' stroke='${e}' stroke-width='2'`}/>`}</svg>`;
	return `data:image/svg+xml,${encodeURIComponent(n)}`;
}, Ne = Me("#0072B2", !1), Pe = Me("#C62828", !0);
function Fe(e, t) {
	let { properties: n } = e.spec;
	return n.filter((n, r) => Ce(e, r, t)).map(({ name: e }) => e);
}
function Ie(e, t) {
	let n = `${e.title} · latwin`;
	return t.length ? `Violated: ${t.join(", ")} · ${n}` : n;
}
function O(e, t) {
	document.title = Ie(e, t);
	let n = document.querySelector("link[rel=icon]"), r = t.length ? Pe : Ne;
	n && n.getAttribute("href") !== r && n.setAttribute("href", r);
}
//#endregion
//#region src/changes.ts
function Le({ values: e, first: t }, n, r, i) {
	let a = e[n] ?? "";
	for (let e = r - t + i; e >= 0 && e < a.length; e += i) if (a[e] !== (e === 0 ? "0" : a[e - 1])) return e + t;
	return null;
}
function Re({ spec: e, values: t, first: n }) {
	let r = null;
	for (let [i, { never: a }] of e.properties.entries()) {
		let e = a ? t[i].indexOf("1") : -1;
		e >= 0 && (!r || e + n < r.slide) && (r = {
			property: i,
			slide: e + n
		});
	}
	return r;
}
function ze({ spec: e, values: t, first: n, length: r }, i, a) {
	for (let o = i - n + a; o >= 0 && o < r; o += a) {
		let r = e.properties.findIndex(({ never: e }, n) => e && t[n][o] === "1" && t[n][o - 1] !== "1");
		if (r >= 0) return {
			property: r,
			slide: o + n
		};
	}
	return null;
}
//#endregion
//#region src/source.ts
function Be(e, t) {
	return e.includes(t) ? t : e[0];
}
function k(e, t) {
	return e.live || e.groups.includes(t);
}
function Ve(e) {
	let t = [...document.querySelectorAll("script.chunk")].map((e) => e.textContent ?? "");
	return {
		groups: async (t) => e.groups.filter((e) => e.toLowerCase().includes(t.toLowerCase())),
		system: () => Promise.reject(/* @__PURE__ */ Error("only a server knows all groups")),
		open: (n, r) => {
			let i = !0;
			return ee(t[e.groups.indexOf(n)] ?? "").then((e) => {
				e && i && r.take(e);
			}), () => {
				i = !1;
			};
		}
	};
}
function He() {
	return {
		groups: async (e) => await (await fetch(`groups?search=${encodeURIComponent(e)}`)).json(),
		system: async (e) => _(await (await fetch(`system?search=${encodeURIComponent(e)}`)).text()),
		open: (e, t) => {
			let n = new EventSource(`slides?group=${encodeURIComponent(e)}`);
			return n.addEventListener("open", () => {
				t.restart(), t.tell(!0);
			}), n.addEventListener("error", () => t.tell(!1)), n.addEventListener("restart", () => t.restart()), n.addEventListener("slides", (e) => t.take(_(e.data))), n.addEventListener("notes", (e) => t.note(_(e.data))), () => n.close();
		}
	};
}
//#endregion
//#region src/group-picker.ts
var Ue = 50, We = class {
	source;
	pick;
	root;
	field = e("input", {
		type: "search",
		list: "groups",
		"aria-label": "Group",
		placeholder: "find a group",
		autocomplete: "off"
	});
	options = e("datalist", { id: "groups" });
	group = "";
	constructor(t, n) {
		this.source = t, this.pick = n, this.root = e("label", {
			class: "group",
			hidden: !0
		}, "group ", this.field, this.options), this.field.addEventListener("input", () => void this.suggest()), this.field.addEventListener("focus", () => void this.suggest()), this.field.addEventListener("change", () => void this.take());
	}
	show(e) {
		this.group = e, this.field.value = e, this.source.groups("").then((e) => {
			this.root.hidden = e.length < 2 && !e.some((e) => e !== "");
		}).catch(() => {});
	}
	async suggest() {
		let t = (await this.source.groups(this.field.value === this.group ? "" : this.field.value)).slice(0, Ue).map((t) => e("option", { value: t }));
		this.options.replaceChildren(...t);
	}
	async take() {
		let e = this.field.value;
		this.pick(Be(await this.source.groups(e), e));
	}
}, Ge = {
	ArrowLeft: (e, t) => e.step(t ? -10 : -1),
	ArrowRight: (e, t) => e.step(t ? 10 : 1),
	PageUp: (e) => e.step(-10),
	PageDown: (e) => e.step(10),
	Home: (e) => e.ends(-1),
	End: (e) => e.ends(1),
	"[": (e) => e.change(-1),
	"]": (e) => e.change(1),
	"{": (e) => e.violation(-1),
	"}": (e) => e.violation(1),
	" ": (e) => e.play(),
	"+": (e) => e.zoom(2),
	"-": (e) => e.zoom(1 / 2),
	0: (e) => e.zoom(0),
	"/": (e) => e.search(),
	"?": (e) => e.help(),
	t: (e) => e.theme(),
	Escape: (e) => e.release()
};
function Ke(e) {
	addEventListener("keydown", (t) => {
		let n = t.target;
		if (n.closest("input, select, dialog") || t.ctrlKey || t.metaKey || t.altKey || t.key === " " && n.closest("button, summary")) return;
		let r = /^[1-9]$/.test(t.key), i = Ge[t.key];
		(r || i) && (t.preventDefault(), r ? e.choose(Number(t.key) - 1) : i(e, t.shiftKey));
	});
}
//#endregion
//#region src/link.ts
function qe(e) {
	let t = new URLSearchParams(e.replace(/^#/, "")), n = (e) => {
		let n = Number.parseInt(t.get(e) ?? "", 10);
		return Number.isFinite(n) ? n : void 0;
	};
	return {
		slide: n("slide"),
		property: t.get("property") ?? void 0,
		part: n("part"),
		group: t.get("group") ?? void 0
	};
}
function Je(e) {
	let t = new URLSearchParams();
	for (let [n, r] of Object.entries(e)) r !== void 0 && r !== "" && t.set(n, String(r));
	return `#${t.toString()}`;
}
//#endregion
//#region src/help.ts
var Ye = [
	["process", "something that reports its states: a device, a service, a server"],
	["state", "what a process reports; a bar that lasts until its next state"],
	["message", "an arrow: from here on, the receiver knows what the sender had done"],
	["global state", "one state of each process that could have existed at the same moment (a cut); drawn as a line through them, and as a node of the lattice"],
	["order", "one way in which everything may have happened: a path through the lattice from top to bottom (an observation)"],
	["possibly", "some order passes a global state that satisfies the condition"],
	["definitely", "every order passes one"],
	["violated", "something is true that must never be; what makes it up is red"],
	["window", "the last states of each process; answers are about these"],
	["slide", "one state arrived, and the windows moved on by it"],
	["final", "no later event can overturn the answer for the states in this window"]
], Xe = [
	["← →", "previous, next slide (with Shift: ten)"],
	["Home End", "first, last slide"],
	["[ ]", "previous, next change of the chosen property"],
	["{ }", "previous, next violation"],
	["Space", "play, pause"],
	["1 … 9", "choose a property"],
	["+ - 0", "zoom the timeline in, out, show all of it"],
	["/", "search"],
	["Tab", "into the diagrams, where the arrow keys move between states or global states"],
	["Enter", "keep a global state drawn; Escape lets it go"]
], Ze = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 190\" class=\"picture\" role=\"img\"\n aria-label=\"Two processes and a message on the left; on the right their global states, with one order through them\">\n<defs><marker id=\"help-arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\n<path d=\"M0.5 0.8 7.5 4 0.5 7.2z\" class=\"arrow\"/></marker></defs>\n<rect class=\"window\" x=\"66\" y=\"32\" width=\"230\" height=\"44\" rx=\"8\"/><rect class=\"window\" x=\"66\" y=\"108\" width=\"230\" height=\"44\" rx=\"8\"/>\n<text x=\"52\" y=\"58\" text-anchor=\"end\" class=\"lane\">phone</text><text x=\"52\" y=\"134\" text-anchor=\"end\" class=\"lane\">door</text>\n<g class=\"bars\"><rect x=\"72\" y=\"46\" width=\"86\" height=\"17\" rx=\"5\"/><rect x=\"164\" y=\"46\" width=\"126\" height=\"17\" rx=\"5\" class=\"on\"/>\n<rect x=\"72\" y=\"122\" width=\"126\" height=\"17\" rx=\"5\" class=\"on\"/><rect x=\"204\" y=\"122\" width=\"86\" height=\"17\" rx=\"5\"/></g>\n<text x=\"227\" y=\"58\" text-anchor=\"middle\" class=\"in\">here</text><text x=\"135\" y=\"134\" text-anchor=\"middle\" class=\"in\">open</text>\n<path class=\"message\" d=\"M164 56 L201 126\" marker-end=\"url(#help-arrow)\"/>\n<path class=\"frontier\" d=\"M181 20 V166\"/><text x=\"181\" y=\"182\" text-anchor=\"middle\" class=\"order\">a global state</text>\n<text x=\"226\" y=\"98\" class=\"remark\">a message</text><text x=\"118\" y=\"26\" text-anchor=\"middle\" class=\"remark\">a state</text>\n<g class=\"nodes\"><path class=\"path\" d=\"M376 30 V138\"/>\n<circle cx=\"376\" cy=\"26\" r=\"10\"/><circle cx=\"376\" cy=\"82\" r=\"10\" class=\"on\"/><circle cx=\"376\" cy=\"138\" r=\"10\"/></g>\n<text x=\"396\" y=\"30\" class=\"remark\">neither yet</text><text x=\"396\" y=\"86\" class=\"remark\">phone here, door open</text><text x=\"396\" y=\"142\" class=\"remark\">door closed</text>\n<text x=\"436\" y=\"176\" text-anchor=\"middle\" class=\"order\">the only order: definitely true</text></svg>";
function Qe() {
	let t = e("dialog", {
		class: "help",
		"aria-label": "Words and keys"
	}), n = new DOMParser().parseFromString(Ze, "image/svg+xml").documentElement, r = e("button", { type: "button" }, "Close");
	return r.addEventListener("click", () => t.close()), t.append(e("div", { class: "head" }, e("h2", {}, "What the words mean"), r), document.importNode(n, !0), $e(Ye), e("h2", {}, "Keys"), $e(Xe)), t;
}
function $e(t) {
	let n = e("dl", {});
	for (let [r, i] of t) n.append(e("dt", {}, r), e("dd", {}, i));
	return n;
}
//#endregion
//#region src/page.ts
function et(t, n, r) {
	let i = Qe(), a = e("div", { class: "row" }, r.facts, r.forms), o = e("div", { class: "row" }, r.transport, ...r.tools, r.counters);
	t.append(it(n, r, i), r.properties, A("spacetime", "Space-time", e("div", { class: "row" }, r.legend, r.processes), ...r.spaceTime), A("lattice", "Lattice", a, r.lattice), A("timeline", "Timeline", o, r.timeline, r.notes), ...r.others, i);
}
function tt(t, n) {
	let r = e("div", {
		class: "forms",
		role: "group",
		"aria-label": "How the lattice is drawn"
	});
	for (let [i, a] of t.entries()) {
		let t = e("button", {
			type: "button",
			"aria-pressed": String(i === 0),
			"data-form": a
		}, a);
		t.addEventListener("click", () => {
			n(a);
			for (let e of r.children) e.setAttribute("aria-pressed", String(e === t));
		}), r.append(t);
	}
	return r;
}
function nt(t) {
	return e("div", {
		class: "zoom",
		role: "group",
		"aria-label": "Zoom the timeline"
	}, i("Zoom out", "less", () => t(1 / 2), "-"), i("Zoom in", "more", () => t(2), "+"), i("Show all slides", "all", () => t(0), "0"));
}
function rt() {
	let { dataset: e } = document.documentElement;
	e.theme = (e.theme ? e.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches) ? "light" : "dark";
}
function it(t, { status: n, groups: r }, a) {
	return e("header", {}, e("h1", { title: t.title }, t.title), e("span", {
		class: "source",
		title: t.source
	}, t.source === t.title ? "" : t.source), ...n, e("span", { class: "space" }), r, i("Light or dark", "theme", rt, "t"), i("Words and keys", "help", () => a.showModal(), "?"));
}
function A(t, n, r, ...i) {
	let a = e("div", { class: "head" }, e("h2", {}, n), r);
	return e("section", {
		class: `card ${t}`,
		"aria-label": n
	}, a, ...i);
}
//#endregion
//#region src/player.ts
var at = class {
	on;
	timer = 0;
	constructor(e) {
		this.on = e;
	}
	toggle() {
		this.timer ? this.stop() : (this.on.begin(), this.on.tell(!0), this.tick());
	}
	stop() {
		clearTimeout(this.timer), this.timer = 0, this.on.tell(!1);
	}
	tick() {
		this.timer = window.setTimeout(() => {
			this.on.next() ? this.tick() : this.stop();
		}, 1e3 / this.on.speed());
	}
}, ot = class {
	lanes;
	from;
	constructor(e) {
		this.lanes = Array.from({ length: e }, () => []), this.from = this.lanes.map(() => 0);
	}
	append(e, t) {
		e.forEach((e, n) => {
			let r = this.lanes[n];
			t && (this.from[n] = e.from);
			let i = e.clock.map(x);
			x(e.index).forEach((t, a) => {
				let o = e.variables_of[a];
				r.push({
					process: n,
					number: e.from + a,
					index: t,
					clock: i.map((e) => e[a]),
					variables: e.variables[o],
					time: e.time[a],
					colours: e.colours.map((e) => e[o]).join(""),
					slide: 0
				});
			});
		});
	}
	drop(e, t) {
		let n = Math.max(0, t - this.from[e]);
		this.lanes[e].splice(0, n), this.from[e] += n;
	}
	get(e, t) {
		return this.lanes[e][t - this.from[e]];
	}
	latest(e, t) {
		let n = this.lanes[e], r = 0, i = n.length - 1;
		for (; r <= i;) {
			let e = r + i >> 1;
			n[e].index <= t ? r = e + 1 : i = e - 1;
		}
		return n[i];
	}
	standing(e, t) {
		let n = this.latest(e, t), r = n === this.lanes[e].at(-1);
		return n && (n.index === t || !r) ? n : void 0;
	}
}, st = {
	cut: null,
	path: null,
	stretch: null,
	speak: null
}, j = class {
	spec;
	most;
	outlines;
	first = 1;
	values;
	finals;
	totals = {};
	counters = {};
	cutCounts = [];
	hasClocks = !0;
	states;
	process = [];
	newest = [];
	oldest = [];
	least = [];
	greatest = [];
	toldAt = [];
	lost = /* @__PURE__ */ new Map();
	levelCounts = /* @__PURE__ */ new Map();
	partValues;
	reasons;
	witnesses;
	labelTexts;
	constructor(e, t = null) {
		this.spec = e, this.most = t;
		let n = e.properties.flatMap((e) => e.parts);
		this.outlines = n, this.states = new ot(e.processes.length), this.values = e.properties.map(() => ""), this.finals = e.properties.map(() => ""), this.partValues = n.map(() => ""), this.reasons = n.map(() => ""), this.witnesses = n.map(() => []), this.labelTexts = n.map(() => []);
	}
	get length() {
		return this.process.length;
	}
	get last() {
		return this.first + this.length - 1;
	}
	get lanes() {
		return this.states.lanes;
	}
	get from() {
		return this.states.from;
	}
	get isEmpty() {
		return this.length === 0;
	}
	append(e) {
		let t = this.isEmpty;
		t && (this.first = e.first), this.hasClocks = e.states.length > 0, this.hasClocks && this.states.append(e.states, t);
		for (let [t, n, r] of e.through) this.lost.set(`${t}/${n}`, r);
		this.appendEnds(e, t);
		for (let [t, n] of e.values.entries()) this.values[t] += n;
		for (let [t, n] of e.finals.entries()) this.finals[t] += n;
		e.parts.forEach((t, n) => {
			this.partValues[n] += t.values, this.reasons[n] += t.because;
			let r = new Map(t.stretch.map(([e, t, n]) => [e, [t, n]]));
			t.cut.forEach((i, a) => {
				let o = e.first + a, s = i === 0 ? null : i.map((e, t) => this.oldest[o - this.first][t] + e);
				this.witnesses[n].push({
					cut: s,
					path: t.path[a] || null,
					stretch: r.get(o) ?? null,
					speak: t.speak[a] || null
				});
			});
			for (let e of t.labels) this.labelTexts[n].push(e);
		});
		for (let [t, n, r] of e.levels) this.levelCounts.set(t, {
			counts: n,
			labelled: r
		});
		for (let [t, n] of Object.entries(e.counters)) {
			this.counters[t] ??= [];
			let e = this.counters[t];
			for (let t of x(n)) e.push(t);
		}
		for (let t of e.cuts) this.cutCounts.push(t);
		this.totals = e.totals, this.most !== null && this.length > this.most && this.drop(this.length - this.most);
	}
	drop(e) {
		let t = [
			this.process,
			this.newest,
			this.oldest,
			this.least,
			this.greatest,
			this.toldAt,
			this.cutCounts,
			...Object.values(this.counters),
			...this.witnesses,
			...this.labelTexts
		];
		for (let n of t) n.splice(0, e);
		this.values = this.values.map((t) => t.slice(e)), this.finals = this.finals.map((t) => t.slice(e)), this.partValues = this.partValues.map((t) => t.slice(e)), this.reasons = this.reasons.map((t) => t.slice(e));
		for (let t = this.first; t < this.first + e; t++) {
			this.levelCounts.delete(t);
			for (let e of this.spec.processes.keys()) this.lost.delete(`${t}/${e}`);
		}
		if (this.first += e, this.hasClocks) for (let [e, t] of this.oldest[0].entries()) this.states.drop(e, t);
	}
	appendEnds(e, t) {
		let n = this.spec.processes.length, r;
		r = t ? this.hasClocks ? e.states.map((t, n) => {
			let r = e.process.filter((e) => e === n).length;
			return t.from + t.index.length - 1 - r;
		}) : Array(n).fill(0) : this.newest[this.length - 1];
		let i = e.held.map(x), a = new Map((e.told ?? []).map(([e, t, n]) => [e, {
			least: t,
			greatest: n
		}]));
		e.process.forEach((t, n) => {
			let o = e.first + n;
			r = [...r], this.hasClocks && t >= 0 && (r[t] += 1, this.lanes[t][r[t] - this.from[t]].slide = o), this.process.push(t), this.newest.push(r);
			let s = r.map((e, t) => e + 1 - (i[t]?.[n] ?? 1));
			if (this.oldest.push(s), this.hasClocks) {
				let t = e.empty[n] === "1";
				this.least.push(t ? null : s.map((t, r) => t + e.least[r][n])), this.greatest.push(t ? null : r.map((t, r) => t - e.greatest[r][n])), this.toldAt.push(o);
			} else {
				let e = a.get(o), t = this.least.length - 1;
				this.least.push(e ? e.least : this.least[t] ?? null), this.greatest.push(e ? e.greatest : this.greatest[t] ?? null), this.toldAt.push(e ? o : this.toldAt[t] ?? 0);
			}
		});
	}
	clamp(e) {
		return Math.min(Math.max(Math.round(e), this.first), Math.max(this.last, this.first));
	}
	moment(e) {
		let t = e - this.first, n = this.cutCounts[t];
		return {
			slide: e,
			process: this.process[t],
			newest: this.newest[t],
			oldest: this.oldest[t],
			least: this.least[t],
			greatest: this.greatest[t],
			cuts: n < 0 ? null : n,
			toldAt: this.toldAt[t]
		};
	}
	state(e, t) {
		return this.states.get(e, t);
	}
	isThere({ variables: e }) {
		return !this.spec.open || e !== null;
	}
	isLeaving(e) {
		return !this.isThere(e) && e.number > 0;
	}
	isJoining(e) {
		let t = this.state(e.process, e.number - 1);
		return this.isThere(e) && t !== void 0 && !this.isThere(t);
	}
	hasJoined(e, { newest: t }) {
		return !this.spec.open || t[e] > 0;
	}
	isOver(e, { least: t, newest: n }) {
		let r = this.state(e, n[e]);
		return r !== void 0 && this.isLeaving(r) && t?.[e] === n[e];
	}
	delivered(e) {
		let t = e - this.first, n = this.process[t];
		return this.hasClocks && n >= 0 ? this.state(n, this.newest[t][n]) : void 0;
	}
	covers(e, t, n) {
		return t < n.newest[e] ? this.state(e, t + 1).index - 1 : this.lost.get(`${n.slide}/${e}`) ?? this.state(e, t).index;
	}
	latest(e, t) {
		return this.states.latest(e, t);
	}
	standing(e, t) {
		return this.states.standing(e, t);
	}
	value(e, t) {
		return this.values[e][t - this.first] ?? "0";
	}
	final(e, t) {
		return this.finals[e][t - this.first] ?? "?";
	}
	because(e, t) {
		return this.reasons[e]?.[t - this.first] ?? "-";
	}
	partValue(e, t) {
		return this.partValues[e]?.[t - this.first] ?? "0";
	}
	witness(e, t) {
		return this.witnesses[e]?.[t - this.first] ?? st;
	}
	labels(e, t) {
		return this.labelTexts[e]?.[t - this.first] || null;
	}
	levels(e) {
		return this.levelCounts.get(e);
	}
	counter(e, t) {
		return e === "delivered" ? t - this.counter("ticks", t) : this.counters[e]?.[t - this.first] ?? 0;
	}
	show(e) {
		return `(${e.map((e, t) => this.state(t, e)?.index ?? e).join(",")})`;
	}
}, ct = 2e3, lt = 260, ut = 34;
function dt(e, t) {
	if (!e.groups) return "No group has reported yet.";
	let n = o(e.groups, "group");
	if (t.some(({ never: e }) => e)) {
		if (!e.violating) return `In none of ${n} is anything violated now.`;
		let t = e.violating === 1 ? "violates" : "violate";
		return `${e.violating.toLocaleString("en")} of ${n} ${t} something now.`;
	}
	return `${n}. Open one to see what happened in it.`;
}
function ft(e, t) {
	return t.filter(({ never: t }, n) => t && (e.true_in[n]?.at(-1) ?? 0) > 0).map(({ name: e }) => e);
}
function pt(e, t) {
	let n = lt / Math.max(1, e.length - 1), r = (e) => 33 - e / Math.max(1, t) * 31;
	return e.length === 1 ? `M0 ${r(e[0])}H${lt}` : e.map((e, t) => `${t ? "L" : "M"}${(t * n).toFixed(1)} ${r(e).toFixed(1)}`).join("");
}
var mt = class {
	header;
	load;
	on;
	root = e("section", {
		class: "card system",
		"aria-label": "All groups"
	});
	word = e("p", { class: "word" });
	sparks = e("ul", { class: "sparks" });
	caption = e("p", { class: "soft caption" });
	rows = e("tbody", {});
	more = e("p", { class: "soft" });
	field = e("input", {
		type: "search",
		"aria-label": "Find a group",
		placeholder: "find a group"
	});
	timer = 0;
	constructor(t, n, r) {
		this.header = t, this.load = n, this.on = r;
		let i = e("div", { class: "scroll" }, e("table", {}, e("thead", {}, e("tr", {}, ...[
			"group",
			"violated now",
			"true now",
			"slides",
			"rejects"
		].map((t) => e("th", { scope: "col" }, t)))), this.rows));
		this.root.append(this.word, this.sparks, this.caption, this.field, i, this.more), this.field.addEventListener("input", () => void this.refresh());
	}
	start() {
		this.stop(), this.refresh(), this.timer = window.setInterval(() => void this.refresh(), ct);
	}
	stop() {
		clearInterval(this.timer);
	}
	async refresh() {
		let e = await this.load(this.field.value).catch(() => null);
		e && this.render(e);
	}
	render(e) {
		let { properties: t } = this.header.spec;
		this.root.dataset.tone = e.violating ? "violated" : "false", this.root.dataset.groups = String(e.groups), this.word.textContent = dt(e, t), this.sparks.replaceChildren(...t.map((t, n) => this.spark(e, n)));
		let n = e.true_in[0]?.length ?? 0;
		this.caption.textContent = n ? `In how many groups each is true, after each of the latest ${o(n, "batch", "batches")}` : "", this.on.violated(ft(e, t));
		let r = document.activeElement?.getAttribute("data-group");
		this.rows.replaceChildren(...e.lines.map((e) => this.row(e))), r != null && this.rows.querySelector(`[data-group="${CSS.escape(r)}"]`)?.focus();
		let i = e.found - e.lines.length;
		this.more.textContent = i > 0 ? `and ${o(i, "group")} more; search for their names` : "";
	}
	spark(t, n) {
		let { name: r, never: i } = this.header.spec.properties[n], a = t.true_in[n], s = a[a.length - 1] ?? 0, c = document.createElementNS("http://www.w3.org/2000/svg", "svg");
		c.setAttribute("viewBox", `0 0 ${lt} ${ut}`), c.setAttribute("role", "img"), c.setAttribute("aria-label", `${r}: true in ${o(s, "group")} now, at most in ${Math.max(0, ...a)}`);
		let l = document.createElementNS("http://www.w3.org/2000/svg", "path");
		l.setAttribute("d", pt(a, Math.max(...a, 1))), c.append(l);
		let u = e("span", {}, e("strong", {}, T(r, 28)), ` ${s.toLocaleString("en")}`);
		return e("li", {
			"data-tone": i ? s ? "violated" : "false" : "true",
			title: r
		}, u, c);
	}
	row(t) {
		let { properties: n } = this.header.spec, r = (e) => n.filter(({ never: n }, r) => n === e && t.values[r] === "1").map(({ name: e }) => e).join(", "), i = e("button", {
			type: "button",
			"data-group": t.name
		}, t.name || "(no name)");
		i.addEventListener("click", () => this.on.open(t.name));
		let a = [t.slide, t.rejects].map((t) => e("td", { class: "count" }, t.toLocaleString("en"))), o = r(!0);
		return e("tr", { "data-tone": o ? "violated" : "false" }, e("th", { scope: "row" }, i), e("td", { class: "violated" }, o), e("td", {}, r(!1)), ...a);
	}
}, ht = class {
	root = e("div", {
		class: "transport",
		role: "group",
		"aria-label": "Move through the slides"
	});
	speed = e("select", {
		"aria-label": "Slides per second",
		title: "slides per second"
	});
	play;
	field = e("input", {
		type: "number",
		class: "slide",
		"aria-label": "Slide",
		min: 1
	});
	total = e("span", { class: "soft total" });
	constructor(t) {
		this.play = i("Play", "play", t.play, "space"), this.play.classList.add("play");
		for (let t of [
			2,
			5,
			10,
			30,
			60
		]) this.speed.append(e("option", {
			value: t,
			selected: t === 5
		}, `${t}/s`));
		this.field.addEventListener("change", () => t.go(Number(this.field.value))), this.root.append(i("First slide", "first", () => t.ends(-1), "Home"), i("Previous change of the property", "changeBack", () => t.change(-1), "["), i("Previous slide", "back", () => t.step(-1), "←"), this.play, i("Next slide", "forth", () => t.step(1), "→"), i("Next change of the property", "changeForth", () => t.change(1), "]"), i("Last slide", "last", () => t.ends(1), "End"), e("label", { class: "number" }, "slide", this.field, this.total), this.speed);
	}
	render(e, t) {
		document.activeElement !== this.field && (this.field.value = String(t)), this.field.min = String(e.first), this.field.max = String(e.last), this.total.textContent = `of ${e.last.toLocaleString("en")}`;
	}
	setPlaying(e) {
		this.play.replaceChildren(r(e ? "pause" : "play")), this.play.setAttribute("aria-label", e ? "Pause" : "Play");
	}
}, gt = {
	too_large: "too large",
	empty: "no cut"
}, _t = class {
	root = e("dl", {
		class: "counters",
		"aria-label": "Counters at this slide"
	});
	render(t, n) {
		let r = n === t.last, i = b.map((e) => ({
			name: e,
			count: r ? t.totals[e] ?? 0 : t.counter(e, n)
		}));
		this.root.title = i.map(({ name: e, count: t }) => `${gt[e] ?? e} ${t.toLocaleString("en")}`).join(", ");
		let a = i.flatMap(({ name: t, count: n }) => {
			if (!n && t !== "delivered") return [];
			let r = e("div", {
				class: n && t !== "delivered" ? "counter some" : "counter",
				"data-counter": t
			});
			return r.append(e("dt", {}, gt[t] ?? t), e("dd", {}, n.toLocaleString("en"))), [r];
		});
		this.root.replaceChildren(...a);
	}
};
function vt(e) {
	let t = e.recording.hasClocks || e.moment.toldAt === e.moment.slide || !e.moment.toldAt;
	return je(e) + (t ? "" : `, as of slide ${e.moment.toldAt.toLocaleString("en")}`);
}
//#endregion
//#region node_modules/d3-selection/dist/d3-selection.mjs
var yt = "http://www.w3.org/1999/xhtml", bt = {
	svg: "http://www.w3.org/2000/svg",
	xhtml: yt,
	xlink: "http://www.w3.org/1999/xlink",
	xml: "http://www.w3.org/XML/1998/namespace",
	xmlns: "http://www.w3.org/2000/xmlns/"
};
function xt(e) {
	var t = e += "", n = t.indexOf(":");
	return n >= 0 && (t = e.slice(0, n)) !== "xmlns" && (e = e.slice(n + 1)), bt.hasOwnProperty(t) ? {
		space: bt[t],
		local: e
	} : e;
}
function St(e) {
	return function() {
		var t = this.ownerDocument, n = this.namespaceURI;
		return n === yt && t.documentElement.namespaceURI === yt ? t.createElement(e) : t.createElementNS(n, e);
	};
}
function Ct(e) {
	return function() {
		return this.ownerDocument.createElementNS(e.space, e.local);
	};
}
function wt(e) {
	var t = xt(e);
	return (t.local ? Ct : St)(t);
}
function Tt() {}
function Et(e) {
	return e == null ? Tt : function() {
		return this.querySelector(e);
	};
}
function Dt(e) {
	typeof e != "function" && (e = Et(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = Array(o), c, l, u = 0; u < o; ++u) (c = a[u]) && (l = e.call(c, c.__data__, u, a)) && ("__data__" in c && (l.__data__ = c.__data__), s[u] = l);
	return new N(r, this._parents);
}
function Ot(e) {
	return e == null ? [] : Array.isArray(e) ? e : Array.from(e);
}
function kt() {
	return [];
}
function At(e) {
	return e == null ? kt : function() {
		return this.querySelectorAll(e);
	};
}
function jt(e) {
	return function() {
		return Ot(e.apply(this, arguments));
	};
}
function Mt(e) {
	e = typeof e == "function" ? jt(e) : At(e);
	for (var t = this._groups, n = t.length, r = [], i = [], a = 0; a < n; ++a) for (var o = t[a], s = o.length, c, l = 0; l < s; ++l) (c = o[l]) && (r.push(e.call(c, c.__data__, l, o)), i.push(c));
	return new N(r, i);
}
function Nt(e) {
	return function() {
		return this.matches(e);
	};
}
function Pt(e) {
	return function(t) {
		return t.matches(e);
	};
}
var Ft = Array.prototype.find;
function It(e) {
	return function() {
		return Ft.call(this.children, e);
	};
}
function Lt() {
	return this.firstElementChild;
}
function Rt(e) {
	return this.select(e == null ? Lt : It(typeof e == "function" ? e : Pt(e)));
}
var zt = Array.prototype.filter;
function Bt() {
	return Array.from(this.children);
}
function Vt(e) {
	return function() {
		return zt.call(this.children, e);
	};
}
function Ht(e) {
	return this.selectAll(e == null ? Bt : Vt(typeof e == "function" ? e : Pt(e)));
}
function Ut(e) {
	typeof e != "function" && (e = Nt(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = [], c, l = 0; l < o; ++l) (c = a[l]) && e.call(c, c.__data__, l, a) && s.push(c);
	return new N(r, this._parents);
}
function Wt(e) {
	return Array(e.length);
}
function Gt() {
	return new N(this._enter || this._groups.map(Wt), this._parents);
}
function M(e, t) {
	this.ownerDocument = e.ownerDocument, this.namespaceURI = e.namespaceURI, this._next = null, this._parent = e, this.__data__ = t;
}
M.prototype = {
	constructor: M,
	appendChild: function(e) {
		return this._parent.insertBefore(e, this._next);
	},
	insertBefore: function(e, t) {
		return this._parent.insertBefore(e, t);
	},
	querySelector: function(e) {
		return this._parent.querySelector(e);
	},
	querySelectorAll: function(e) {
		return this._parent.querySelectorAll(e);
	}
};
function Kt(e) {
	return function() {
		return e;
	};
}
function qt(e, t, n, r, i, a) {
	for (var o = 0, s, c = t.length, l = a.length; o < l; ++o) (s = t[o]) ? (s.__data__ = a[o], r[o] = s) : n[o] = new M(e, a[o]);
	for (; o < c; ++o) (s = t[o]) && (i[o] = s);
}
function Jt(e, t, n, r, i, a, o) {
	var s, c, l = /* @__PURE__ */ new Map(), u = t.length, d = a.length, f = Array(u), p;
	for (s = 0; s < u; ++s) (c = t[s]) && (f[s] = p = o.call(c, c.__data__, s, t) + "", l.has(p) ? i[s] = c : l.set(p, c));
	for (s = 0; s < d; ++s) p = o.call(e, a[s], s, a) + "", (c = l.get(p)) ? (r[s] = c, c.__data__ = a[s], l.delete(p)) : n[s] = new M(e, a[s]);
	for (s = 0; s < u; ++s) (c = t[s]) && l.get(f[s]) === c && (i[s] = c);
}
function Yt(e) {
	return e.__data__;
}
function Xt(e, t) {
	if (!arguments.length) return Array.from(this, Yt);
	var n = t ? Jt : qt, r = this._parents, i = this._groups;
	typeof e != "function" && (e = Kt(e));
	for (var a = i.length, o = Array(a), s = Array(a), c = Array(a), l = 0; l < a; ++l) {
		var u = r[l], d = i[l], f = d.length, p = Zt(e.call(u, u && u.__data__, l, r)), m = p.length, h = s[l] = Array(m), g = o[l] = Array(m);
		n(u, d, h, g, c[l] = Array(f), p, t);
		for (var _ = 0, v = 0, y, b; _ < m; ++_) if (y = h[_]) {
			for (_ >= v && (v = _ + 1); !(b = g[v]) && ++v < m;);
			y._next = b || null;
		}
	}
	return o = new N(o, r), o._enter = s, o._exit = c, o;
}
function Zt(e) {
	return typeof e == "object" && "length" in e ? e : Array.from(e);
}
function Qt() {
	return new N(this._exit || this._groups.map(Wt), this._parents);
}
function $t(e, t, n) {
	var r = this.enter(), i = this, a = this.exit();
	return typeof e == "function" ? (r = e(r), r &&= r.selection()) : r = r.append(e + ""), t != null && (i = t(i), i &&= i.selection()), n == null ? a.remove() : n(a), r && i ? r.merge(i).order() : i;
}
function en(e) {
	for (var t = e.selection ? e.selection() : e, n = this._groups, r = t._groups, i = n.length, a = r.length, o = Math.min(i, a), s = Array(i), c = 0; c < o; ++c) for (var l = n[c], u = r[c], d = l.length, f = s[c] = Array(d), p, m = 0; m < d; ++m) (p = l[m] || u[m]) && (f[m] = p);
	for (; c < i; ++c) s[c] = n[c];
	return new N(s, this._parents);
}
function tn() {
	for (var e = this._groups, t = -1, n = e.length; ++t < n;) for (var r = e[t], i = r.length - 1, a = r[i], o; --i >= 0;) (o = r[i]) && (a && o.compareDocumentPosition(a) ^ 4 && a.parentNode.insertBefore(o, a), a = o);
	return this;
}
function nn(e) {
	e ||= rn;
	function t(t, n) {
		return t && n ? e(t.__data__, n.__data__) : !t - !n;
	}
	for (var n = this._groups, r = n.length, i = Array(r), a = 0; a < r; ++a) {
		for (var o = n[a], s = o.length, c = i[a] = Array(s), l, u = 0; u < s; ++u) (l = o[u]) && (c[u] = l);
		c.sort(t);
	}
	return new N(i, this._parents).order();
}
function rn(e, t) {
	return e < t ? -1 : e > t ? 1 : e >= t ? 0 : NaN;
}
function an() {
	var e = arguments[0];
	return arguments[0] = this, e.apply(null, arguments), this;
}
function on() {
	return Array.from(this);
}
function sn() {
	for (var e = this._groups, t = 0, n = e.length; t < n; ++t) for (var r = e[t], i = 0, a = r.length; i < a; ++i) {
		var o = r[i];
		if (o) return o;
	}
	return null;
}
function cn() {
	let e = 0;
	for (let t of this) ++e;
	return e;
}
function ln() {
	return !this.node();
}
function un(e) {
	for (var t = this._groups, n = 0, r = t.length; n < r; ++n) for (var i = t[n], a = 0, o = i.length, s; a < o; ++a) (s = i[a]) && e.call(s, s.__data__, a, i);
	return this;
}
function dn(e) {
	return function() {
		this.removeAttribute(e);
	};
}
function fn(e) {
	return function() {
		this.removeAttributeNS(e.space, e.local);
	};
}
function pn(e, t) {
	return function() {
		this.setAttribute(e, t);
	};
}
function mn(e, t) {
	return function() {
		this.setAttributeNS(e.space, e.local, t);
	};
}
function hn(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? this.removeAttribute(e) : this.setAttribute(e, n);
	};
}
function gn(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? this.removeAttributeNS(e.space, e.local) : this.setAttributeNS(e.space, e.local, n);
	};
}
function _n(e, t) {
	var n = xt(e);
	if (arguments.length < 2) {
		var r = this.node();
		return n.local ? r.getAttributeNS(n.space, n.local) : r.getAttribute(n);
	}
	return this.each((t == null ? n.local ? fn : dn : typeof t == "function" ? n.local ? gn : hn : n.local ? mn : pn)(n, t));
}
function vn(e) {
	return e.ownerDocument && e.ownerDocument.defaultView || e.document && e || e.defaultView;
}
function yn(e) {
	return function() {
		this.style.removeProperty(e);
	};
}
function bn(e, t, n) {
	return function() {
		this.style.setProperty(e, t, n);
	};
}
function xn(e, t, n) {
	return function() {
		var r = t.apply(this, arguments);
		r == null ? this.style.removeProperty(e) : this.style.setProperty(e, r, n);
	};
}
function Sn(e, t, n) {
	return arguments.length > 1 ? this.each((t == null ? yn : typeof t == "function" ? xn : bn)(e, t, n ?? "")) : Cn(this.node(), e);
}
function Cn(e, t) {
	return e.style.getPropertyValue(t) || vn(e).getComputedStyle(e, null).getPropertyValue(t);
}
function wn(e) {
	return function() {
		delete this[e];
	};
}
function Tn(e, t) {
	return function() {
		this[e] = t;
	};
}
function En(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? delete this[e] : this[e] = n;
	};
}
function Dn(e, t) {
	return arguments.length > 1 ? this.each((t == null ? wn : typeof t == "function" ? En : Tn)(e, t)) : this.node()[e];
}
function On(e) {
	return e.trim().split(/^|\s+/);
}
function kn(e) {
	return e.classList || new An(e);
}
function An(e) {
	this._node = e, this._names = On(e.getAttribute("class") || "");
}
An.prototype = {
	add: function(e) {
		this._names.indexOf(e) < 0 && (this._names.push(e), this._node.setAttribute("class", this._names.join(" ")));
	},
	remove: function(e) {
		var t = this._names.indexOf(e);
		t >= 0 && (this._names.splice(t, 1), this._node.setAttribute("class", this._names.join(" ")));
	},
	contains: function(e) {
		return this._names.indexOf(e) >= 0;
	}
};
function jn(e, t) {
	for (var n = kn(e), r = -1, i = t.length; ++r < i;) n.add(t[r]);
}
function Mn(e, t) {
	for (var n = kn(e), r = -1, i = t.length; ++r < i;) n.remove(t[r]);
}
function Nn(e) {
	return function() {
		jn(this, e);
	};
}
function Pn(e) {
	return function() {
		Mn(this, e);
	};
}
function Fn(e, t) {
	return function() {
		(t.apply(this, arguments) ? jn : Mn)(this, e);
	};
}
function In(e, t) {
	var n = On(e + "");
	if (arguments.length < 2) {
		for (var r = kn(this.node()), i = -1, a = n.length; ++i < a;) if (!r.contains(n[i])) return !1;
		return !0;
	}
	return this.each((typeof t == "function" ? Fn : t ? Nn : Pn)(n, t));
}
function Ln() {
	this.textContent = "";
}
function Rn(e) {
	return function() {
		this.textContent = e;
	};
}
function zn(e) {
	return function() {
		var t = e.apply(this, arguments);
		this.textContent = t ?? "";
	};
}
function Bn(e) {
	return arguments.length ? this.each(e == null ? Ln : (typeof e == "function" ? zn : Rn)(e)) : this.node().textContent;
}
function Vn() {
	this.innerHTML = "";
}
function Hn(e) {
	return function() {
		this.innerHTML = e;
	};
}
function Un(e) {
	return function() {
		var t = e.apply(this, arguments);
		this.innerHTML = t ?? "";
	};
}
function Wn(e) {
	return arguments.length ? this.each(e == null ? Vn : (typeof e == "function" ? Un : Hn)(e)) : this.node().innerHTML;
}
function Gn() {
	this.nextSibling && this.parentNode.appendChild(this);
}
function Kn() {
	return this.each(Gn);
}
function qn() {
	this.previousSibling && this.parentNode.insertBefore(this, this.parentNode.firstChild);
}
function Jn() {
	return this.each(qn);
}
function Yn(e) {
	var t = typeof e == "function" ? e : wt(e);
	return this.select(function() {
		return this.appendChild(t.apply(this, arguments));
	});
}
function Xn() {
	return null;
}
function Zn(e, t) {
	var n = typeof e == "function" ? e : wt(e), r = t == null ? Xn : typeof t == "function" ? t : Et(t);
	return this.select(function() {
		return this.insertBefore(n.apply(this, arguments), r.apply(this, arguments) || null);
	});
}
function Qn() {
	var e = this.parentNode;
	e && e.removeChild(this);
}
function $n() {
	return this.each(Qn);
}
function er() {
	var e = this.cloneNode(!1), t = this.parentNode;
	return t ? t.insertBefore(e, this.nextSibling) : e;
}
function tr() {
	var e = this.cloneNode(!0), t = this.parentNode;
	return t ? t.insertBefore(e, this.nextSibling) : e;
}
function nr(e) {
	return this.select(e ? tr : er);
}
function rr(e) {
	return arguments.length ? this.property("__data__", e) : this.node().__data__;
}
function ir(e) {
	return function(t) {
		e.call(this, t, this.__data__);
	};
}
function ar(e) {
	return e.trim().split(/^|\s+/).map(function(e) {
		var t = "", n = e.indexOf(".");
		return n >= 0 && (t = e.slice(n + 1), e = e.slice(0, n)), {
			type: e,
			name: t
		};
	});
}
function or(e) {
	return function() {
		var t = this.__on;
		if (t) {
			for (var n = 0, r = -1, i = t.length, a; n < i; ++n) a = t[n], (!e.type || a.type === e.type) && a.name === e.name ? this.removeEventListener(a.type, a.listener, a.options) : t[++r] = a;
			++r ? t.length = r : delete this.__on;
		}
	};
}
function sr(e, t, n) {
	return function() {
		var r = this.__on, i, a = ir(t);
		if (r) {
			for (var o = 0, s = r.length; o < s; ++o) if ((i = r[o]).type === e.type && i.name === e.name) {
				this.removeEventListener(i.type, i.listener, i.options), this.addEventListener(i.type, i.listener = a, i.options = n), i.value = t;
				return;
			}
		}
		this.addEventListener(e.type, a, n), i = {
			type: e.type,
			name: e.name,
			value: t,
			listener: a,
			options: n
		}, r ? r.push(i) : this.__on = [i];
	};
}
function cr(e, t, n) {
	var r = ar(e + ""), i, a = r.length, o;
	if (arguments.length < 2) {
		var s = this.node().__on;
		if (s) {
			for (var c = 0, l = s.length, u; c < l; ++c) for (i = 0, u = s[c]; i < a; ++i) if ((o = r[i]).type === u.type && o.name === u.name) return u.value;
		}
	} else {
		for (s = t ? sr : or, i = 0; i < a; ++i) this.each(s(r[i], t, n));
		return this;
	}
}
function lr(e, t, n) {
	var r = vn(e), i = r.CustomEvent;
	typeof i == "function" ? i = new i(t, n) : (i = r.document.createEvent("Event"), n ? (i.initEvent(t, n.bubbles, n.cancelable), i.detail = n.detail) : i.initEvent(t, !1, !1)), e.dispatchEvent(i);
}
function ur(e, t) {
	return function() {
		return lr(this, e, t);
	};
}
function dr(e, t) {
	return function() {
		return lr(this, e, t.apply(this, arguments));
	};
}
function fr(e, t) {
	return this.each((typeof t == "function" ? dr : ur)(e, t));
}
function* pr() {
	for (var e = this._groups, t = 0, n = e.length; t < n; ++t) for (var r = e[t], i = 0, a = r.length, o; i < a; ++i) (o = r[i]) && (yield o);
}
var mr = [null];
function N(e, t) {
	this._groups = e, this._parents = t;
}
function hr() {
	return new N([[document.documentElement]], mr);
}
function gr() {
	return this;
}
N.prototype = hr.prototype = {
	constructor: N,
	select: Dt,
	selectAll: Mt,
	selectChild: Rt,
	selectChildren: Ht,
	filter: Ut,
	data: Xt,
	enter: Gt,
	exit: Qt,
	join: $t,
	merge: en,
	selection: gr,
	order: tn,
	sort: nn,
	call: an,
	nodes: on,
	node: sn,
	size: cn,
	empty: ln,
	each: un,
	attr: _n,
	style: Sn,
	property: Dn,
	classed: In,
	text: Bn,
	html: Wn,
	raise: Kn,
	lower: Jn,
	append: Yn,
	insert: Zn,
	remove: $n,
	clone: nr,
	datum: rr,
	on: cr,
	dispatch: fr,
	[Symbol.iterator]: pr
};
function P(e) {
	return typeof e == "string" ? new N([[document.querySelector(e)]], [document.documentElement]) : new N([[e]], mr);
}
var _r = 0;
function vr() {
	return new yr();
}
function yr() {
	this._ = "@" + (++_r).toString(36);
}
yr.prototype = vr.prototype = {
	constructor: yr,
	get: function(e) {
		for (var t = this._; !(t in e);) if (!(e = e.parentNode)) return;
		return e[t];
	},
	set: function(e, t) {
		return e[this._] = t;
	},
	remove: function(e) {
		return this._ in e && delete e[this._];
	},
	toString: function() {
		return this._;
	}
};
function br(e) {
	let t;
	for (; t = e.sourceEvent;) e = t;
	return e;
}
function F(e, t) {
	if (e = br(e), t === void 0 && (t = e.currentTarget), t) {
		var n = t.ownerSVGElement || t;
		if (n.createSVGPoint) {
			var r = n.createSVGPoint();
			return r.x = e.clientX, r.y = e.clientY, r = r.matrixTransform(t.getScreenCTM().inverse()), [r.x, r.y];
		}
		if (t.getBoundingClientRect) {
			var i = t.getBoundingClientRect();
			return [e.clientX - i.left - t.clientLeft, e.clientY - i.top - t.clientTop];
		}
	}
	return [e.pageX, e.pageY];
}
function xr(e, { width: t, height: n }, r, i) {
	let { recording: a, moment: o } = r, [s, c] = [0, 1].map((e) => o.newest[e] - o.oldest[e] + 1), l = Math.min(64, (t - 44 - 40) / s, (n - 44 - 34) / c), u = (t - l * s) / 2 + 14, d = (n + l * c) / 2 - 14, f = (e) => [u + (e[0] - o.oldest[0] + .5) * l, d - (e[1] - o.oldest[1] + .5) * l];
	e.append("rect").attr("class", "frame").attr("x", u).attr("y", d - l * c).attr("width", l * s).attr("height", l * c).attr("rx", 6);
	let p = Math.max(1, Math.ceil(18 / l));
	for (let t = 0; t < s; t++) for (let n = 0; n < c; n++) {
		let r = [o.oldest[0] + t, o.oldest[1] + n];
		if (i.position.has(C(r))) continue;
		let [s, c] = f(r);
		e.append("rect").attr("class", "inconsistent").attr("x", s - l / 2).attr("y", c - l / 2).attr("width", l).attr("height", l).attr("data-cut", a.show(r));
	}
	for (let t = 0; t < s; t += p) I(e, a.state(0, o.oldest[0] + t)?.index, u + (t + .5) * l, d + 15);
	for (let t = 0; t < c; t += p) I(e, a.state(1, o.oldest[1] + t)?.index, u - 12, d - (t + .5) * l + 4);
	let [m, h] = a.spec.processes;
	return I(e, m, u + l * s / 2, d + 32).attr("class", "axis name"), I(e, h, 0, 0).attr("class", "axis name").attr("transform", `translate(${u - 32} ${d - l * c / 2}) rotate(-90)`), i.cuts.map(f);
}
function Sr(e, { width: t, height: n }, r, i) {
	let a = n - 44, s = Math.min(26, a / r.length), c = 22 + (a - s * r.length) / 2, l = Math.max(...r), u = t - 44 - 150, d = 50 + u / 2, f = Math.max(1, Math.ceil(13 / s)), p = e.selectAll("g").data(r).join("g").attr("class", "bar");
	p.attr("transform", (e, t) => `translate(${d} ${c + s * (t + .5)})`);
	let m = Math.max(1, s - Math.min(5, s * .25)), h = (e, t) => {
		p.append("rect").attr("class", e).attr("y", -m / 2).attr("height", m).attr("rx", Math.min(3, m / 3)).attr("x", (e, n) => -t(e, n) / 2).attr("width", (e, n) => t(e, n));
	}, g = (e) => e === 0 ? 0 : Math.max(2, e / l * u);
	h("all", g), i && h("labelled", (e, t) => g(i[t]));
	let _ = r.length - 1, v = (e) => e % f === 0 && (e === _ || _ - e >= f) || e === _;
	p.append("text").attr("class", "level").attr("x", -u / 2 - 14).attr("text-anchor", "end").attr("dy", "0.35em").text((e, t) => v(t) ? t : ""), p.append("text").attr("x", u / 2 + 12).attr("dy", "0.35em").text((e, t) => v(t) ? e.toLocaleString("en") : "");
	let y = (e) => i ? `, ${i[e].toLocaleString("en")} filled` : "";
	p.append("title").text((e, t) => `level ${t}: ${o(e, "cut")}${y(t)}`);
}
function I(e, t, n, r) {
	return e.append("text").attr("class", "axis").attr("text-anchor", "middle").attr("x", n).attr("y", r).text(t ?? "");
}
//#endregion
//#region src/lattice-look.ts
var Cr = 6.6, wr = 6, Tr = 34, Er = 24, Dr = 160;
function Or(e, t) {
	let n = e.cutCounts.map((t, n) => ({
		count: t,
		slide: n + e.first
	})).filter(({ count: e }) => e > 0 && e <= t).sort((e, t) => t.count - e.count);
	if (n.length && n[0].count > Dr) return null;
	let r = {
		across: 1,
		down: 1,
		letters: 1
	};
	for (let { slide: t } of n.slice(0, Er)) {
		let n = te(e, e.moment(t)), i = [];
		for (let e of n.level) i[e] = (i[e] ?? 0) + 1;
		r.across = Math.max(r.across, ...i), r.down = Math.max(r.down, i.length);
		for (let t of n.cuts) r.letters = Math.max(r.letters, e.show(t).length);
	}
	return r;
}
function kr(e, t, n) {
	if (!e) return !1;
	let r = e.letters * Cr + 14;
	return t / e.across >= r + wr && n / e.down >= Tr;
}
var Ar = class {
	known = null;
	isNamed(e, t, n, r) {
		if (this.known?.recording !== e || this.known.last !== e.last) {
			let n = this.known?.recording === e && this.known.extent === null ? null : Or(e, t);
			this.known = {
				recording: e,
				last: e.last,
				extent: n
			};
		}
		return kr(this.known.extent, n, r);
	}
}, jr = 8, Mr = "system-ui, -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", \"Liberation Sans\", Arial, sans-serif", L = null;
function Nr(e, t) {
	return typeof document > "u" || (L ??= document.createElement("canvas").getContext("2d"), !L) ? e.length * jr : (L.font = `${t} ${Mr}`, L.measureText(e).width);
}
function Pr(e, t, n) {
	let r = [];
	for (let i of e.split(" ")) {
		let e = r.length ? `${r[r.length - 1]} ${i}` : i;
		r.length && Nr(e, n) <= t ? r[r.length - 1] = e : r.push(i);
	}
	return r;
}
var R = /* @__PURE__ */ new Map();
function z(e, t, n) {
	let r = `${n}/${Math.floor(t)}/${e.join("\n")}`, i = R.get(r);
	if (i) return i;
	let a = e.reduce((e, t) => Math.max(e, [...t].length), 0), o = e;
	for (; a > 4 && o.some((e) => Nr(e, n) > t);) o = le(e, --a);
	return R.size > 200 && R.clear(), R.set(r, o), o;
}
//#endregion
//#region src/nocut.ts
function Fr(e, t) {
	if (!e.hasClocks) return null;
	let n = [...t.oldest];
	for (let r = !0; r;) {
		r = !1;
		for (let i of n.keys()) {
			let a = e.state(i, n[i]);
			if (!a) return null;
			for (let [o, s] of a.clock.entries()) if (o !== i) for (; e.covers(o, n[o], t) < s;) {
				if (n[o] >= t.newest[o]) return Ir(e, a, o, s);
				n[o] += 1, r = !0;
			}
		}
	}
	return null;
}
function Ir(e, t, n, r) {
	let i = e.latest(n, r);
	return {
		state: t,
		process: n,
		index: r,
		slide: i?.index === r && i.slide ? i.slide : null
	};
}
function Lr(e, t) {
	let { processes: n } = e.spec, r = `${n[t.process]}#${t.index}`, i = [`${n[t.state.process]}#${t.state.index} already knows of ${r},`, t.slide === null ? `and ${r} has not arrived.` : `and ${r} arrives only at slide ${t.slide}.`];
	return e.spec.delivery === "causal" ? i.push("A larger window keeps older states for it.") : i.push("delivery = \"causal\" makes the checker wait for it."), i;
}
//#endregion
//#region src/lattice-view.ts
var Rr = "13px", zr = class {
	drawn;
	events;
	form = "levels";
	svg;
	layers;
	size = {
		width: 0,
		height: 0
	};
	scene = null;
	places = [];
	focus = null;
	look = new Ar();
	constructor(e, t, n) {
		this.drawn = t, this.events = n, this.svg = P(e).append("svg").attr("tabindex", 0).attr("role", "img"), this.svg.append("defs").append("pattern").attr("id", "hatch").attr("width", 6).attr("height", 6).attr("patternUnits", "userSpaceOnUse").append("path").attr("d", "M-1 7 7 -1M-1 1 1 -1M5 7 7 5");
		let r = (e) => this.svg.append("g").attr("class", e);
		this.layers = {
			under: r("under"),
			steps: r("steps"),
			witness: r("witness"),
			cuts: r("cuts"),
			marks: r("marks")
		}, this.svg.on("mousedown", (e) => e.preventDefault()), this.svg.on("pointermove", (e) => this.onMove(e)), this.svg.on("pointerleave", () => this.pointAt(null, null)), this.svg.on("click", (e) => {
			let t = this.nearest(F(e, this.svg.node()));
			n.pin(t === null ? null : this.scene.lattice.cuts[t]);
		}), this.svg.on("keydown", (e) => this.onKey(e)), this.svg.on("blur", () => {
			this.focus = null, this.pointAt(null, null);
		}), s(e, (e, t) => {
			this.size = {
				width: e,
				height: t
			}, this.scene && this.render(this.scene);
		});
	}
	render(e) {
		if (this.scene = e, this.focus = null, this.places = [], !this.size.width) return;
		this.svg.attr("width", this.size.width).attr("height", this.size.height);
		let { recording: t, moment: n, lattice: r } = e;
		this.svg.attr("aria-label", `The lattice: ${Ur(e)}`), this.svg.attr("data-cuts", n.cuts ?? "");
		let i = this.form === "grid" && t.spec.processes.length === 2;
		!r || r.cuts.length === 0 ? this.drawWithoutCuts(e) : this.drawCuts(e, r, i);
	}
	highlight(e, t) {
		let n = this.scene?.lattice;
		if (!n) return;
		let { state: r } = e, i = e.cut ? C(e.cut) : "", a = t ? C(t) : "";
		this.layers.cuts.selectAll("g").classed("lit", (e) => C(n.cuts[e]) === i).classed("pinned", (e) => C(n.cuts[e]) === a).classed("through", (e) => r !== null && n.cuts[e][r.process] === r.number), this.svg.classed("has-state", r !== null), this.layers.cuts.selectAll("g.lit, g.pinned").raise();
	}
	drawWithoutCuts(e) {
		let { recording: t, moment: n } = e;
		this.clear();
		let r = t.levels(n.slide);
		if (r && n.least) {
			Sr(this.layers.cuts, this.size, r.counts, r.labelled[e.part] ?? null);
			return;
		}
		let i = Vr(e).flatMap((e, t) => Pr(e, this.size.width - 44, t ? Rr : `600 ${Rr}`).map((e) => ({
			text: e,
			k: t
		})));
		this.layers.marks.append("text").attr("class", "message").attr("text-anchor", "middle").selectAll("tspan").data(i).join("tspan").attr("class", ({ k: e }) => e ? "" : "headline").attr("x", this.size.width / 2).text(({ text: e }) => e).attr("y", (e, t) => this.size.height / 2 + (t - (i.length - 1) / 2) * 22);
	}
	clear() {
		for (let e of Object.values(this.layers)) e.selectAll("*").remove();
	}
	drawCuts(e, t, n) {
		let { recording: r, moment: i, flags: a } = e, o = this.size.width - 44, s = this.size.height - 44;
		this.layers.under.selectAll("*").remove(), this.layers.marks.selectAll("*").remove(), this.places = n ? xr(this.layers.under, this.size, e, t) : se(e.rows, o, s, 92).map(([e, t]) => [e + 22, t + 22]);
		let c = Math.max(...e.rows.map((e) => e.length)), l = t.cuts.map((e) => r.show(e)), u = Math.max(...l.map((e) => e.length)) * Cr + 14, d = Math.min(92, o / c), f = Math.min(92, s / e.rows.length), p = !n && this.look.isNamed(r, this.drawn, o, s), m = n ? 6.5 : Math.max(1.5, Math.min(7, .3 * d, .3 * f)), h = p ? u / 2 : m, g = p ? 11 : m, _ = p ? g : 0;
		this.svg.classed("many", t.cuts.length > 120);
		let { places: v } = this;
		this.layers.steps.selectAll("path").data([t.steps.map(([e, t]) => Br(v[e], v[t], _)).join("")]).join("path").attr("opacity", Math.min(1, Math.max(.14, 260 / t.steps.length))).attr("d", String);
		let y = C(i.least), b = C(i.greatest), ee = new Set(e.witnessCuts.map(C)), x = new Set(e.forced.map(C)), S = this.layers.cuts.selectAll("g").data(t.cuts.map((e, t) => t), (e) => l[e] ?? "").join((e) => {
			let t = e.append("g");
			return t.append("rect"), t.append("text").attr("text-anchor", "middle").attr("dy", "0.34em"), t;
		}).attr("class", (e) => {
			let n = C(t.cuts[e]);
			return [
				"cut",
				a[e] && "filled",
				n === y && "least",
				n === b && "greatest",
				ee.has(n) && "on-witness",
				x.has(n) && "forced"
			].filter(Boolean).join(" ");
		}).attr("data-cut", (e) => l[e]).style("transform", (e) => `translate(${v[e][0]}px, ${v[e][1]}px)`);
		S.select("rect").attr("x", -h).attr("y", -g).attr("width", 2 * h).attr("height", 2 * g), S.select("rect").attr("rx", g), S.select("text").text((e) => p ? l[e] : ""), this.drawWitness(e, t, _), this.nameEnds(t, h, n);
	}
	drawWitness({ witnessCuts: e, witness: t }, n, r) {
		let i = e.map((e) => this.places[n.position.get(C(e))]), a = (e) => e.slice(1).map((t, n) => Br(e[n], t, r)).join(""), [o, s] = t.stretch ?? [0, 0], c = [{
			name: "path",
			d: i.length > 1 ? a(i) : ""
		}, {
			name: "path stretch",
			d: s > o ? a(i.slice(o, s)) : ""
		}].filter(({ d: e }) => e.includes("L"));
		this.layers.witness.selectAll("path").data(c).join("path").attr("class", ({ name: e }) => e).attr("d", ({ d: e }) => e);
	}
	nameEnds(e, t, n) {
		let r = e.cuts.length - 1, i = r > 0 ? [[0, "earliest"], [r, "latest"]] : [[0, "the only one"]];
		for (let [e, a] of i) {
			let [i, o] = this.places[e], s = n && e > 0 ? -1 : 1, c = this.layers.marks.append("text").attr("class", "end").text(a);
			c.attr("x", i + s * (t + 8)).attr("y", o).attr("dy", n && r > 0 ? e ? "-0.9em" : "1.7em" : "0.34em"), c.attr("text-anchor", s > 0 ? "start" : "end");
		}
	}
	nearest([e, t]) {
		let n = null, r = 484;
		return this.places.forEach(([i, a], o) => {
			let s = (i - e) ** 2 + (a - t) ** 2;
			s < r && ([n, r] = [o, s]);
		}), n;
	}
	onMove(e) {
		let t = this.nearest(F(e, this.svg.node()));
		this.pointAt(t, t === null ? null : {
			x: e.clientX,
			y: e.clientY
		});
	}
	pointAt(e, t) {
		let n = e === null ? null : this.scene?.lattice?.cuts[e] ?? null;
		this.events.point({
			cut: n,
			state: null
		}, t);
	}
	onKey(e) {
		let { lattice: t, rows: n } = this.scene ?? {};
		if (!t || !n || !t.cuts.length) return;
		let r = {
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0],
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1]
		}[e.key];
		if (e.key === "Enter" && this.focus !== null && this.events.pin(t.cuts[this.focus]), e.key === "Escape" && this.events.pin(null), !r) return;
		e.preventDefault(), e.stopPropagation();
		let i = this.focus ?? -1;
		if (i < 0) this.focus = 0;
		else {
			let e = n[Math.min(Math.max(t.level[i] + r[0], 0), n.length - 1)], a = this.places[i][0];
			this.focus = r[0] ? e.reduce((e, t) => Hr(this.places[t], a) < Hr(this.places[e], a) ? t : e) : e[Math.min(Math.max(e.indexOf(i) + r[1], 0), e.length - 1)];
		}
		let a = this.svg.node().getBoundingClientRect(), [o, s] = this.places[this.focus];
		this.pointAt(this.focus, {
			x: a.x + o,
			y: a.y + s
		});
	}
}, Br = ([e, t], [n, r], i) => `M${e} ${i ? t + i : t}L${n} ${i ? r - i : r}`;
function Vr({ recording: e, moment: t }) {
	if (!e.hasClocks) return ["Verdicts only", "There are no states to draw global states from."];
	if (t.least) return [t.cuts === null ? "Too many global states to count" : o(t.cuts, "global state"), "Too many to be drawn; many questions are answered without them."];
	let n = Fr(e, t);
	return ["No consistent global state", ...n ? Lr(e, n) : []];
}
var Hr = ([e], t) => Math.abs(e - t);
function Ur({ recording: e, moment: t }) {
	return !t.least || !t.greatest ? "no cut" : `${t.cuts === null ? "too many cuts to count" : o(t.cuts, "cut")}, from ${e.show(t.least)} to ${e.show(t.greatest)}. Arrow keys move between cuts.`;
}
//#endregion
//#region src/legend.ts
var Wr = [
	[
		"holds",
		"12",
		"satisfies its part"
	],
	[
		"may",
		"-",
		"does not rule it out"
	],
	[
		"out",
		"0",
		"rules it out"
	],
	[
		"unread",
		".",
		"not read"
	]
], Gr = [
	["window", "window"],
	["end", "earliest, latest"],
	["order", "order or state that decides"],
	["new", "just delivered"],
	["coming", "not delivered yet"],
	["left", "left"],
	["picked", "pointed at, or found"]
], Kr = class {
	root = e("ul", {
		class: "legend",
		"aria-label": "Colours"
	});
	shown = "";
	render({ recording: t, part: n, outline: r, isViolated: i }) {
		let a = `${n} ${t.last} ${i}`;
		if (a === this.shown) return;
		this.shown = a;
		let o = new Set(t.lanes.flatMap((e) => e.filter((e) => t.isThere(e)).map(({ colours: e }) => e[n]))), s = Wr.filter(([, e]) => [...e].some((e) => o.has(e))), c = Gr.filter(([e]) => (r || e !== "order") && (t.spec.open || e !== "left")), l = [...r ? s.map(([e, , t]) => [e, t]) : [], ...c];
		i && l.unshift(["culprit", "violation"]), this.root.replaceChildren(...l.map(([t, n]) => e("li", {}, e("i", { class: t }), n)));
	}
}, qr = class e {
	all;
	hidden;
	constructor(e, t) {
		this.all = e, this.hidden = t;
	}
	static of(t) {
		return new e([...Array(t).keys()], /* @__PURE__ */ new Set());
	}
	get shown() {
		return this.all.filter((e) => !this.hidden.has(e));
	}
	isShown(e) {
		return !this.hidden.has(e);
	}
	toggle(t) {
		let n = new Set(this.hidden);
		return n.delete(t) || n.add(t), n.size < this.all.length ? new e(this.all, n) : this;
	}
	move(t, n) {
		let r = this.all.indexOf(t), i = r + n;
		if (i < 0 || i >= this.all.length) return this;
		let a = [...this.all];
		return [a[r], a[i]] = [a[i], a[r]], new e(a, this.hidden);
	}
	only(t) {
		let n = this.all.filter((e) => !t?.reads[e]?.length);
		return n.length < this.all.length ? new e(this.all, new Set(n)) : this;
	}
	byRole(t) {
		let n = this.all.map((e) => Object.values(t).findIndex((t) => t.includes(e))), r = new Map(this.all.map((e, t) => [e, n[t] < 0 ? Infinity : n[t]])), i = [...this.all].sort((e, t) => r.get(e) === r.get(t) ? e - t : r.get(e) - r.get(t));
		return new e(i, this.hidden);
	}
	upTo(t) {
		let n = Array.from({ length: t - this.all.length }, (e, t) => this.all.length + t);
		return new e([...this.all, ...n], this.hidden);
	}
	every() {
		return new e(this.all, /* @__PURE__ */ new Set());
	}
}, Jr = class {
	spec;
	on;
	root = e("details", { class: "processes" });
	summary = e("summary", {});
	list = e("ul", {});
	lanes;
	isArranged = !1;
	constructor(t, n) {
		this.spec = t, this.on = n, this.lanes = qr.of(t.processes.length);
		let r = (t, n) => {
			let r = e("button", { type: "button" }, t);
			return r.addEventListener("click", () => this.set(n())), r;
		}, i = e("div", { class: "picks" }, r("those that the property reads", () => this.lanes.only(this.on.part())), r("all", () => this.lanes.every()));
		if (t.open) {
			let t = e("button", { type: "button" }, "those that are there");
			t.addEventListener("click", () => this.leaveToDrawing()), i.append(t);
		}
		(t.open || Object.keys(t.roles).length) && i.append(r("by role", () => this.lanes.byRole(this.spec.roles))), this.root.append(this.summary, e("div", { class: "menu" }, i, this.list)), addEventListener("pointerdown", (e) => {
			this.root.contains(e.target) || (this.root.open = !1);
		}), this.draw();
	}
	follow(e) {
		if (e === this.spec) return;
		let t = this.spec.processes.every((t, n) => t === e.processes[n]);
		this.spec = e, t ? (this.lanes = this.lanes.upTo(e.processes.length), this.draw(), this.isArranged && this.on.arrange(this.lanes.shown)) : (this.lanes = qr.of(e.processes.length), this.leaveToDrawing());
	}
	leaveToDrawing() {
		this.isArranged = !1, this.lanes = this.lanes.every(), this.draw(), this.on.arrange(null);
	}
	set(e) {
		this.isArranged = !0, this.lanes = e, this.draw(), this.on.arrange(e.shown);
	}
	draw() {
		this.root.hidden = this.spec.processes.length < 3;
		let { shown: e, all: t } = this.lanes;
		this.summary.textContent = e.length < t.length ? `${e.length} of ${t.length} processes` : "processes";
		let n = document.activeElement?.getAttribute("data-key");
		this.list.replaceChildren(...t.map((e) => this.entry(e))), n && this.list.querySelector(`[data-key="${n}"]`)?.focus();
	}
	entry(t) {
		let n = this.spec.processes[t], r = e("input", {
			type: "checkbox",
			"aria-label": `Show ${n}`,
			checked: this.lanes.isShown(t),
			"data-key": `${t}`
		});
		r.addEventListener("change", () => this.set(this.lanes.toggle(t)));
		let i = (r, i, a) => {
			let o = e("button", {
				type: "button",
				class: "move",
				"aria-label": `Move ${n} ${a}`,
				"data-key": `${t}${a}`
			}, i);
			return o.addEventListener("click", () => this.set(this.lanes.move(t, r))), o;
		}, a = Object.keys(this.spec.roles).filter((e) => this.spec.roles[e].includes(t)), o = e("label", { title: n }, r, e("span", {}, n));
		return a.length && o.append(e("small", { class: "soft" }, a.join(", "))), e("li", {}, o, i(-1, "↑", "up"), i(1, "↓", "down"));
	}
}, B = (e, t) => e === "?" ? "unknown" : e === "1" ? t ? "violated" : "true" : "false";
function Yr(e, t) {
	return e === "?" ? "Too large to tell" : t ? e === "1" ? "Violated" : "Not violated" : e === "1" ? "True" : "False";
}
function Xr(e) {
	let { recording: t, moment: n, property: r } = e, i = t.spec.properties[r], a = t.value(r, n.slide);
	return {
		tone: B(a, i.never),
		word: Yr(a, i.never),
		sentence: Zr(e, i),
		final: D(t, r, n.slide)
	};
}
function Zr(e, t) {
	let { recording: n, moment: r, outline: i } = e;
	if (!i) return "";
	if (Qr(e)) return "The states in the window make no consistent global state, so every answer is false.";
	let a = t.single && i.kind.endsWith("CTL") ? n.value(e.property, r.slide) : n.partValue(e.part, r.slide);
	if (a === "?") return n.hasClocks || n.value(e.property, r.slide) === "?" ? "The window has more global states than the spec's max_cuts allows to look at." : "The pipeline tells the value of the whole property only.";
	let o = $r[i.kind]?.(e, i, a === "1") ?? "";
	return t.single ? o : `${i.text} is ${a === "1" ? "true" : "false"}: ${oi(o)}`;
}
function Qr({ recording: e, moment: t }) {
	return !t.least && (e.hasClocks || t.toldAt === t.slide);
}
var $r = {
	possibly: (e, t, n) => n ? ni(e, t) : ri(e, t),
	definitely: (e, t, n) => n ? ii(e, t) : ai(e, t),
	"possibly sequence": (e, t, n) => n ? V(e) ? "In the order drawn in orange, the sequence occurs." : "The sequence occurs in some possible order." : "The sequence occurs in no possible order.",
	"definitely sequence": (e, t, n) => n ? "The sequence occurs in every possible order." : V(e) ? "In the order drawn in orange, the sequence does not occur." : "In some possible order, the sequence does not occur.",
	"possibly formula": (e, t, n) => n ? V(e) ? "The order drawn in orange satisfies the formula." : "Some possible order satisfies the formula." : "No possible order satisfies the formula.",
	"definitely formula": (e, t, n) => n ? "Every possible order satisfies the formula." : V(e) ? "The order drawn in orange does not satisfy the formula." : "Some possible order does not satisfy the formula.",
	CTL: (e, t, n) => `At the earliest global state of the window, looking forward, the formula ${n ? "holds" : "does not hold"}.`,
	"past CTL": (e, t, n) => `At the latest global state of the window, looking back, the formula ${n ? "holds" : "does not hold"}.`,
	probability: (e, t, n) => `The share of possible orders that show the condition is ${n ? "" : "not "}${ti(t.text)}.`
}, V = ({ witness: e }) => e.path !== null, ei = {
	">=": "at least",
	">": "more than",
	"<=": "at most",
	"<": "less than",
	"==": "exactly",
	"!=": "other than"
};
function ti(e) {
	let t = /(>=|<=|==|!=|>|<) ([\d.e+-]+)$/.exec(e);
	return t ? `${ei[t[1]]} ${Number((Number(t[2]) * 100).toPrecision(6))} %` : "within the bound";
}
function ni(e, t) {
	let { witness: n } = e, r = n.cut ? ge(e, t, n.cut) : "";
	return r ? `In some possible order, ${r}.` : "Some possible order of events shows it.";
}
function ri(e, t) {
	let { recording: n } = e;
	if (!n.hasClocks) return "No possible order of events shows it.";
	if (!t.conjunctive) return "No possible order of the events in this window shows it.";
	let r = ve(e, t);
	return r === null ? "Each process satisfies its part at some time, but in no possible order all at once." : `In no possible order does ${n.spec.processes[r]} satisfy its part.`;
}
function ii(e, t) {
	let { runs: n, recording: r } = e, i = xe(e), a = i && r.hasClocks ? ge(e, t, i) : "";
	return a ? `Whatever the order, ${a}.` : n?.length ? `Whatever the order, at some moment ${he(n.map(({ process: e, first: t }) => r.state(e, t)).map((e) => fe(e, t, r.spec.processes[e.process])))}${n.length > 1 ? ": each began before any other could end" : ""}.` : "Every possible order of events shows it.";
}
function ai(e, t) {
	if (!V(e)) {
		let n = t.conjunctive && e.recording.hasClocks ? ve(e, t) : null;
		return n === null ? "Some possible order of events avoids it." : `In no possible order does ${e.recording.spec.processes[n]} satisfy its part.`;
	}
	return `In the order drawn in orange, ${ye(e, t, e.witnessCuts)}.`;
}
var oi = (e) => e.charAt(0).toLowerCase() + e.slice(1), si = "whether a later event can overturn the value for the states of this window", ci = class {
	choose;
	root = e("section", {
		class: "card properties",
		"aria-label": "Properties"
	});
	chips = e("div", {
		class: "chips",
		role: "group",
		"aria-label": "Choose a property"
	});
	verdict = e("div", { class: "verdict" });
	parts = e("div", {
		class: "parts",
		role: "group",
		"aria-label": "Choose a part of the property"
	});
	more = e("details", { class: "more" });
	detail = e("div", { class: "detail" });
	constructor(t, n) {
		this.choose = n, this.more.append(e("summary", {}, "How it is asked and answered"), this.detail);
		let { properties: r } = t.spec;
		this.root.append(this.chips, this.verdict, this.parts, this.more), r.forEach((t, n) => {
			let r = e("button", {
				type: "button",
				class: "chip",
				"data-property": t.name
			});
			r.append(e("span", { class: "lamp" }), e("span", { class: "label" }, t.name)), t.never && r.append(" ", e("span", {
				class: "never",
				title: "must never come true"
			}, "never")), r.addEventListener("click", () => this.choose(n, 0)), this.chips.append(r);
		}), r.length || this.root.replaceChildren(e("p", { class: "soft" }, "The spec has no properties."));
	}
	render(e, t) {
		let { recording: n, moment: r, property: i } = e, { properties: a } = n.spec;
		for (let [e, t] of [...this.chips.querySelectorAll("button")].entries()) {
			let o = n.value(e, r.slide), s = D(n, e, r.slide);
			t.dataset.tone = B(o, a[e].never), t.setAttribute("aria-pressed", String(e === i));
			let c = Yr(o, a[e].never).toLowerCase();
			t.setAttribute("aria-label", `${a[e].name}${a[e].never ? " never" : ""}: ${[c, s].filter(Boolean).join(", ")}`);
		}
		let o = a[i];
		o && (this.renderVerdict(e, o), this.renderParts(e, o, t), this.renderDetail(e, o, t));
	}
	renderVerdict(t, n) {
		let { recording: r, moment: i, property: a } = t, { tone: o, word: s, sentence: c, final: l } = Xr(t), u = [], d = r.final(a, i.slide);
		l && u.push(e("span", {
			class: "badge final",
			"data-final": d,
			title: si
		}, l));
		let f = Oe(t);
		f && u.push(e("span", { class: "badge because" }, f)), this.verdict.dataset.tone = o, this.verdict.replaceChildren(e("p", { class: "word" }, s), e("div", { class: "said" }, e("p", { class: "sentence" }, c), e("p", { class: "asked" }, e("code", {
			class: "text",
			title: n.expanded
		}, n.text), ...u)));
	}
	renderParts(t, n, r) {
		let i = n.parts.map((n, i) => {
			let a = t.recording.partValue(t.part - r + i, t.moment.slide), o = e("button", {
				type: "button",
				class: "part",
				"aria-pressed": String(i === r),
				"data-tone": B(a, !1)
			});
			return o.append(e("span", { class: "lamp" }), n.text), o.addEventListener("click", () => this.choose(t.property, i)), o;
		});
		this.parts.replaceChildren(...i.length > 1 ? i : []);
	}
	renderDetail(t, n, r) {
		let i = n.parts[r], a = [];
		n.expanded !== n.text && a.push(e("p", {}, "Written out: ", e("code", {}, n.expanded))), a.push(e("p", { class: "why" }, e("span", { class: "engine" }, i.engine), ` ${i.why}`)), t.meaning && a.push(e("p", {}, `A filled global state: ${t.meaning}.`)), this.detail.replaceChildren(...a);
	}
}, li = 2e3;
function ui(e, t) {
	let n = t.trim().toLowerCase();
	if (!n) return [];
	let r = /* @__PURE__ */ new Map(), i = (e) => {
		let t = r.get(e);
		if (t !== void 0) return t;
		let i = di(e).includes(n);
		return r.set(e, i), i;
	};
	return e.lanes.flatMap((t, r) => {
		let o = e.spec.processes[r].toLowerCase();
		return t.filter((e) => e.number === 0 || !e.slide ? !1 : `${o}#${e.index}`.includes(n) || i(e.variables) ? !0 : e.time !== null && e.time !== void 0 && a(e.time).toLowerCase().includes(n));
	}).sort((e, t) => e.slide - t.slide).slice(0, li);
}
function di(e) {
	return typeof e != "object" || !e ? "" : Object.entries(e).map(([e, t]) => `${e} ${a(t)}`).join(" ").toLowerCase();
}
var fi = class {
	recording;
	on;
	root = e("div", {
		class: "search",
		role: "search"
	});
	field = e("input", {
		type: "search",
		"aria-label": "Find a process, state or value",
		placeholder: "find process, state, value",
		autocomplete: "off"
	});
	told = e("span", {
		class: "soft found",
		role: "status"
	});
	found = [];
	constructor(e, t) {
		this.recording = e, this.on = t;
		let n = i("Previous found state", "back", () => this.step(-1), "Shift+Enter"), r = i("Next found state", "forth", () => this.step(1), "Enter");
		this.root.append(this.field, n, r, this.told), this.field.addEventListener("input", () => this.look()), this.field.addEventListener("keydown", (e) => {
			e.key === "Enter" && this.step(e.shiftKey ? -1 : 1), e.key === "Escape" && this.clear();
		});
	}
	clear() {
		this.field.value = "", this.look(), this.field.blur();
	}
	look() {
		this.found = ui(this.recording(), this.field.value);
		let e = this.found.length === li;
		this.told.textContent = this.field.value ? `${e ? "more than " : ""}${this.found.length} found` : "", this.root.classList.toggle("active", this.field.value !== ""), this.on.mark(this.found);
	}
	step(e) {
		if (this.look(), !this.found.length) return;
		let t = this.on.slide(), n = this.found.filter(({ slide: n }) => e > 0 ? n > t : n < t), r = e > 0 ? n[0] ?? this.found[0] : n[n.length - 1] ?? this.found[this.found.length - 1];
		this.told.textContent = `${this.found.indexOf(r) + 1} of ${this.found.length}`, this.on.show(r);
	}
};
//#endregion
//#region src/spacetime.ts
function pi(e, t) {
	if (t.number === 0) return [];
	let n = e.state(t.process, t.number - 1);
	if (!n) return [];
	let r = t.clock.flatMap((e, r) => r !== t.process && e > n.clock[r] ? [r] : []);
	return r.flatMap((n) => {
		let i = e.standing(n, t.clock[n]);
		return !i || i.number === 0 || r.some((r) => {
			let i = r === n ? void 0 : e.standing(r, t.clock[r]);
			return i !== void 0 && i.clock[n] >= t.clock[n];
		}) ? [] : [{
			from: i,
			to: t
		}];
	});
}
var mi = .8, hi = class {
	recording;
	at = /* @__PURE__ */ new WeakMap();
	next;
	constructor(e) {
		this.recording = e, this.next = e.lanes.map(() => 0);
	}
	get(e) {
		return this.at.get(e);
	}
	follow() {
		let { recording: e } = this, t = [];
		e.lanes.forEach((n, r) => {
			for (let i = Math.max(0, this.next[r] - e.from[r]); i < n.length; i++) t.push(n[i]);
			this.next[r] = e.from[r] + n.length;
		});
		let n = new Map(t.map((e) => [e, e.clock.reduce((e, t) => e + t, 0)]));
		t.sort((e, t) => n.get(t) - n.get(e));
		for (let n of t) {
			let t = n.slide || e.first - 1;
			for (let e of this.effects(n)) t = Math.min(t, this.at.get(e) - mi);
			this.at.set(n, t), this.pushCauses(n);
		}
		return this;
	}
	effects({ process: e, number: t, index: n }) {
		return this.recording.lanes.map((r, i) => {
			if (i === e) return this.recording.state(i, t + 1);
			let a = 0, o = r.length;
			for (; a < o;) {
				let t = a + o >> 1;
				r[t].clock[e] >= Math.max(n, 1) ? o = t : a = t + 1;
			}
			return r[a];
		}).filter((e) => e !== void 0 && this.at.has(e));
	}
	pushCauses(e) {
		let { recording: t } = this, n = [e];
		for (let e = n.pop(); e; e = n.pop()) {
			let { process: r, number: i, clock: a } = e, o = this.at.get(e) - mi, s = t.state(r, i - 1), c = a.map((e, n) => n === r ? s : e > (s?.clock[n] ?? 0) ? t.latest(n, e) : void 0);
			for (let e of c) e && (this.at.get(e) ?? -Infinity) > o && (this.at.set(e, o), n.push(e));
		}
	}
};
function gi(e, t, n, { easy: r, most: i }, a = [...e.lanes.keys()]) {
	let o = t.slide, s = e.lanes.map((r, i) => {
		let a = t.newest[i];
		for (; r[a + 1 - e.from[i]] && n.get(r[a + 1 - e.from[i]]) <= o + 3;) a++;
		return [t.oldest[i], Math.min(a, t.newest[i] + 3)];
	}), c = a.reduce((e, t) => e + s[t][1] - s[t][0] + 1, 0), l = 0, u = (t) => {
		let r = -1, i = 0;
		for (let o of a) {
			let [a, c] = s[o], l = e.state(o, t < 0 ? a - 1 : a);
			if (!l || t > 0 && a >= c) continue;
			let u = n.get(l);
			(r < 0 || (t < 0 ? u > i : u < i)) && ([r, i] = [o, u]);
		}
		return r < 0 ? !1 : (s[r][0] += t, !0);
	};
	for (; c < r && u(-1);) c++;
	for (; c > i && u(1);) c--, l++;
	let d = a.flatMap((t) => {
		let [n, r] = s[t];
		return Array.from({ length: r - n + 1 }, (r, i) => e.state(t, n + i));
	});
	d.sort((e, t) => n.get(e) - n.get(t) || e.process - t.process || e.number - t.number);
	let f = /* @__PURE__ */ new Map(), p = +!!d.some((e) => e.number === 0);
	for (let e of d) f.set(e, e.number === 0 ? 0 : p++);
	return {
		order: a,
		spans: s,
		at: n,
		column: f,
		columns: Math.max(p, 1),
		hidden: l
	};
}
function H(e, t, n) {
	let r = e.state(n.process, n.number + 1), i = r === void 0 ? void 0 : t.column.get(r);
	return [t.column.get(n), i ?? t.columns];
}
function U(e, t, n) {
	let r = t.order.map((r) => {
		let i = e.state(r, t.spans[r][0]);
		if (i && n[r] < i.number) return [-.7, t.column.get(i)];
		let a = e.state(r, n[r]);
		return a && t.column.has(a) ? H(e, t, a) : null;
	});
	if (r.some((e) => e === null)) return null;
	let i = r, a = Math.max(...i.map(([e]) => e)) + .5, o = n.map(() => NaN);
	for (let [e, [n, r]] of i.entries()) o[t.order[e]] = Math.min(Math.max(a, n + .28), r - .28);
	return o;
}
function _i(e, t, n) {
	let r = t.spans.map(([e]) => e - 1), i = -Infinity;
	for (let a of t.order) {
		let [o, s] = t.spans[a];
		for (let c = s; c >= o; c--) {
			let o = e.state(a, c);
			if (!(t.column.get(o) > n)) {
				r[a] = c, i = Math.max(i, t.at.get(o));
				break;
			}
		}
	}
	for (let [n, [a, o]] of t.spans.entries()) if (!t.order.includes(n)) for (r[n] = o; r[n] > a && t.at.get(e.state(n, r[n])) > i;) --r[n];
	return r;
}
//#endregion
//#region src/spacetime-states.ts
var vi = "600 12.5px", yi = 6.1, bi = {
	0: "out",
	"-": "may",
	1: "holds",
	2: "holds",
	".": "unread"
}, xi = ({ process: e, number: t }) => `${e}/${t}`;
function Si({ scene: { recording: e, moment: t, part: n, isViolated: r, culprits: i } }, a) {
	let { process: o, number: s, colours: c } = a, { newest: l, oldest: u } = t, d = s > l[o] ? "coming" : s < u[o] ? "gone" : "inside", f = o === t.process && s === l[o], p = e.isThere(a) ? bi[c[n] ?? "."] : s ? "left" : "absent";
	return `${p} ${d}${r && d === "inside" && p === "holds" && (i?.has(a) ?? !0) ? " culprit" : ""}${f ? " delivered" : ""}`;
}
function Ci({ scene: e, view: t, frame: n }, r) {
	let [i, a] = H(e.recording, t, r).map((e) => n.x(e));
	return {
		x: i,
		width: Math.max(a - i - 5, 3)
	};
}
function wi(e, t, n) {
	e.style("transform", (e) => `translate(${n.get(e).x}px, ${t.frame.y(e.process)}px)`);
}
function Ti(e, t) {
	let { scene: n, view: r, frame: i } = t, { processes: a } = n.recording.spec, o = i.thickness, s = [...r.column.keys()], c = new Map(s.map((e) => [e, Ci(t, e)])), l = e.states.selectAll("g").data(s, xi).join((e) => {
		let t = e.append("g");
		return t.append("rect"), t.append("circle"), t.append("path"), t;
	}).attr("class", (e) => `state ${Si(t, e)}`).attr("data-state", (e) => `${a[e.process]}#${e.index}`);
	wi(l, t, c), l.select("rect").attr("x", (e) => n.recording.isLeaving(e) ? -1 : 2.5).attr("y", -o / 2).attr("height", o).attr("rx", (e) => n.recording.isLeaving(e) ? 1 : Math.min(5, o / 2)).attr("width", (e) => n.recording.isLeaving(e) ? 2 : c.get(e).width), l.select("circle").attr("r", (e) => e.number === 0 ? 0 : Math.min(4, o / 3, i.step / 5)).attr("cx", 0), l.select("path").attr("d", (e) => n.recording.isLeaving(e) ? `M6 0H${c.get(e).width}` : null);
}
function Ei(e, t) {
	let { scene: n, view: r, frame: i } = t, a = i.thickness, o = [...r.column.keys()], s = new Map(o.map((e) => [e, Ci(t, e)])), c = (e) => 2.5 + s.get(e).width / 2, l = e.texts.selectAll("g").data(o, xi).join((e) => {
		let t = e.append("g");
		return t.append("text").attr("class", "index").attr("text-anchor", "middle"), t.append("text").attr("class", "value").attr("text-anchor", "middle").attr("dy", "0.35em"), t;
	}).attr("class", (e) => `label ${Si(t, e)}`);
	wi(l, t, s), l.select("text.index").attr("x", c).attr("y", -a / 2 - 5).text((e) => s.get(e).width > 16 && i.lane > 40 && n.recording.isThere(e) ? e.index : ""), l.select("text.value").attr("x", c).text((e) => {
		let t = Math.floor((s.get(e).width - 10) / yi);
		return a >= 11 ? ue(e, n.outline, t) : "";
	});
}
//#endregion
//#region src/spacetime-ends.ts
var Di = 72;
function Oi({ least: e, greatest: t }) {
	return e && t ? Math.max(...e.map((e, n) => t[n] - e + 1)) : 1;
}
function ki(e, t, { recording: n, moment: r }, i) {
	let { processes: a } = n.spec;
	for (let t of Object.values(e)) t.selectAll("*").remove();
	Ai(e, t, a, i);
	let { least: o, greatest: s } = r;
	if (!o || !s) return;
	let c = Math.min(Di, t.step);
	for (let n of i) {
		let r = s[n] - o[n] + 1, i = t.y(n);
		e.windows.append("rect").attr("rx", 8).attr("x", t.left).attr("y", i - t.half).attr("width", c * r).attr("height", 2 * t.half);
		let a = Math.max(1, Math.ceil(28 / c));
		for (let s = 0; s < r; s += a) {
			let l = e.states.append("g").attr("class", "state unread inside");
			l.style("transform", `translate(${t.left + s * c}px, ${i}px)`);
			let u = Math.max(c * Math.min(a, r - s) - 5, 3);
			l.append("rect").attr("x", 2.5).attr("y", -t.thickness / 2).attr("rx", 5).attr("width", u).attr("height", t.thickness), l.append("text").attr("x", 2.5 + u / 2).attr("y", -t.thickness / 2 - 5).attr("text-anchor", "middle").text(o[n] + s);
		}
	}
}
function Ai(e, t, n, r) {
	let i = z(n, t.nameRoom, vi);
	for (let a of r) {
		let r = e.labels.append("g").attr("class", "lane").attr("transform", `translate(0 ${t.y(a)})`);
		r.append("text").attr("x", t.left - 14).attr("text-anchor", "end").attr("dy", "0.35em").text(i[a]), r.append("title").text(n[a]);
	}
}
//#endregion
//#region node_modules/d3-path/dist/d3-path.mjs
var W = Math.PI, G = 2 * W, K = 1e-6, ji = G - K;
function Mi(e) {
	this._ += e[0];
	for (let t = 1, n = e.length; t < n; ++t) this._ += arguments[t] + e[t];
}
function Ni(e) {
	let t = Math.floor(e);
	if (!(t >= 0)) throw Error(`invalid digits: ${e}`);
	if (t > 15) return Mi;
	let n = 10 ** t;
	return function(e) {
		this._ += e[0];
		for (let t = 1, r = e.length; t < r; ++t) this._ += Math.round(arguments[t] * n) / n + e[t];
	};
}
function Pi(e, t, n, r) {
	return e === n && t === r;
}
function Fi(e) {
	let t = Math.floor(e);
	if (!(t <= 15)) return Pi;
	let n = 10 ** t, r = function(e) {
		return Math.round(e * n);
	};
	return function(e, t, n, i) {
		return r(e) === r(n) && r(t) === r(i);
	};
}
var Ii = class {
	constructor(e) {
		this._x0 = this._y0 = this._x1 = this._y1 = null, this._ = "", this._append = e == null ? Mi : Ni(e), this._equal = e == null ? Pi : Fi(e);
	}
	moveTo(e, t) {
		this._append`M${this._x0 = this._x1 = +e},${this._y0 = this._y1 = +t}`;
	}
	closePath() {
		this._x1 !== null && (this._x1 = this._x0, this._y1 = this._y0, this._append`Z`);
	}
	lineTo(e, t) {
		this._append`L${this._x1 = +e},${this._y1 = +t}`;
	}
	quadraticCurveTo(e, t, n, r) {
		this._append`Q${+e},${+t},${this._x1 = +n},${this._y1 = +r}`;
	}
	bezierCurveTo(e, t, n, r, i, a) {
		this._append`C${+e},${+t},${+n},${+r},${this._x1 = +i},${this._y1 = +a}`;
	}
	arcTo(e, t, n, r, i) {
		if (e = +e, t = +t, n = +n, r = +r, i = +i, i < 0) throw Error(`negative radius: ${i}`);
		let a = this._x1, o = this._y1, s = n - e, c = r - t, l = a - e, u = o - t, d = l * l + u * u;
		if (this._x1 === null) this._append`M${this._x1 = e},${this._y1 = t}`;
		else if (d > K) {
			if (!(Math.abs(u * s - c * l) > K) || !i) this._append`L${this._x1 = e},${this._y1 = t}`;
			else {
				let f = n - a, p = r - o, m = s * s + c * c, h = f * f + p * p, g = Math.sqrt(m), _ = Math.sqrt(d), v = i * Math.tan((W - Math.acos((m + d - h) / (2 * g * _))) / 2), y = v / _, b = v / g;
				Math.abs(y - 1) > K && this._append`L${e + y * l},${t + y * u}`, this._append`A${i},${i},0,0,${+(u * f > l * p)},${this._x1 = e + b * s},${this._y1 = t + b * c}`;
			}
		}
	}
	arc(e, t, n, r, i, a) {
		if (e = +e, t = +t, n = +n, a = !!a, n < 0) throw Error(`negative radius: ${n}`);
		let o = n * Math.cos(r), s = n * Math.sin(r), c = e + o, l = t + s, u = 1 ^ a, d = a ? r - i : i - r;
		if (this._x1 === null ? this._append`M${c},${l}` : (Math.abs(this._x1 - c) > K || Math.abs(this._y1 - l) > K) && this._append`L${c},${l}`, n) {
			if (d < 0 && (d = d % G + G), d > ji) this._append`A${n},${n},0,1,${u},${e - o},${t - s}A${n},${n},0,1,${u},${this._x1 = c},${this._y1 = l}`;
			else if (d > K) {
				let a = e + n * Math.cos(i), o = t + n * Math.sin(i);
				if (d >= W && this._equal(c, l, a, o)) {
					d /= 2;
					let i = r + d;
					this._append`A${n},${n},0,${+(d >= W)},${u},${e + n * Math.cos(i)},${t + n * Math.sin(i)}`;
				}
				this._append`A${n},${n},0,${+(d >= W)},${u},${this._x1 = a},${this._y1 = o}`;
			}
		}
	}
	rect(e, t, n, r) {
		this._append`M${this._x0 = this._x1 = +e},${this._y0 = this._y1 = +t}h${n = +n}v${+r}h${-n}Z`;
	}
	toString() {
		return this._;
	}
};
Ii.prototype;
//#endregion
//#region node_modules/d3-shape/dist/d3-shape.mjs
function q(e) {
	return function() {
		return e;
	};
}
var Li = Math.cos, J = Math.sin, Y = Math.sqrt, Ri = 1e-12, X = Math.PI;
X / 2;
var zi = 2 * X;
function Bi(e) {
	let t = 3;
	return e.digits = function(n) {
		if (!arguments.length) return t;
		if (n == null) t = null;
		else {
			let e = Math.floor(n);
			if (!(e >= 0)) throw RangeError(`invalid digits: ${n}`);
			t = e;
		}
		return e;
	}, () => new Ii(t);
}
Array.prototype.slice;
function Vi(e) {
	return typeof e == "object" && "length" in e ? e : Array.from(e);
}
function Hi(e) {
	this._context = e;
}
Hi.prototype = {
	areaStart: function() {
		this._line = 0;
	},
	areaEnd: function() {
		this._line = NaN;
	},
	lineStart: function() {
		this._point = 0;
	},
	lineEnd: function() {
		(this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line = 1 - this._line;
	},
	point: function(e, t) {
		switch (e = +e, t = +t, this._point) {
			case 0:
				this._point = 1, this._line ? this._context.lineTo(e, t) : this._context.moveTo(e, t);
				break;
			case 1: this._point = 2;
			default: this._context.lineTo(e, t);
		}
	}
};
function Ui(e) {
	return new Hi(e);
}
function Wi(e) {
	return e[0];
}
function Gi(e) {
	return e[1];
}
function Ki(e, t) {
	var n = q(!0), r = null, i = Ui, a = null, o = Bi(s);
	e = typeof e == "function" ? e : e === void 0 ? Wi : q(e), t = typeof t == "function" ? t : t === void 0 ? Gi : q(t);
	function s(s) {
		var c, l = (s = Vi(s)).length, u, d = !1, f;
		for (r ?? (a = i(f = o())), c = 0; c <= l; ++c) !(c < l && n(u = s[c], c, s)) === d && ((d = !d) ? a.lineStart() : a.lineEnd()), d && a.point(+e(u, c, s), +t(u, c, s));
		if (f) return a = null, f + "" || null;
	}
	return s.x = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : q(+t), s) : e;
	}, s.y = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : q(+e), s) : t;
	}, s.defined = function(e) {
		return arguments.length ? (n = typeof e == "function" ? e : q(!!e), s) : n;
	}, s.curve = function(e) {
		return arguments.length ? (i = e, r != null && (a = i(r)), s) : i;
	}, s.context = function(e) {
		return arguments.length ? (e == null ? r = a = null : a = i(r = e), s) : r;
	}, s;
}
function qi(e, t, n) {
	var r = null, i = q(!0), a = null, o = Ui, s = null, c = Bi(l);
	e = typeof e == "function" ? e : e === void 0 ? Wi : q(+e), t = typeof t == "function" ? t : q(t === void 0 ? 0 : +t), n = typeof n == "function" ? n : n === void 0 ? Gi : q(+n);
	function l(l) {
		var u, d, f, p = (l = Vi(l)).length, m, h = !1, g, _ = Array(p), v = Array(p);
		for (a ?? (s = o(g = c())), u = 0; u <= p; ++u) {
			if (!(u < p && i(m = l[u], u, l)) === h) {
				if (h = !h) d = u, s.areaStart(), s.lineStart();
				else {
					for (s.lineEnd(), s.lineStart(), f = u - 1; f >= d; --f) s.point(_[f], v[f]);
					s.lineEnd(), s.areaEnd();
				}
			}
			h && (_[u] = +e(m, u, l), v[u] = +t(m, u, l), s.point(r ? +r(m, u, l) : _[u], n ? +n(m, u, l) : v[u]));
		}
		if (g) return s = null, g + "" || null;
	}
	function u() {
		return Ki().defined(i).curve(o).context(a);
	}
	return l.x = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : q(+t), r = null, l) : e;
	}, l.x0 = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : q(+t), l) : e;
	}, l.x1 = function(e) {
		return arguments.length ? (r = e == null ? null : typeof e == "function" ? e : q(+e), l) : r;
	}, l.y = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : q(+e), n = null, l) : t;
	}, l.y0 = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : q(+e), l) : t;
	}, l.y1 = function(e) {
		return arguments.length ? (n = e == null ? null : typeof e == "function" ? e : q(+e), l) : n;
	}, l.lineX0 = l.lineY0 = function() {
		return u().x(e).y(t);
	}, l.lineY1 = function() {
		return u().x(e).y(n);
	}, l.lineX1 = function() {
		return u().x(r).y(t);
	}, l.defined = function(e) {
		return arguments.length ? (i = typeof e == "function" ? e : q(!!e), l) : i;
	}, l.curve = function(e) {
		return arguments.length ? (o = e, a != null && (s = o(a)), l) : o;
	}, l.context = function(e) {
		return arguments.length ? (e == null ? a = s = null : s = o(a = e), l) : a;
	}, l;
}
Yi(Ui);
function Ji(e) {
	this._curve = e;
}
Ji.prototype = {
	areaStart: function() {
		this._curve.areaStart();
	},
	areaEnd: function() {
		this._curve.areaEnd();
	},
	lineStart: function() {
		this._curve.lineStart();
	},
	lineEnd: function() {
		this._curve.lineEnd();
	},
	point: function(e, t) {
		this._curve.point(t * Math.sin(e), t * -Math.cos(e));
	}
};
function Yi(e) {
	function t(t) {
		return new Ji(e(t));
	}
	return t._curve = e, t;
}
Y(3), Y(1 / 3) * 2;
var Xi = J(X / 10) / J(7 * X / 10);
J(zi / 10) * Xi, -Li(zi / 10) * Xi, Y(3), Y(3), Y(3) / 2, (1 / Y(12) / 2 + 1) * 3;
function Z() {}
function Zi(e, t, n) {
	e._context.bezierCurveTo((2 * e._x0 + e._x1) / 3, (2 * e._y0 + e._y1) / 3, (e._x0 + 2 * e._x1) / 3, (e._y0 + 2 * e._y1) / 3, (e._x0 + 4 * e._x1 + t) / 6, (e._y0 + 4 * e._y1 + n) / 6);
}
function Qi(e) {
	this._context = e;
}
Qi.prototype = {
	areaStart: function() {
		this._line = 0;
	},
	areaEnd: function() {
		this._line = NaN;
	},
	lineStart: function() {
		this._x0 = this._x1 = this._y0 = this._y1 = NaN, this._point = 0;
	},
	lineEnd: function() {
		switch (this._point) {
			case 3: Zi(this, this._x1, this._y1);
			case 2: this._context.lineTo(this._x1, this._y1);
		}
		(this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line = 1 - this._line;
	},
	point: function(e, t) {
		switch (e = +e, t = +t, this._point) {
			case 0:
				this._point = 1, this._line ? this._context.lineTo(e, t) : this._context.moveTo(e, t);
				break;
			case 1:
				this._point = 2;
				break;
			case 2: this._point = 3, this._context.lineTo((5 * this._x0 + this._x1) / 6, (5 * this._y0 + this._y1) / 6);
			default: Zi(this, e, t);
		}
		this._x0 = this._x1, this._x1 = e, this._y0 = this._y1, this._y1 = t;
	}
};
function $i(e, t) {
	this._basis = new Qi(e), this._beta = t;
}
$i.prototype = {
	lineStart: function() {
		this._x = [], this._y = [], this._basis.lineStart();
	},
	lineEnd: function() {
		var e = this._x, t = this._y, n = e.length - 1;
		if (n > 0) for (var r = e[0], i = t[0], a = e[n] - r, o = t[n] - i, s = -1, c; ++s <= n;) c = s / n, this._basis.point(this._beta * e[s] + (1 - this._beta) * (r + c * a), this._beta * t[s] + (1 - this._beta) * (i + c * o));
		this._x = this._y = null, this._basis.lineEnd();
	},
	point: function(e, t) {
		this._x.push(+e), this._y.push(+t);
	}
}, (function e(t) {
	function n(e) {
		return t === 1 ? new Qi(e) : new $i(e, t);
	}
	return n.beta = function(t) {
		return e(+t);
	}, n;
})(.85);
function Q(e, t, n) {
	e._context.bezierCurveTo(e._x1 + e._k * (e._x2 - e._x0), e._y1 + e._k * (e._y2 - e._y0), e._x2 + e._k * (e._x1 - t), e._y2 + e._k * (e._y1 - n), e._x2, e._y2);
}
function ea(e, t) {
	this._context = e, this._k = (1 - t) / 6;
}
ea.prototype = {
	areaStart: function() {
		this._line = 0;
	},
	areaEnd: function() {
		this._line = NaN;
	},
	lineStart: function() {
		this._x0 = this._x1 = this._x2 = this._y0 = this._y1 = this._y2 = NaN, this._point = 0;
	},
	lineEnd: function() {
		switch (this._point) {
			case 2:
				this._context.lineTo(this._x2, this._y2);
				break;
			case 3: Q(this, this._x1, this._y1);
		}
		(this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line = 1 - this._line;
	},
	point: function(e, t) {
		switch (e = +e, t = +t, this._point) {
			case 0:
				this._point = 1, this._line ? this._context.lineTo(e, t) : this._context.moveTo(e, t);
				break;
			case 1:
				this._point = 2, this._x1 = e, this._y1 = t;
				break;
			case 2: this._point = 3;
			default: Q(this, e, t);
		}
		this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return new ea(e, t);
	}
	return n.tension = function(t) {
		return e(+t);
	}, n;
})(0);
function ta(e, t) {
	this._context = e, this._k = (1 - t) / 6;
}
ta.prototype = {
	areaStart: Z,
	areaEnd: Z,
	lineStart: function() {
		this._x0 = this._x1 = this._x2 = this._x3 = this._x4 = this._x5 = this._y0 = this._y1 = this._y2 = this._y3 = this._y4 = this._y5 = NaN, this._point = 0;
	},
	lineEnd: function() {
		switch (this._point) {
			case 1:
				this._context.moveTo(this._x3, this._y3), this._context.closePath();
				break;
			case 2:
				this._context.lineTo(this._x3, this._y3), this._context.closePath();
				break;
			case 3: this.point(this._x3, this._y3), this.point(this._x4, this._y4), this.point(this._x5, this._y5);
		}
	},
	point: function(e, t) {
		switch (e = +e, t = +t, this._point) {
			case 0:
				this._point = 1, this._x3 = e, this._y3 = t;
				break;
			case 1:
				this._point = 2, this._context.moveTo(this._x4 = e, this._y4 = t);
				break;
			case 2:
				this._point = 3, this._x5 = e, this._y5 = t;
				break;
			default: Q(this, e, t);
		}
		this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return new ta(e, t);
	}
	return n.tension = function(t) {
		return e(+t);
	}, n;
})(0);
function na(e, t) {
	this._context = e, this._k = (1 - t) / 6;
}
na.prototype = {
	areaStart: function() {
		this._line = 0;
	},
	areaEnd: function() {
		this._line = NaN;
	},
	lineStart: function() {
		this._x0 = this._x1 = this._x2 = this._y0 = this._y1 = this._y2 = NaN, this._point = 0;
	},
	lineEnd: function() {
		(this._line || this._line !== 0 && this._point === 3) && this._context.closePath(), this._line = 1 - this._line;
	},
	point: function(e, t) {
		switch (e = +e, t = +t, this._point) {
			case 0:
				this._point = 1;
				break;
			case 1:
				this._point = 2;
				break;
			case 2:
				this._point = 3, this._line ? this._context.lineTo(this._x2, this._y2) : this._context.moveTo(this._x2, this._y2);
				break;
			case 3: this._point = 4;
			default: Q(this, e, t);
		}
		this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return new na(e, t);
	}
	return n.tension = function(t) {
		return e(+t);
	}, n;
})(0);
function ra(e, t, n) {
	var r = e._x1, i = e._y1, a = e._x2, o = e._y2;
	if (e._l01_a > Ri) {
		var s = 2 * e._l01_2a + 3 * e._l01_a * e._l12_a + e._l12_2a, c = 3 * e._l01_a * (e._l01_a + e._l12_a);
		r = (r * s - e._x0 * e._l12_2a + e._x2 * e._l01_2a) / c, i = (i * s - e._y0 * e._l12_2a + e._y2 * e._l01_2a) / c;
	}
	if (e._l23_a > Ri) {
		var l = 2 * e._l23_2a + 3 * e._l23_a * e._l12_a + e._l12_2a, u = 3 * e._l23_a * (e._l23_a + e._l12_a);
		a = (a * l + e._x1 * e._l23_2a - t * e._l12_2a) / u, o = (o * l + e._y1 * e._l23_2a - n * e._l12_2a) / u;
	}
	e._context.bezierCurveTo(r, i, a, o, e._x2, e._y2);
}
function ia(e, t) {
	this._context = e, this._alpha = t;
}
ia.prototype = {
	areaStart: function() {
		this._line = 0;
	},
	areaEnd: function() {
		this._line = NaN;
	},
	lineStart: function() {
		this._x0 = this._x1 = this._x2 = this._y0 = this._y1 = this._y2 = NaN, this._l01_a = this._l12_a = this._l23_a = this._l01_2a = this._l12_2a = this._l23_2a = this._point = 0;
	},
	lineEnd: function() {
		switch (this._point) {
			case 2:
				this._context.lineTo(this._x2, this._y2);
				break;
			case 3: this.point(this._x2, this._y2);
		}
		(this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line = 1 - this._line;
	},
	point: function(e, t) {
		if (e = +e, t = +t, this._point) {
			var n = this._x2 - e, r = this._y2 - t;
			this._l23_a = Math.sqrt(this._l23_2a = (n * n + r * r) ** +this._alpha);
		}
		switch (this._point) {
			case 0:
				this._point = 1, this._line ? this._context.lineTo(e, t) : this._context.moveTo(e, t);
				break;
			case 1:
				this._point = 2;
				break;
			case 2: this._point = 3;
			default: ra(this, e, t);
		}
		this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return t ? new ia(e, t) : new ea(e, 0);
	}
	return n.alpha = function(t) {
		return e(+t);
	}, n;
})(.5);
function aa(e, t) {
	this._context = e, this._alpha = t;
}
aa.prototype = {
	areaStart: Z,
	areaEnd: Z,
	lineStart: function() {
		this._x0 = this._x1 = this._x2 = this._x3 = this._x4 = this._x5 = this._y0 = this._y1 = this._y2 = this._y3 = this._y4 = this._y5 = NaN, this._l01_a = this._l12_a = this._l23_a = this._l01_2a = this._l12_2a = this._l23_2a = this._point = 0;
	},
	lineEnd: function() {
		switch (this._point) {
			case 1:
				this._context.moveTo(this._x3, this._y3), this._context.closePath();
				break;
			case 2:
				this._context.lineTo(this._x3, this._y3), this._context.closePath();
				break;
			case 3: this.point(this._x3, this._y3), this.point(this._x4, this._y4), this.point(this._x5, this._y5);
		}
	},
	point: function(e, t) {
		if (e = +e, t = +t, this._point) {
			var n = this._x2 - e, r = this._y2 - t;
			this._l23_a = Math.sqrt(this._l23_2a = (n * n + r * r) ** +this._alpha);
		}
		switch (this._point) {
			case 0:
				this._point = 1, this._x3 = e, this._y3 = t;
				break;
			case 1:
				this._point = 2, this._context.moveTo(this._x4 = e, this._y4 = t);
				break;
			case 2:
				this._point = 3, this._x5 = e, this._y5 = t;
				break;
			default: ra(this, e, t);
		}
		this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return t ? new aa(e, t) : new ta(e, 0);
	}
	return n.alpha = function(t) {
		return e(+t);
	}, n;
})(.5);
function oa(e, t) {
	this._context = e, this._alpha = t;
}
oa.prototype = {
	areaStart: function() {
		this._line = 0;
	},
	areaEnd: function() {
		this._line = NaN;
	},
	lineStart: function() {
		this._x0 = this._x1 = this._x2 = this._y0 = this._y1 = this._y2 = NaN, this._l01_a = this._l12_a = this._l23_a = this._l01_2a = this._l12_2a = this._l23_2a = this._point = 0;
	},
	lineEnd: function() {
		(this._line || this._line !== 0 && this._point === 3) && this._context.closePath(), this._line = 1 - this._line;
	},
	point: function(e, t) {
		if (e = +e, t = +t, this._point) {
			var n = this._x2 - e, r = this._y2 - t;
			this._l23_a = Math.sqrt(this._l23_2a = (n * n + r * r) ** +this._alpha);
		}
		switch (this._point) {
			case 0:
				this._point = 1;
				break;
			case 1:
				this._point = 2;
				break;
			case 2:
				this._point = 3, this._line ? this._context.lineTo(this._x2, this._y2) : this._context.moveTo(this._x2, this._y2);
				break;
			case 3: this._point = 4;
			default: ra(this, e, t);
		}
		this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return t ? new oa(e, t) : new na(e, 0);
	}
	return n.alpha = function(t) {
		return e(+t);
	}, n;
})(.5);
function sa(e) {
	return e < 0 ? -1 : 1;
}
function ca(e, t, n) {
	var r = e._x1 - e._x0, i = t - e._x1, a = (e._y1 - e._y0) / (r || i < 0 && -0), o = (n - e._y1) / (i || r < 0 && -0), s = (a * i + o * r) / (r + i);
	return (sa(a) + sa(o)) * Math.min(Math.abs(a), Math.abs(o), .5 * Math.abs(s)) || 0;
}
function la(e, t) {
	var n = e._x1 - e._x0;
	return n ? (3 * (e._y1 - e._y0) / n - t) / 2 : t;
}
function ua(e, t, n) {
	var r = e._x0, i = e._y0, a = e._x1, o = e._y1, s = (a - r) / 3;
	e._context.bezierCurveTo(r + s, i + s * t, a - s, o - s * n, a, o);
}
function da(e) {
	this._context = e;
}
da.prototype = {
	areaStart: function() {
		this._line = 0;
	},
	areaEnd: function() {
		this._line = NaN;
	},
	lineStart: function() {
		this._x0 = this._x1 = this._y0 = this._y1 = this._t0 = NaN, this._point = 0;
	},
	lineEnd: function() {
		switch (this._point) {
			case 2:
				this._context.lineTo(this._x1, this._y1);
				break;
			case 3: ua(this, this._t0, la(this, this._t0));
		}
		(this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line = 1 - this._line;
	},
	point: function(e, t) {
		var n = NaN;
		if (e = +e, t = +t, e !== this._x1 || t !== this._y1) {
			switch (this._point) {
				case 0:
					this._point = 1, this._line ? this._context.lineTo(e, t) : this._context.moveTo(e, t);
					break;
				case 1:
					this._point = 2;
					break;
				case 2:
					this._point = 3, ua(this, la(this, n = ca(this, e, t)), n);
					break;
				default: ua(this, this._t0, n = ca(this, e, t));
			}
			this._x0 = this._x1, this._x1 = e, this._y0 = this._y1, this._y1 = t, this._t0 = n;
		}
	}
};
function fa(e) {
	this._context = new pa(e);
}
(fa.prototype = Object.create(da.prototype)).point = function(e, t) {
	da.prototype.point.call(this, t, e);
};
function pa(e) {
	this._context = e;
}
pa.prototype = {
	moveTo: function(e, t) {
		this._context.moveTo(t, e);
	},
	closePath: function() {
		this._context.closePath();
	},
	lineTo: function(e, t) {
		this._context.lineTo(t, e);
	},
	bezierCurveTo: function(e, t, n, r, i, a) {
		this._context.bezierCurveTo(t, e, r, n, a, i);
	}
};
function ma(e) {
	return new fa(e);
}
function ha(e, t) {
	this._context = e, this._t = t;
}
ha.prototype = {
	areaStart: function() {
		this._line = 0;
	},
	areaEnd: function() {
		this._line = NaN;
	},
	lineStart: function() {
		this._x = this._y = NaN, this._point = 0;
	},
	lineEnd: function() {
		0 < this._t && this._t < 1 && this._point === 2 && this._context.lineTo(this._x, this._y), (this._line || this._line !== 0 && this._point === 1) && this._context.closePath(), this._line >= 0 && (this._t = 1 - this._t, this._line = 1 - this._line);
	},
	point: function(e, t) {
		switch (e = +e, t = +t, this._point) {
			case 0:
				this._point = 1, this._line ? this._context.lineTo(e, t) : this._context.moveTo(e, t);
				break;
			case 1: this._point = 2;
			default: if (this._t <= 0) this._context.lineTo(this._x, t), this._context.lineTo(e, t);
			else {
				var n = this._x * (1 - this._t) + e * this._t;
				this._context.lineTo(n, this._y), this._context.lineTo(n, t);
			}
		}
		this._x = e, this._y = t;
	}
};
function ga(e) {
	return new ha(e, 1);
}
var _a = 76, va = 18, ya = 40, ba = 26, xa = 46, Sa = 110, Ca = 9, wa = 34, Ta = 116, Ea = (e) => e < 560 ? _a : 116;
function Da(e) {
	return e - Ea(e) - va;
}
function Oa(e) {
	let t = Da(e);
	return {
		easy: Math.floor(t / xa),
		most: Math.max(40, Math.floor(t / Ca))
	};
}
var ka = class {
	order;
	left;
	height;
	lane;
	thickness;
	half;
	step;
	nameRoom;
	rows;
	constructor(e, t, n, r) {
		this.order = n;
		let i = Math.max(1, n.length);
		this.left = Ea(e), this.rows = new Map(n.map((e, t) => [e, t])), this.height = Math.max(t, 66 + wa * i), this.lane = Math.min(Ta, (this.height - ya - ba) / i), this.thickness = Math.max(8, Math.min(20, this.lane * .36)), this.half = Math.min(this.lane * .42, this.thickness + 12), this.step = Math.min(Sa, Da(e) / r), this.nameRoom = this.left - 22;
	}
	x(e) {
		return this.left + e * this.step;
	}
	y(e) {
		return ya + Math.max(0, this.height - ya - ba - this.lane * this.order.length) / 2 + this.lane * ((this.rows.get(e) ?? NaN) + .5);
	}
	get top() {
		return this.y(this.order[0]) - this.lane / 2;
	}
	get bottom() {
		return this.y(this.order[this.order.length - 1]) + this.lane / 2;
	}
	frontierPath(e) {
		let t = this.order.map((t) => [this.x(e[t]), this.y(t)]), [n, r] = [t[0], t[t.length - 1]], i = this.lane / 2, a = [
			[n[0], n[1] - i],
			...t,
			[r[0], r[1] + i]
		];
		return Ki().curve(ma)(a) ?? "";
	}
}, Aa = 40;
function ja(e, t) {
	Ma(e, t), Na(e, t);
}
function Ma(e, { scene: t, view: n, frame: r }) {
	let { recording: i, witnessCuts: a, witness: o } = t, s = o.path ? a : [], c = Math.max(1, Math.ceil(s.length / Aa)), l = s.flatMap((e, t) => {
		let a = t % c && t < s.length - 1 ? null : U(i, n, e);
		return a ? [{
			at: t,
			d: r.frontierPath(a)
		}] : [];
	});
	e.frontiers.selectAll("path.movement").data(l).join("path").attr("class", "movement").attr("d", ({ d: e }) => e).style("animation-delay", ({ at: e }) => `${e / Math.max(1, s.length) * 4}s`);
	let u = s.flatMap((e, t) => {
		let a = t ? e.findIndex((e, n) => e !== s[t - 1][n]) : -1, o = a < 0 ? void 0 : i.state(a, e[a]), c = o && n.column.get(o);
		return o && c !== void 0 ? [{
			at: t,
			x: r.x(c),
			y: r.y(a)
		}] : [];
	});
	e.frontiers.selectAll("text.step").data(r.step >= 13 ? u : []).join("text").attr("class", "step").attr("text-anchor", "middle").attr("x", ({ x: e }) => e).attr("y", ({ y: e }) => e + r.thickness / 2 + 12).text(({ at: e }) => e);
}
function Na(e, { scene: t, view: n, frame: r }) {
	let { recording: i, moment: a, witness: o } = t, s = [
		{
			kind: "least",
			name: "earliest",
			cut: a.least
		},
		{
			kind: "greatest",
			name: "latest",
			cut: a.greatest
		},
		{
			kind: "witness",
			name: "holds here",
			cut: o.cut
		}
	], c = /* @__PURE__ */ new Map();
	for (let { name: e, cut: t } of s) t && c.set(t.join(), [...c.get(t.join()) ?? [], e]);
	let l = s.flatMap(({ kind: e, name: t, cut: r }) => {
		let a = r && U(i, n, r);
		if (!r || !a) return [];
		let o = c.get(r.join());
		return [{
			kind: e,
			cut: r,
			crossing: a,
			text: o[o.length - 1] === t ? o.join(", ") : ""
		}];
	}), u = n.order[0], d = r.top - 4, f = [], p = /* @__PURE__ */ new Map(), m = r.x(n.columns) + 14, h = (e) => {
		let t = e.text.length * 3.4;
		return {
			x: Math.max(Math.min(r.x(e.crossing[u]), m - t), t + 2),
			half: t
		};
	};
	for (let e of [...l].sort((e, t) => e.crossing[u] - t.crossing[u])) {
		let { x: t, half: n } = h(e), r = f.findIndex((e) => e < t - n), i = r < 0 ? f.length : r;
		f[i] = t + n + 4, p.set(e.kind, i);
	}
	e.frontiers.selectAll("g").data(l, ({ kind: e }) => e).join((e) => {
		let t = e.append("g");
		return t.append("path"), t.append("text").attr("text-anchor", "middle"), t;
	}).attr("class", ({ kind: e }) => `frontier ${e}`).attr("data-cut", ({ cut: e }) => i.show(e)).each((e, t, n) => {
		let i = P(n[t]);
		i.select("path").attr("d", r.frontierPath(e.crossing));
		let a = d - 12 * (p.get(e.kind) ?? 0);
		i.select("text").attr("x", h(e).x).attr("y", a).text(e.text);
	});
}
//#endregion
//#region src/times.ts
var Pa = /(?:^|[T ])(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,3})?)?)/, Fa = 1e8;
function Ia(e) {
	if (typeof e == "number") return La(e);
	if (typeof e != "string" || !e) return "";
	let t = Pa.exec(e);
	return t ? t[1] : e.trim() !== "" && Number.isFinite(Number(e)) ? La(Number(e)) : "";
}
function La(e) {
	if (!Number.isFinite(e)) return "";
	let t = Math.abs(e);
	for (; t >= Fa * 1e3;) t /= 1e3;
	if (t < Fa) return String(Math.round(e * 1e3) / 1e3);
	let n = new Date(Math.round(t * 1e3)).toISOString().slice(11, 23);
	return n.endsWith(".000") ? n.slice(0, 8) : n;
}
//#endregion
//#region src/spacetime-marks.ts
function Ra(e, t) {
	za(e, t), Ba(e, t), Ti(e, t), Va(e, t), Ha(e, t), Ua(e, t), ja(e, t), Ei(e, t);
}
function za(e, { scene: t, view: n, frame: r }) {
	let { processes: i } = t.recording.spec, a = z(i, r.nameRoom, vi), o = r.x(n.columns), s = e.labels.selectAll("g.lane").data(n.order, (e) => e).join((e) => {
		let t = e.append("g").attr("class", "lane");
		return t.append("text").attr("text-anchor", "end").attr("dy", "0.35em"), t.append("title"), t;
	});
	s.attr("transform", (e) => `translate(0 ${r.y(e)})`), s.select("text").attr("x", r.left - 14).text((e) => a[e]), s.select("title").text((e) => i[e]), e.ends.selectAll("path.lane").data(n.order).join("path").attr("class", "lane").attr("d", (e) => c(e).join(""));
	function c(e) {
		let { recording: i } = t;
		if (!i.spec.open) return [`M${r.left - 8} ${r.y(e)}H${o}`];
		let [a, s] = n.spans[e];
		return Array.from({ length: s - a + 1 }, (t, n) => i.state(e, a + n)).flatMap((t, a) => {
			if (!t || !i.isThere(t)) return [];
			let [o, s] = H(i, n, t).map((e) => r.x(e));
			return [`M${a || i.isJoining(t) ? o : r.left - 8} ${r.y(e)}H${s}`];
		});
	}
}
function Ba(e, { scene: t, view: n, frame: r }) {
	let { recording: i, moment: a } = t, o = n.order.flatMap((e) => {
		let t = i.state(e, Math.max(a.oldest[e], n.spans[e][0])), o = t !== void 0 && t.number === 0 && !i.isThere(t) && a.newest[e] > 0 ? i.state(e, 1) : t, s = i.state(e, a.newest[e]);
		if (!o || !s || !i.isThere(s) && o === s) return [];
		let c = r.x(H(i, n, o)[0]), [l, u] = H(i, n, s);
		return [{
			k: e,
			begin: c,
			end: r.x(i.isThere(s) ? u : l)
		}];
	});
	e.windows.selectAll("rect").data(o, ({ k: e }) => e).join("rect").attr("rx", 8).attr("x", ({ begin: e }) => e - 7).attr("width", ({ begin: e, end: t }) => Math.max(t - e + 7, 10)).attr("y", ({ k: e }) => r.y(e) - r.half).attr("height", 2 * r.half);
}
function Va(e, { scene: t, view: n, frame: r }) {
	let { recording: i, runs: a } = t, o = (a ?? []).flatMap((e) => {
		let t = [e.first, e.last].map((t) => i.state(e.process, t));
		if (!t.every((e) => e && n.column.has(e)) || !n.order.includes(e.process)) return [];
		let a = r.x(H(i, n, t[0])[0]) + 2.5, o = r.x(H(i, n, t[1])[1]) - 2.5;
		return [`M${a} ${r.y(e.process) + r.thickness / 2 + 5 - 3}v3H${o}v-3`];
	});
	e.runs.selectAll("path").data(o).join("path").attr("class", "run").attr("d", String);
}
function Ha(e, { scene: t, view: n, frame: r }) {
	let { recording: i, moment: a, runs: o } = t, s = [...n.column.keys()].flatMap((e) => pi(i, e)).filter(({ from: e }) => n.column.has(e)), c = new Set(o ? d(i, a, o, s) : []), l = ({ from: e, to: t }) => e.number > a.newest[e.process] || t.number > a.newest[t.process];
	e.messages.selectAll("path").data(s, ({ from: e, to: t }) => `${e.process}/${e.number}-${t.process}/${t.number}`).join("path").attr("class", (e) => c.has(e) ? "message forcing" : l(e) ? "message coming" : "message").attr("d", ({ from: e, to: t }) => {
		let [i, a] = [r.x(n.column.get(e)), r.y(e.process)], [o, s] = [r.x(n.column.get(t)), r.y(t.process)], c = Math.hypot(o - i, s - a), [l, u] = [(o - i) / c, (s - a) / c];
		return `M${i + 5 * l} ${a + 5 * u}L${o - 6 * l} ${s - 6 * u}`;
	});
}
function Ua(e, { view: t, frame: n }) {
	let r = -Infinity, i = [];
	for (let [e, a] of t.column) {
		let t = e.number === 0 ? "" : Ia(e.time), [o, s] = [n.x(a), t.length * 3.3];
		!t || o - s < r || o - s < n.left - 30 || (i.push({
			x: o,
			text: t
		}), r = o + s + 14);
	}
	e.labels.selectAll("text.time").data(i).join("text").attr("class", "time").attr("text-anchor", "middle").attr("x", ({ x: e }) => e).attr("y", n.height - 8).text(({ text: e }) => e);
}
//#endregion
//#region src/spacetime-view.ts
var Wa = 10, Ga = class {
	events;
	note = e("p", {
		class: "remark",
		hidden: !0
	});
	svg;
	layers;
	width = 0;
	height = 0;
	scene = null;
	picture = null;
	placed = null;
	focus = null;
	order = null;
	constructor(e, t) {
		this.events = t, this.svg = P(e).append("svg").attr("tabindex", 0).attr("role", "img");
		let n = this.svg.append("defs");
		for (let e of [
			"arrow",
			"arrow-lit",
			"arrow-forcing"
		]) {
			let t = n.append("marker").attr("id", e).attr("viewBox", "0 0 8 8");
			t.attr("refX", 7).attr("refY", 4).attr("markerWidth", 7).attr("markerHeight", 7), t.attr("orient", "auto").append("path").attr("d", "M0.5 0.8 7.5 4 0.5 7.2z").attr("class", e);
		}
		let r = (e) => this.svg.append("g").attr("class", e);
		this.layers = {
			windows: r("windows"),
			ends: r("ends"),
			states: r("states"),
			runs: r("runs"),
			messages: r("messages"),
			labels: r("labels"),
			frontiers: r("frontiers"),
			over: r("over"),
			texts: r("texts")
		}, this.svg.on("pointermove", (e) => this.onMove(e)), this.svg.on("pointerleave", () => t.point(E, null)), this.svg.on("mousedown", (e) => e.preventDefault()), this.svg.on("keydown", (e) => this.onKey(e)), this.svg.on("blur", () => {
			this.focus = null, t.point(E, null);
		}), s(e, (e, t) => {
			this.width = e, this.height = t, this.scene && this.render(this.scene);
		});
	}
	render(e) {
		if (this.scene = e, !this.width) return;
		let t = e.recording.hasClocks ? this.renderStates(e) : this.renderEnds(e);
		this.svg.attr("width", this.width).attr("height", t.height);
	}
	highlight(e, t) {
		if (!this.picture) return;
		let { scene: n, view: r, frame: i } = this.picture, { recording: a } = n, o = [t, e.cut].filter((e) => e !== null), s = o.flatMap((e) => {
			let t = U(a, r, e);
			return t ? [{
				cut: e,
				d: i.frontierPath(t)
			}] : [];
		});
		this.layers.over.selectAll("path").data(s).join("path").attr("class", ({ cut: t }) => t === e.cut ? "frontier hovered" : "frontier pinned").attr("data-cut", ({ cut: e }) => a.show(e)).attr("d", ({ d: e }) => e);
		let c = new Set(o.flatMap((e) => e.map((e, t) => a.state(t, e))));
		this.layers.states.selectAll("g").classed("lit", (e) => c.has(e)).classed("focused", (t) => t === e.state), this.layers.messages.selectAll("path").classed("lit", ({ from: t, to: n }) => e.state !== null && (t === e.state || n === e.state));
	}
	locate(e, { view: t, frame: n }) {
		let r = this.svg.node().getBoundingClientRect();
		return {
			x: r.x + n.x(t.column.get(e) ?? 0) + 16,
			y: r.y + n.y(e.process)
		};
	}
	renderStates(e) {
		let { recording: t, moment: n } = e, r = gi(t, n, this.positions(t), Oa(this.width), this.lanes(e)), i = new ka(this.width, this.height, r.order, r.columns), a = [
			i.height > this.height + 1 ? `${r.order.length} lanes: scroll for more.` : "",
			n.process < 0 ? "No state came, but time went on: states that got too old left the windows." : "",
			r.hidden ? `${o(r.hidden, "earlier state")} of the windows not shown.` : ""
		].filter(Boolean);
		return this.note.hidden = a.length === 0, this.note.textContent = a.join(" "), this.picture = {
			scene: e,
			view: r,
			frame: i
		}, this.svg.attr("aria-label", Ka(e, r.order)), Ra(this.layers, this.picture), i;
	}
	renderEnds(e) {
		let t = this.lanes(e);
		this.note.hidden = !0;
		let n = new ka(this.width, this.height, t, Oi(e.moment));
		return this.picture = null, this.svg.attr("aria-label", "States between the least and the greatest cut, by index"), ki(this.layers, n, e, t), n;
	}
	arrange(e) {
		this.order = e, this.scene && this.render(this.scene);
	}
	show(e) {
		this.picture?.view.column.has(e) && (this.focus = e, this.events.point({
			cut: null,
			state: e
		}, this.locate(e, this.picture)));
	}
	lanes({ recording: e, moment: t, deciding: n }) {
		if (this.order) return this.order;
		let r = [...e.spec.processes.keys()].filter((n) => e.hasJoined(n, t));
		if (r.length <= Wa) return r;
		let i = r.filter((n) => !e.isOver(n, t)), a = n.filter((e) => i.includes(e));
		return [...a, ...i.filter((e) => !a.includes(e))];
	}
	positions(e) {
		return this.placed?.recording !== e && (this.placed = {
			recording: e,
			at: new hi(e)
		}), this.placed.at.follow();
	}
	onMove(e) {
		if (!this.picture) return;
		let { scene: t, view: n, frame: r } = this.picture, { recording: i, lattice: a, moment: o } = t, [s, c] = F(e, this.svg.node()), l = (s - r.left) / r.step;
		if (l < 0 || l > n.columns) {
			this.events.point(E, null);
			return;
		}
		let u = _i(i, n, l), { least: d, greatest: f } = o, p = d && f ? u.map((e, t) => Math.min(Math.max(e, d[t]), f[t])) : null, m = p && a?.position.has(p.join(",")) ? p : null, h = n.order.find((e) => Math.abs(c - r.y(e)) < r.thickness), g = h === void 0 ? void 0 : i.state(h, u[h]), _ = g && n.column.has(g) && (i.isThere(g) || i.isLeaving(g)) ? g : null;
		this.events.point({
			cut: m,
			state: _
		}, _ ? {
			x: e.clientX,
			y: e.clientY
		} : null);
	}
	onKey(e) {
		let t = {
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1],
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0]
		}[e.key];
		if (!t || !this.picture) return;
		e.preventDefault(), e.stopPropagation();
		let { scene: n, view: r } = this.picture, { recording: i, moment: a } = n, { order: o } = r, s = o.includes(a.process) ? a.process : o[0], c = this.focus ?? i.state(s, a.newest[s]), l = o[(o.indexOf(c.process) + t[0] + o.length) % o.length] ?? o[0], [u, d] = r.spans[l], f = c.number + t[1];
		l !== c.process && (f = _i(i, r, (r.column.get(c) ?? 0) + .5)[l]), this.focus = i.state(l, Math.min(Math.max(f, u), d)) ?? c, this.events.point({
			cut: null,
			state: this.focus
		}, this.locate(this.focus, this.picture));
	}
};
function Ka({ recording: e, moment: t }, n) {
	return `Space-time diagram. States in the window: ${n.map((n) => {
		let r = e.spec.processes[n], i = [t.oldest[n], t.newest[n]].map((t) => e.state(n, t)?.index);
		return `${r} ${i[0]} to ${i[1]}`;
	}).join(", ")}. Arrow keys move between states.`;
}
//#endregion
//#region src/swipe.ts
var qa = 48;
function Ja(e, t) {
	return Math.abs(e) < qa || Math.abs(e) < 1.6 * Math.abs(t) ? 0 : e < 0 ? 1 : -1;
}
function Ya(e, t) {
	let n = null;
	e.addEventListener("touchstart", ({ touches: e }) => {
		n = e.length === 1 ? {
			x: e[0].clientX,
			y: e[0].clientY
		} : null;
	}, { passive: !0 }), e.addEventListener("touchend", ({ changedTouches: e }) => {
		let r = n ? Ja(e[0].clientX - n.x, e[0].clientY - n.y) : 0;
		n = null, r && t(r);
	});
}
//#endregion
//#region src/range.ts
var Xa = 12, Za = class e {
	begin;
	end;
	first;
	last;
	constructor(e, t, n, r) {
		this.begin = e, this.end = t, this.first = n, this.last = r;
	}
	static whole(t, n) {
		return new e(t - .5, Math.max(n, t) + .5, t, Math.max(n, t));
	}
	get length() {
		return this.end - this.begin;
	}
	get isWhole() {
		return this.begin <= this.first - .5 && this.end >= this.last + .5;
	}
	get slides() {
		return [Math.max(this.first, Math.round(this.begin)), Math.min(this.last, Math.ceil(this.end - .5))];
	}
	zoom(e, t) {
		let n = Math.min(Math.max(this.length / e, Xa), this.last - this.first + 1), r = (t - this.begin) / this.length;
		return this.moved(t - r * n, n);
	}
	pan(e) {
		return this.moved(this.begin + e, this.length);
	}
	toward(e) {
		return e - .5 >= this.begin && e + .5 <= this.end ? this : this.moved(e - this.length / 2, this.length);
	}
	follow(t, n) {
		return t === this.first && n === this.last ? this : this.isWhole ? e.whole(t, n) : new e(this.begin, this.end, t, n).moved(this.begin, this.length);
	}
	moved(t, n) {
		let [r, i] = [this.first - .5, this.last + .5], a = Math.min(n, i - r), o = Math.min(Math.max(t, r), i - a);
		return new e(o, o + a, this.first, this.last);
	}
};
//#endregion
//#region node_modules/d3-array/dist/d3-array.mjs
function $(e, t) {
	return e == null || t == null ? NaN : e < t ? -1 : e > t ? 1 : e >= t ? 0 : NaN;
}
function Qa(e, t) {
	return e == null || t == null ? NaN : t < e ? -1 : t > e ? 1 : t >= e ? 0 : NaN;
}
function $a(e) {
	let t, n, r;
	e.length === 2 ? (t = e === $ || e === Qa ? e : eo, n = e, r = e) : (t = $, n = (t, n) => $(e(t), n), r = (t, n) => e(t) - n);
	function i(e, r, i = 0, a = e.length) {
		if (i < a) {
			if (t(r, r) !== 0) return a;
			do {
				let t = i + a >>> 1;
				n(e[t], r) < 0 ? i = t + 1 : a = t;
			} while (i < a);
		}
		return i;
	}
	function a(e, r, i = 0, a = e.length) {
		if (i < a) {
			if (t(r, r) !== 0) return a;
			do {
				let t = i + a >>> 1;
				n(e[t], r) <= 0 ? i = t + 1 : a = t;
			} while (i < a);
		}
		return i;
	}
	function o(e, t, n = 0, a = e.length) {
		let o = i(e, t, n, a - 1);
		return o > n && r(e[o - 1], t) > -r(e[o], t) ? o - 1 : o;
	}
	return {
		left: i,
		center: o,
		right: a
	};
}
function eo() {
	return 0;
}
function to(e) {
	return e === null ? NaN : +e;
}
var no = $a($);
no.right, no.left, $a(to).center, Array.prototype.slice;
var ro = Math.sqrt(50), io = Math.sqrt(10), ao = Math.sqrt(2);
function oo(e, t, n) {
	let r = (t - e) / Math.max(0, n), i = Math.floor(Math.log10(r)), a = r / 10 ** i, o = a >= ro ? 10 : a >= io ? 5 : a >= ao ? 2 : 1, s, c, l;
	return i < 0 ? (l = 10 ** -i / o, s = Math.round(e * l), c = Math.round(t * l), s / l < e && ++s, c / l > t && --c, l = -l) : (l = 10 ** i * o, s = Math.round(e / l), c = Math.round(t / l), s * l < e && ++s, c * l > t && --c), c < s && .5 <= n && n < 2 ? oo(e, t, n * 2) : [
		s,
		c,
		l
	];
}
function so(e, t, n) {
	if (t = +t, e = +e, n = +n, !(n > 0)) return [];
	if (e === t) return [e];
	let r = t < e, [i, a, o] = r ? oo(t, e, n) : oo(e, t, n);
	if (!(a >= i)) return [];
	let s = a - i + 1, c = Array(s);
	if (r) {
		if (o < 0) for (let e = 0; e < s; ++e) c[e] = (a - e) / -o;
		else for (let e = 0; e < s; ++e) c[e] = (a - e) * o;
	} else if (o < 0) for (let e = 0; e < s; ++e) c[e] = (i + e) / -o;
	else for (let e = 0; e < s; ++e) c[e] = (i + e) * o;
	return c;
}
//#endregion
//#region src/timeline-marks.ts
var co = [
	"duplicates",
	"rejected",
	"late",
	"skipped",
	"too_large"
];
function lo({ lanes: e }) {
	return e.some((e) => e.length > 0 && Ia(e[e.length - 1].time) !== "");
}
function uo(e, t, n, { height: r, axis: i, times: a }) {
	let [o, s] = n.slides, c = so(o, s, Math.max(2, Math.floor(n.room / 90))).filter(Number.isInteger), l = e.selectAll("g").data(c).join((e) => {
		let t = e.append("g");
		return t.append("line"), t.append("text").attr("class", "slide").attr("text-anchor", "middle"), t.append("text").attr("class", "time").attr("text-anchor", "middle"), t;
	});
	l.attr("transform", (e) => `translate(${n.x(e)} 0)`), l.select("line").attr("y1", 0).attr("y2", r - i - a), l.select("text.slide").attr("y", r - 4 - a).text((e) => e.toLocaleString("en")), l.select("text.time").attr("y", r - 4).text((e) => a ? Ia(t.delivered(e)?.time) : "");
}
function fo(e, t, n) {
	let [r, i] = n.slides, a = /* @__PURE__ */ new Set(), o = co.flatMap((e) => {
		let o = t.counters[e] ?? [], s = [];
		for (let c = Math.max(r, t.first + 1); c <= i; c++) {
			let r = c - t.first, i = Math.round(n.x(c));
			o[r] <= o[r - 1] || a.has(`${e}/${i}`) || (a.add(`${e}/${i}`), s.push({
				name: e,
				x: i
			}));
		}
		return s;
	}), s = new Set(o.map(({ name: e }) => e));
	e.selectAll("path").data(o).join("path").attr("class", ({ name: e }) => `notice ${e}`).attr("d", ({ x: e }) => `M${e} 0v8`), e.selectAll("text").data(s.size === 1 ? [...s] : s.size ? ["notices"] : []).join("text").attr("class", "name").attr("x", n.left - 14).attr("y", 8).attr("text-anchor", "end").text((e) => e.replace("_", " "));
}
function po(e, t, n, r) {
	let [i, a] = n.slides, o = t.filter(({ slide: e }) => e >= i && e <= a), s = [...new Set(o.map(({ slide: e }) => Math.round(n.x(e))))];
	e.selectAll("path").data(s).join("path").attr("d", (e) => `M${e} 0v${r}`);
}
//#endregion
//#region src/timeline-data.ts
function mo(e, t, n) {
	let r = [], i = Math.min(t, e.length);
	for (let t = 0; t < i; t++) {
		let a = Math.floor(t * e.length / i), o = Math.floor((t + 1) * e.length / i), s = n(e.slice(a, o)), c = r[r.length - 1];
		c && c[2] === s ? c[1] = (t + 1) / i : r.push([
			t / i,
			(t + 1) / i,
			s
		]);
	}
	return r;
}
function ho(e, t) {
	return mo(e, t, (e) => {
		let t = e.includes("1"), n = e.includes("0");
		return e.includes("?") ? "?" : t && n ? "m" : t ? "1" : "0";
	});
}
function go(e, t) {
	return mo(e, t, (e) => [..."21-0."].find((t) => e.includes(t)) ?? " ");
}
function _o(e, t) {
	let n = Math.min(t, e.length);
	return Array.from({ length: n }, (t, r) => {
		let i = Math.floor(r * e.length / n), a = Math.max(i + 1, Math.floor((r + 1) * e.length / n));
		return e.slice(i, a).reduce((e, t) => Math.max(e, t), 0);
	});
}
//#endregion
//#region src/timeline-overview.ts
var vo = 84, yo = {
	0: "out",
	"-": "may",
	1: "holds",
	2: "holds",
	".": "unread"
}, bo = " ", xo = (e) => Math.max(2, Math.min(13, vo / e));
function So(e) {
	return e.hasClocks ? xo(e.spec.processes.length) * e.spec.processes.length + 6 : 0;
}
function Co(e, t, n, r) {
	return e.lanes.map((i, a) => {
		let o = [], s = n, c = e.state(a, e.moment(n).newest[a]);
		for (; s <= r;) {
			let n = c && i[c.number + 1 - e.from[a]], l = n ? Math.min(Math.max(n.slide, s), r + 1) : r + 1, u = c && !e.isThere(c) ? bo : c?.colours[t] ?? ".";
			o.push(u.repeat(l - s)), s = l, c = n;
		}
		return o.join("");
	});
}
function wo(e, t, n) {
	let { recording: r, part: i } = t, { processes: a } = r.spec, o = xo(a.length), s = z(a, n.left - 18, "11px"), [c, l] = n.slides, u = n.x(c - .5), d = n.x(l + .5) - u, f = Co(r, i, c, l).map((e) => go(e, Math.max(1, Math.floor(d)))), p = e.selectAll("g.row").data(f).join((e) => {
		let t = e.append("g").attr("class", "row");
		return t.append("text").attr("class", "name").attr("text-anchor", "end").attr("dy", "0.35em"), t;
	}).attr("transform", (e, t) => `translate(0 ${t * o})`);
	e.selectAll("text.all").data(o < 10 ? [`${a.length} lanes`] : []).join("text").attr("class", "name all").attr("text-anchor", "end").attr("x", n.left - 14).attr("y", o * a.length / 2 + 4).text(String);
	let m = o < 6 ? 0 : 1;
	p.select("text").attr("x", n.left - 14).attr("y", o / 2).text((e, t) => o >= 10 ? s[t] : ""), p.selectAll("path").data((e) => {
		let t = /* @__PURE__ */ new Map();
		for (let [n, r, i] of e) {
			if (i === bo) continue;
			let e = yo[i] ?? "unread", [a, s] = [u + n * d, Math.max(.5, (r - n) * d)];
			t.set(e, `${t.get(e) ?? ""}M${a} ${m}h${s}v${o - 2 * m}h${-s}z`);
		}
		return [...t];
	}).join("path").attr("class", ([e]) => e).attr("d", ([, e]) => e);
}
function To(e, { recording: t, moment: n }, r) {
	let i = xo(t.spec.processes.length), [a, o] = [r.left, r.left + r.room], s = n.oldest.flatMap((e, i) => {
		let s = t.state(i, n.newest[i]), c = t.state(i, e), l = c && !t.isThere(c) && c !== s ? t.state(i, e + 1) : c, u = s !== void 0 && !t.isThere(s), d = Math.max(r.x(Math.max(l?.slide ?? 0, t.first) - .5), a), f = Math.min(r.x(u ? s.slide - .5 : n.slide + .5), o);
		return f > d ? [{
			k: i,
			begin: d,
			end: f
		}] : [];
	});
	e.selectAll("rect.window").data(t.hasClocks ? s : []).join("rect").attr("class", i < 8 ? "window thin" : "window").attr("x", ({ begin: e }) => e).attr("width", ({ begin: e, end: t }) => Math.max(2, t - e)).attr("y", ({ k: e }) => e * i).attr("height", i);
}
var Eo = 200;
function Do({ slides: [e, t], x: n }) {
	let r = n(e - .5);
	return {
		first: e,
		last: t,
		begin: r,
		room: n(t + .5) - r
	};
}
function Oo(e, t, n, r) {
	let { first: i, last: a, begin: o, room: s } = Do(n), { properties: c } = t.spec, l = z(c.map(({ name: e }) => e), n.left - 18, "650 12px"), u = e.selectAll("g.strip").data(t.values.map((e) => e.slice(i - t.first, a - t.first + 1))).join((e) => {
		let t = e.append("g").attr("class", "strip");
		t.append("rect").attr("class", "back").attr("height", 15).attr("rx", 3);
		for (let e of [
			"one",
			"mixed",
			"unknown"
		]) t.append("path").attr("class", e);
		for (let e of ["name", "value"]) t.append("text").attr("class", e).attr("y", 15 / 2).attr("dy", "0.35em");
		return t;
	}).classed("never", (e, t) => c[t].never).attr("transform", (e, t) => `translate(0 ${t * 21})`);
	u.select(".back").attr("x", o).attr("width", s), u.select(".value").attr("x", n.left + n.room + 10), u.select(".name").attr("text-anchor", "end").attr("x", n.left - 14).text((e, t) => l[t]).on("click", (e) => {
		let t = e.currentTarget.parentNode;
		r(u.nodes().indexOf(t));
	}), u.each((e, t, n) => {
		let r = P(n[t]), i = ho(e, Math.max(1, Math.floor(s))), a = ([e, t]) => {
			let n = Math.max(.5, (t - e) * s);
			return `M${o + e * s} 0h${n}v15h${-n}z`;
		}, c = (e) => i.filter((t) => t[2] === e).map(a).join("");
		r.select(".one").attr("d", c("1")), r.select(".mixed").attr("d", c("m")), r.select(".unknown").attr("d", c("?"));
	});
}
function ko(e, { recording: t, moment: n, property: r }) {
	let i = {
		1: "true",
		0: "false",
		"?": "too large"
	}, a = e.selectAll("g.strip");
	a.classed("chosen", (e, t) => t === r).classed("violated", (e, r) => Ce(t, r, n.slide)), a.each((e, r, a) => {
		P(a[r]).select(".value").text(i[t.value(r, n.slide)] ?? "");
	});
}
function Ao(e, t, n) {
	let { first: r, last: i, begin: a, room: o } = Do(n), s = t.cutCounts.slice(r - t.first, i - t.first + 1);
	if (!t.hasClocks) for (let e = 1; e < s.length; e++) s[e] < 0 && (s[e] = s[e - 1]);
	let c = _o(s.map((e) => Math.max(e, 0)), Math.max(1, Math.floor(o))), l = c.reduce((e, t) => Math.max(e, t), 1), u = l > Eo, d = (e) => (u ? Math.log1p(e) / Math.log1p(l) : e / l) * 34, f = o / Math.max(c.length, 1), p = qi().curve(ga).x((e, t) => a + t * f).y0(34).y1((e) => 34 - d(e)), m = t.hasClocks ? s.map((e) => e < 0 ? "1" : "0").join("") : "";
	e.selectAll("rect").data(ho(m, Math.max(1, Math.floor(o))).filter(([, , e]) => e !== "0")).join("rect").attr("class", "unknown").attr("x", ([e]) => a + e * o).attr("width", ([e, t]) => (t - e) * o).attr("height", 34), e.selectAll("path").data([[...c, c[c.length - 1]]]).join("path").attr("d", p);
	let [h, g] = [n.left - 14, n.left + n.room + 10], _ = [
		{
			x: h,
			y: 15,
			anchor: "end",
			text: "lattice size",
			name: "name"
		},
		{
			x: h,
			y: 29,
			anchor: "end",
			text: u ? "log scale" : "",
			name: "small"
		},
		{
			x: g,
			y: 10,
			anchor: "start",
			text: `max ${Mo(l)}`,
			name: "small"
		},
		{
			x: g,
			y: 28,
			anchor: "start",
			text: "",
			name: "now value"
		}
	];
	e.selectAll("text").data(_).join("text").attr("x", ({ x: e }) => e).attr("y", ({ y: e }) => e).attr("text-anchor", ({ anchor: e }) => e).attr("class", ({ name: e }) => e).text(({ text: e }) => e);
}
function jo(e, { recording: t, moment: n }) {
	let r = t.hasClocks ? "too large" : "";
	e.select(".now").text(n.cuts === null ? r : Mo(n.cuts));
}
var Mo = (e) => e < 1e4 ? e.toLocaleString("en") : new Intl.NumberFormat("en", { notation: "compact" }).format(e), No = 18, Po = 13, Fo = class {
	events;
	svg;
	cursor = e("div", {
		class: "cursor",
		"aria-hidden": "true"
	});
	width = 0;
	recording = null;
	scene = null;
	range = Za.whole(1, 1);
	found = [];
	constructor(e, t) {
		this.events = t, this.svg = P(e).append("svg");
		for (let e of [
			"axis",
			"overview",
			"strips",
			"size",
			"notices",
			"found"
		]) this.svg.append("g").attr("class", e);
		let n = this.svg.append("rect").attr("class", "pad").attr("tabindex", 0).attr("role", "slider");
		n.attr("aria-label", "Slide").attr("fill", "transparent");
		let r = (e) => {
			this.recording && t.go(this.recording.clamp(this.slideAt(F(e, this.svg.node())[0])));
		};
		n.on("pointerdown", (e) => {
			e.target.setPointerCapture(e.pointerId), r(e);
		}), n.on("pointermove", (e) => e.buttons && r(e)), n.on("wheel", (e) => this.onWheel(e)), e.append(this.cursor), s(e, (e) => {
			this.width = e, this.draw();
		});
	}
	render(e) {
		let { first: t, last: n } = e.recording, r = this.recording !== e.recording, i = (r ? Za.whole(t, n) : this.range.follow(t, n)).toward(e.moment.slide), a = i !== this.range || this.scene?.part !== e.part;
		this.scene = e, this.recording = e.recording, this.range = i, r || a || this.svg.attr("data-slides") !== Io(e.recording) ? this.draw() : this.drawCursor();
	}
	zoom(e) {
		let { recording: t, scene: n } = this;
		t && n && (this.range = e ? this.range.zoom(e, n.moment.slide) : Za.whole(t.first, t.last), this.draw());
	}
	mark(e) {
		this.found = e, this.drawFound();
	}
	get left() {
		return this.width < 560 ? 84 : 132;
	}
	get room() {
		return Math.max(40, this.width - this.left - (this.width < 560 ? 66 : 84));
	}
	slideAt(e) {
		return this.range.begin + (e - this.left) / this.room * this.range.length;
	}
	x(e) {
		return this.left + (e - this.range.begin) / this.range.length * this.room;
	}
	scale() {
		let { left: e, room: t } = this;
		return {
			left: e,
			room: t,
			slides: this.range.slides,
			x: (e) => this.x(e)
		};
	}
	onWheel(e) {
		let { recording: t } = this, n = e.shiftKey && e.deltaY || e.deltaX;
		if (!t || !e.ctrlKey && !e.metaKey && !n) return;
		e.preventDefault();
		let r = e.ctrlKey || e.metaKey, i = this.slideAt(F(e, this.svg.node())[0]);
		this.range = r ? this.range.zoom(Math.exp(-e.deltaY / 300), i) : this.range.pan(n / this.room * this.range.length), this.draw();
	}
	layer(e) {
		return this.svg.select(`g.${e}`);
	}
	draw() {
		let { recording: e, scene: t } = this;
		if (!e || !t || !this.width || e.isEmpty) return;
		let n = this.scale(), r = lo(e) ? Po : 0, i = So(e) + 4, a = i + e.spec.properties.length * 21, o = a + 34 + 6, s = o + 10 + No + 4 + r;
		this.svg.attr("width", this.width).attr("height", s).attr("data-slides", Io(e)), this.svg.attr("data-shown", this.range.slides.join("..")), uo(this.layer("axis"), e, n, {
			height: s,
			axis: No,
			times: r
		});
		let c = this.layer("overview").attr("transform", "translate(0 2)");
		e.hasClocks ? wo(c, t, n) : c.selectAll("*").remove(), Oo(this.layer("strips").attr("transform", `translate(0 ${i})`), e, n, (e) => this.events.choose(e)), Ao(this.layer("size").attr("transform", `translate(0 ${a})`), e, n), fo(this.layer("notices").attr("transform", `translate(0 ${o + 4})`), e, n), this.drawFound(), this.svg.select(".pad").attr("x", this.left).attr("y", 0).attr("height", s).attr("width", this.room), this.cursor.style.height = `${s - No - r}px`, this.drawCursor();
	}
	drawFound() {
		this.recording && this.width && po(this.layer("found"), this.found, this.scale(), Math.max(8, So(this.recording)));
	}
	drawCursor() {
		if (!this.scene || !this.width) return;
		let { moment: e, recording: t } = this.scene;
		To(this.layer("overview"), this.scene, this.scale()), this.cursor.hidden = e.slide < this.range.begin || e.slide > this.range.end, this.cursor.style.transform = `translateX(${this.x(e.slide)}px)`, this.svg.select(".pad").attr("aria-valuemin", t.first).attr("aria-valuemax", t.last).attr("aria-valuenow", e.slide).attr("aria-valuetext", Ae(this.scene)), ko(this.layer("strips"), this.scene), jo(this.layer("size"), this.scene);
	}
}, Io = ({ first: e, last: t }) => `${e}..${t}`, Lo = {
	0: "rules the condition out",
	"-": "does not rule the condition out; others decide",
	1: "satisfies its own part of the condition",
	2: "makes the condition true"
}, Ro = class {
	root = e("div", {
		class: "tip",
		role: "status",
		hidden: !0
	});
	render(e, t, n) {
		let r = t && n ? this.contentOf(e, t) : null;
		if (this.root.hidden = !r, !r || !n) return;
		this.root.replaceChildren(...r);
		let { width: i, height: a } = this.root.getBoundingClientRect(), o = n.x + 18 + i > innerWidth ? n.x - i - 18 : n.x + 18, s = Math.min(n.y + 14, innerHeight - a - 8);
		this.root.style.transform = `translate(${Math.max(4, Math.round(o))}px, ${Math.max(4, Math.round(s))}px)`;
	}
	contentOf(e, t) {
		return e.state ? this.ofState(e.state, t) : e.cut ? this.ofCut(e, t) : null;
	}
	ofState(t, { recording: n, moment: r, lattice: i, part: s }) {
		let { processes: c } = n.spec, l = e("strong", {}, `${c[t.process]}#${t.index}`), u = c[t.process], d = [
			n.isLeaving(t) ? `${u} left here` : n.isJoining(t) ? `${u} joined here` : "",
			zo(t, r.slide),
			t.time === null || t.time === void 0 ? "" : a(t.time)
		].filter(Boolean), f = n.isThere(t) ? Lo[t.colours[s]] : "", p = [l, e("span", { class: "soft" }, ` ${d.join(" · ")}`)];
		p.push(Vo(Bo(t.variables), "variables"));
		let m = c.map((e, n) => [e, String(t.clock[n])]).filter((e, n) => t.clock[n]);
		p.push(Vo(m, "clock")), f && p.push(e("p", { class: "soft" }, f));
		let h = i?.cuts.filter((e) => e[t.process] === t.number).length ?? 0;
		if (i) {
			let t = i.cuts.length.toLocaleString("en");
			p.push(e("p", { class: "soft" }, `${o(h, "cut")} of ${t} go through it`));
		}
		return p;
	}
	ofCut({ cut: t }, { recording: n, lattice: r, flags: i, meaning: a }) {
		let { processes: o } = n.spec, s = r?.position.get(t.join(",")), c = s !== void 0 && i[s], l = [e("strong", {}, `cut ${n.show(t)}`)];
		c && l.push(e("span", { class: "soft" }, ` ${a}`));
		let u = o.flatMap((e, r) => {
			let i = n.state(r, t[r]);
			if (i && !n.isThere(i)) return [];
			let a = Bo(i?.variables).map((e) => e.join(" "));
			return [[`${e}#${i?.index}`, a.join(", ")]];
		});
		return l.push(Vo(u.slice(0, 14), "states")), l;
	}
};
function zo({ number: e, slide: t }, n) {
	return e === 0 ? "initial state" : t > n ? "not delivered yet" : t ? `delivered at slide ${t}` : "";
}
function Bo(e) {
	return typeof e != "object" || !e ? [] : Object.entries(e).slice(0, 12).map(([e, t]) => {
		let n = a(t);
		return [e, n.length > 60 ? `${n.slice(0, 59)}…` : n];
	});
}
function Vo(t, n) {
	let r = e("dl", { class: n });
	for (let [n, i] of t) r.append(e("dt", {}, n), e("dd", {}, i));
	return r;
}
//#endregion
//#region src/views.ts
var Ho = class {
	transport;
	search;
	properties;
	counters = new _t();
	tooltip = new Ro();
	legend = new Kr();
	spaceTime;
	lattice;
	timeline;
	processes;
	facts = e("span", { class: "soft facts" });
	scene = null;
	hover = E;
	pinned = null;
	constructor(t, n, r, i, a) {
		this.transport = new ht(i), this.properties = new ci(n, (e, t) => i.choose(e, t));
		let [o, s, c] = [
			0,
			1,
			2
		].map(() => e("div", { class: "drawing" })), l = (e, t) => this.point(e, t);
		this.spaceTime = new Ga(o, { point: l }), this.lattice = new zr(s, n.drawn, {
			point: l,
			pin: (e) => this.pin(e)
		}), this.timeline = new Fo(c, {
			go: (e) => i.go(e),
			choose: (e) => i.choose(e, 0)
		}), this.search = new fi(r, {
			show: (e) => {
				i.go(e.slide), this.spaceTime.show(e);
			},
			mark: (e) => this.timeline.mark(e),
			slide: () => this.scene?.moment.slide ?? 0
		});
		for (let e of [o, s]) Ya(e, (e) => i.step(e));
		this.processes = new Jr(n.spec, {
			arrange: (e) => this.spaceTime.arrange(e),
			part: () => this.scene?.outline
		});
		let u = n.spec.processes.length === 2 ? ["grid", "levels"] : [];
		u.length && (this.lattice.form = u[0]), et(t, n, {
			...a,
			properties: this.properties.root,
			spaceTime: [o, this.spaceTime.note],
			lattice: s,
			timeline: c,
			facts: this.facts,
			legend: this.legend.root,
			processes: this.processes.root,
			forms: tt(u, (e) => {
				this.lattice.form = e, this.scene && this.lattice.render(this.scene);
			}),
			transport: this.transport.root,
			tools: [this.search.root, nt((e) => this.zoom(e))],
			counters: this.counters.root,
			others: [...a.others, this.tooltip.root]
		});
	}
	render(e, t) {
		let { recording: n, moment: r } = e;
		(this.scene?.moment.slide !== r.slide || this.scene.recording !== n) && (this.pinned = null), this.scene = e, this.processes.follow(n.spec), this.properties.render(e, t), this.transport.render(n, r.slide), this.counters.render(n, r.slide), this.facts.textContent = vt(e), this.facts.title = e.meaning ? `filled: ${e.meaning}` : "", this.legend.render(e), this.spaceTime.render(e), this.lattice.render(e), this.timeline.render(e), this.point(E, null);
	}
	zoom(e) {
		this.timeline.zoom(e);
	}
	pin(e) {
		this.pinned = e !== null && this.pinned?.join() === e.join() ? null : e, this.spaceTime.highlight(this.hover, this.pinned), this.lattice.highlight(this.hover, this.pinned);
	}
	point(e, t) {
		this.hover = e, this.spaceTime.highlight(e, this.pinned), this.lattice.highlight(e, this.pinned), this.tooltip.render(e, this.scene, t);
	}
}, Uo = class {
	root;
	header;
	source;
	recording;
	group = "";
	slide = 1;
	property = 0;
	part = 0;
	scene = null;
	close = () => {};
	isFollowing = !0;
	wanted = qe(location.hash);
	address = location.hash;
	returnTo;
	views;
	heard = e("p", {
		class: "unseen",
		"aria-live": "polite"
	});
	status = e("span", {
		class: "live",
		hidden: !0
	});
	waiting = e("p", {
		class: "waiting",
		role: "status"
	}, e("strong", {}, "Waiting for the first slide"), "The page fills itself as soon as events arrive.");
	picker;
	system = null;
	back = e("button", {
		type: "button",
		class: "all-groups",
		hidden: !0
	}, "All groups");
	player;
	notes = e("div", { class: "notes" });
	announced = 0;
	constructor(e, t, n) {
		this.root = e, this.header = t, this.source = n, this.recording = new j(t.spec, t.slides), this.player = this.makePlayer(), this.picker = new We(n, (e) => this.pick(e));
		let r = {
			go: (e) => this.go(e),
			step: (e) => this.go(this.slide + e),
			ends: (e) => this.go(e < 0 ? this.recording.first : this.recording.last),
			change: (e) => this.goToChange(e),
			play: () => this.player.toggle()
		};
		this.views = new Ho(e, t, () => this.recording, {
			...r,
			choose: (e, t) => this.choose(e, t)
		}, {
			status: [this.back, this.status],
			groups: this.picker.root,
			notes: this.notes,
			others: [this.heard, this.waiting]
		}), this.showNotes(t.notes), t.system && (this.system = new mt(t, (e) => n.system(e), {
			open: (e) => this.pick(e),
			violated: (e) => {
				this.root.classList.contains("whole") && O(t, e);
			}
		}), e.append(this.system.root), this.back.addEventListener("click", () => this.showSystem())), Ke({
			...r,
			violation: (e) => this.goToViolation(e),
			choose: (e) => this.choose(e, 0),
			zoom: (e) => this.views.zoom(e),
			search: () => this.views.search.field.focus(),
			release: () => this.views.pin(null),
			theme: rt,
			help: () => document.querySelector("dialog")?.showModal()
		}), addEventListener("hashchange", () => this.follow());
		let { property: i, part: a, group: o } = this.wanted, s = t.spec.properties.findIndex(({ name: e }) => e === i);
		this.property = Math.max(0, s), this.part = Math.min(a ?? 0, Math.max(0, (t.spec.properties[this.property]?.parts.length ?? 1) - 1)), this.openFirst(o);
	}
	showSystem() {
		this.close(), this.player.stop(), this.group = "", this.recording = new j(this.header.spec, this.header.slides), clearTimeout(this.announced), history.replaceState(null, "", location.pathname + location.search), this.address = location.hash, this.setWaiting(!1), this.setWhole(!0), O(this.header, []);
	}
	setWhole(e) {
		this.root.classList.toggle("whole", e), this.back.hidden = e || !this.system, e ? this.system?.start() : this.system?.stop();
	}
	async openFirst(e) {
		if (this.system && e === void 0) {
			this.showSystem();
			return;
		}
		this.setWaiting(!0);
		let t = this.header.groups;
		for (; this.header.live && e === void 0 && !t.length;) t = await this.source.groups("").catch(() => []), t.length || await new Promise((e) => setTimeout(e, 700));
		this.open(e !== void 0 && k(this.header, e) ? e : t[0] ?? "");
	}
	open(e) {
		this.close(), this.setWhole(!1), this.player.stop(), this.group = e, this.picker.show(e), this.restart(), this.returnTo = void 0, this.close = this.source.open(e, {
			take: (e) => this.take(e),
			restart: () => this.restart(),
			note: (e) => this.showNotes(e),
			tell: (e) => {
				this.status.hidden = !1, this.status.textContent = e ? "live" : "connection lost", this.status.classList.toggle("lost", !e);
			}
		});
	}
	take(e) {
		e.spec && (this.recording = new j(e.spec, this.header.slides));
		let t = this.recording.isEmpty;
		this.recording.append(e), this.setWaiting(!1);
		let { first: n, last: r } = this.recording;
		if (t) {
			let e = this.returnTo ?? this.wanted.slide;
			this.returnTo = void 0, this.go(e ?? (this.header.live ? r : this.beginning()), { isFirst: t });
		} else this.isFollowing ? this.go(r, { keepFollowing: !0 }) : this.slide < n ? this.go(n) : this.render();
	}
	beginning() {
		let e = this.wanted.property === void 0 ? Re(this.recording) : null;
		e && ([this.property, this.part] = [e.property, 0]);
		let t = Le(this.recording, this.property, this.recording.first - 1, 1);
		return e?.slide ?? t ?? this.recording.first;
	}
	showNotes(t) {
		this.notes.replaceChildren(...t.map((t) => e("p", { class: "note" }, t)));
	}
	restart() {
		this.recording.isEmpty || (this.returnTo = this.isFollowing ? 2 ** 53 - 1 : this.slide), this.recording = new j(this.header.spec, this.header.slides), this.setWaiting(!0);
	}
	setWaiting(e) {
		this.waiting.hidden = !e, this.root.classList.toggle("empty", e);
	}
	pick(e) {
		this.wanted = {};
		let t = this.root.classList.contains("whole");
		e !== void 0 && (t || e !== this.group) ? this.open(e) : this.picker.show(this.group);
	}
	go(e, { isFirst: t = !1, keepFollowing: n = !1 } = {}) {
		if (this.recording.isEmpty || !Number.isFinite(e)) return;
		let r = this.recording.clamp(e);
		(t || n || r !== this.slide) && (this.slide = r, this.isFollowing = r === this.recording.last, this.render());
	}
	goToChange(e) {
		let t = Le(this.recording, this.property, this.slide, e);
		t !== null && this.go(t);
	}
	goToViolation(e) {
		let t = ze(this.recording, this.slide, e);
		t && ([this.property, this.part] = [t.property, 0], this.go(t.slide));
	}
	choose(e, t) {
		this.header.spec.properties[e] && (this.property = e, this.part = t, this.render());
	}
	follow() {
		this.address = location.hash;
		let e = qe(this.address), t = this.header.spec.properties.findIndex(({ name: t }) => t === e.property);
		e.group !== void 0 && e.group !== this.group && k(this.header, e.group) && (this.wanted = e, this.open(e.group));
		let n = e.part ?? 0;
		t >= 0 && (t !== this.property || n !== this.part) && this.choose(t, n), e.slide !== void 0 && this.go(e.slide), e.group !== void 0 && !k(this.header, e.group) && this.announce();
	}
	render() {
		if (this.recording.isEmpty) return;
		let { properties: e } = this.header.spec, t = e.slice(0, this.property).reduce((e, t) => e + t.parts.length, 0);
		this.scene = be(this.recording, this.slide, this.property, t + this.part, this.header.drawn);
		let n = Fe(this.recording, this.header.live ? this.recording.last : this.slide);
		O(this.header, n), this.root.classList.toggle("alarm", n.length > 0), this.root.classList.toggle("violating", this.scene.isViolated), this.root.classList.toggle("verdicts-only", !this.recording.hasClocks), this.views.render(this.scene, this.part), this.announce(), this.root.dataset.slide = String(this.slide);
	}
	announce() {
		clearTimeout(this.announced), this.announced = window.setTimeout(() => {
			if (this.scene && (this.heard.textContent = Ae(this.scene)), location.hash !== this.address) return;
			let e = this.header.spec.properties[this.property]?.name, t = Je({
				slide: this.slide,
				property: e,
				part: this.part || void 0,
				group: this.group
			});
			t !== location.hash && history.replaceState(null, "", t), this.address = location.hash;
		}, 250);
	}
	makePlayer() {
		let e = () => this.slide >= this.recording.last;
		return new at({
			begin: () => {
				e() && this.go(this.recording.first);
			},
			next: () => e() && !this.header.live ? !1 : (this.go(this.slide + 1), !0),
			speed: () => Number(this.views.transport.speed.value),
			tell: (e) => {
				this.views?.transport.setPlaying(e), document.documentElement.classList.toggle("playing", e);
			}
		});
	}
}, Wo = _(document.getElementById("header").textContent);
new Uo(document.getElementById("app"), Wo, Wo.live ? He() : Ve(Wo));
//#endregion
