/* The page of latwin's explorer, built from explorer/; sources c37c96325264c7ed */
//#region src/alarm.ts
var e = (e, t) => {
	let n = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>${`<path d='M8 2 13 8 8 14 3 8z' ${t ? `fill='${e}'` : `fill='none' stroke='${e}' stroke-width='2'`}/>`}</svg>`;
	return `data:image/svg+xml,${encodeURIComponent(n)}`;
}, t = e("#0072B2", !1), n = e("#C62828", !0);
function r(e, t) {
	let { properties: n } = e.spec;
	return n.filter(({ never: n }, r) => n && e.value(r, t) === "1").map(({ name: e }) => e);
}
function i(e, t) {
	let n = `${e.title} · latwin`;
	return t.length ? `Violated: ${t.join(", ")} · ${n}` : n;
}
function a(e, r) {
	document.title = i(e, r);
	let a = document.querySelector("link[rel=icon]"), o = r.length ? n : t;
	a && a.getAttribute("href") !== o && a.setAttribute("href", o);
}
//#endregion
//#region src/dom.ts
function o(e, t = {}, ...n) {
	let r = document.createElement(e);
	for (let [e, n] of Object.entries(t)) n !== void 0 && n !== !1 && r.setAttribute(e, n === !0 ? "" : String(n));
	return r.append(...n), r;
}
var s = {
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
}, c = "http://www.w3.org/2000/svg";
function l(e) {
	let t = document.createElementNS(c, "svg");
	t.setAttribute("viewBox", "0 0 16 16"), t.setAttribute("aria-hidden", "true"), t.setAttribute("class", `icon-${e}`);
	let n = document.createElementNS(c, "path");
	return n.setAttribute("d", s[e]), t.append(n), t;
}
function u(e, t, n, r) {
	let i = o("button", {
		type: "button",
		"aria-label": e,
		title: `${e} (${r})`,
		class: "icon"
	});
	return i.append(l(t)), i.addEventListener("click", n), i;
}
function d(e) {
	return typeof e == "string" ? e : JSON.stringify(e);
}
function f(e, t) {
	return `${e.toLocaleString("en")} ${t}${e === 1 ? "" : "s"}`;
}
function p(e, t) {
	new ResizeObserver(([e]) => t(e.contentRect.width, e.contentRect.height)).observe(e);
}
//#endregion
//#region src/shown.ts
var m = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u, h = new RegExp(m, "gu"), g = RegExp(`\\\\u|${m.source}`, "u");
function _(e) {
	return e.replace(h, (e) => e === "\n" || e === "	" ? e : b(e));
}
function v(e) {
	return JSON.parse(e, g.test(e) ? y : void 0);
}
function y(e, t) {
	return typeof t == "string" ? _(t) : typeof t != "object" || !t || Array.isArray(t) ? t : Object.fromEntries(Object.entries(t).map(([e, t]) => [_(e), t]));
}
function b(e) {
	let t = e.codePointAt(0).toString(16);
	return t.length <= 4 ? `\\u${t.padStart(4, "0")}` : `\\u{${t}}`;
}
//#endregion
//#region src/format.ts
var ee = [
	"delivered",
	"waiting",
	"duplicates",
	"rejected",
	"late",
	"skipped",
	"too_large",
	"empty"
];
async function te(e) {
	let t = e.trim();
	if (!t) return null;
	let n = Uint8Array.from(atob(t), (e) => e.charCodeAt(0)), r = new Blob([n]).stream().pipeThrough(new DecompressionStream("deflate"));
	return v(await new Response(r).text());
}
function x(e) {
	let t = 0;
	return e.map((e) => t += e);
}
function ne(e) {
	let t = atob(e);
	return (e) => (t.charCodeAt(e >> 3) >> (e & 7) & 1) == 1;
}
//#endregion
//#region src/forcing.ts
var S = (e, t) => e !== void 0 && e.colours[t] !== "0";
function re(e, t, n, r) {
	let { least: i, greatest: a } = t;
	if (!i || !a || !r.conjunctive) return null;
	let o = [...r.reads.keys()].filter((e) => r.reads[e].length > 0), s = (t, r) => {
		let i = r;
		for (; i <= a[t] && !S(e.state(t, i), n);) i++;
		if (i > a[t]) return null;
		let o = i;
		for (; o < a[t] && S(e.state(t, o + 1), n);) o++;
		return {
			process: t,
			first: i,
			last: o
		};
	}, c = [];
	for (let e of o) {
		let t = s(e, i[e]);
		if (!t) return null;
		c.push(t);
	}
	for (let n = !0; n;) {
		n = !1;
		for (let [r, i] of c.entries()) {
			if (c.every((n) => n === i || ie(e, t, n, i))) continue;
			let a = s(i.process, i.last + 2);
			if (!a) return null;
			c[r] = a, n = !0;
		}
	}
	return c;
}
function ie(e, { least: t, greatest: n }, r, i) {
	if (r.first === t[r.process] || i.last === n[i.process]) return !0;
	let a = e.state(r.process, r.first);
	return e.state(i.process, i.last + 1).clock[r.process] >= a.index;
}
function ae(e, t, n, r) {
	let i = n.flatMap((r) => n.flatMap((n) => {
		let i = r !== n && r.first > t.least[r.process] && n.last < t.greatest[n.process], a = e.state(r.process, r.first), o = e.state(n.process, n.last + 1);
		return i && a && o ? [{
			begin: a,
			end: o
		}] : [];
	})), a = (e, t) => e.clock[t.process] >= t.index;
	return r.filter(({ from: e, to: t }) => i.some(({ begin: n, end: r }) => a(e, n) && a(r, t)));
}
function oe(e, t) {
	let n = e.cuts.map(() => []);
	for (let [t, r] of e.steps) n[t].push(r);
	let r = [], i = new Set(e.cuts.length ? [0] : []), a = [...i];
	for (let o = a.pop(); o !== void 0; o = a.pop()) if (t[o]) r.push(e.cuts[o]);
	else for (let e of n[o]) i.has(e) || (i.add(e), a.push(e));
	return r;
}
//#endregion
//#region src/lattice.ts
var C = (e) => e.join(",");
function se(e, t) {
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
	let s = [...i.values()].sort((e, t) => ce(e.cut, t.cut)), c = new Map(s.map(({ cut: e }, t) => [C(e), t]));
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
function ce(e, t) {
	let n = e.findIndex((e, n) => e !== t[n]);
	return n < 0 ? 0 : e[n] - t[n];
}
function le(e, t) {
	if (t === null) return e.cuts.map(() => !1);
	let n = ne(t);
	return e.cuts.map((e, t) => n(t));
}
function ue(e, t) {
	let n = [e];
	for (let e of t) n.push(n[n.length - 1].map((t, n) => t + Number(n === e)));
	return n;
}
function de(e) {
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
			n.set(r, fe(e, i[r]));
		}
		e.sort((e, t) => n.get(e) - n.get(t) || i[e] - i[t]), a(e);
	};
	for (let e = 0; e < 3; e++) {
		for (let e of t) o(e, n);
		for (let e of t.toReversed()) o(e, r);
	}
	return t;
}
function fe(e, t) {
	return e.length ? e.reduce((e, t) => e + t, 0) / e.length : t;
}
function pe(e, t, n, r = 64) {
	let i = Math.max(1, ...e.map((e) => e.length)), a = Math.min(r, t / i), o = Math.min(r, n / Math.max(1, e.length)), s = (n - o * (e.length - 1)) / 2, c = [];
	for (let [n, r] of e.entries()) for (let [e, i] of r.entries()) c[i] = [t / 2 + (e - (r.length - 1) / 2) * a, s + n * o];
	return c;
}
//#endregion
//#region src/scene.ts
var w = {
	cut: null,
	state: null
};
function me(e, t, n, r, i) {
	let a = e.moment(t), o = e.hasClocks && a.cuts !== null && a.cuts <= i ? se(e, a) : null, s = e.witness(r, t), c = s.cut ? [s.cut] : [];
	s.path && a.least && (c = ue(a.least, s.path));
	let l = e.outlines[r], u = o ? le(o, e.labels(r, t)) : [], d = l?.kind === "definitely" && e.partValue(r, t) === "1";
	return {
		recording: e,
		moment: a,
		property: n,
		part: r,
		outline: l,
		lattice: o,
		rows: o ? de(o) : [],
		flags: u,
		meaning: l?.meaning ?? "",
		witness: s,
		witnessCuts: c,
		runs: d && e.hasClocks ? re(e, a, r, l) : null,
		forced: d && o ? oe(o, u) : []
	};
}
var he = {
	1: "true",
	0: "false",
	"?": "too large to tell"
}, ge = (e) => he[e] ?? e, _e = {
	l: "it holds at the beginning of the window, where every order starts",
	g: "it holds at the end of the window, which every order reaches",
	i: "every order passes one of the states ringed in orange"
}, ve = (e) => _e[e] ?? "";
function ye(e, t, n) {
	let r = e.final(t, n);
	return r === "1" ? "final" : r === "0" ? "may still change" : "";
}
var be = (e, t, n) => [ge(e.value(t, n)), ye(e, t, n)].filter(Boolean).join(", ");
function xe(e) {
	let { recording: t, moment: n } = e, { processes: r, properties: i } = t.spec, a = [`Slide ${n.slide} of ${t.last}.`];
	if (t.hasClocks) {
		let e = t.state(n.process, n.newest[n.process]);
		a.push(`State ${e?.index} of ${r[n.process]} delivered.`);
	}
	return a.push(...i.map((e, r) => `${e.name}: ${be(t, r, n.slide)}.`)), a.push(`${Se(e)}.`), a.join(" ");
}
function Se({ recording: e, moment: t, lattice: n, flags: r }) {
	if (!t.least || !t.greatest) return "no cut";
	let i = e.spec.processes.length <= 8 ? [`${e.show(t.least)} to ${e.show(t.greatest)}`] : [];
	return n && e.spec.properties.length && i.unshift(`${r.filter(Boolean).length} filled`), t.cuts === null ? e.hasClocks && i.unshift("too many cuts to count") : i.unshift(f(t.cuts, "cut")), i.join(", ");
}
//#endregion
//#region src/controls.ts
var Ce = class {
	root = o("div", {
		class: "transport",
		role: "group",
		"aria-label": "Move through the slides"
	});
	speed = o("select", {
		"aria-label": "Slides per second",
		title: "slides per second"
	});
	play;
	field = o("input", {
		type: "number",
		class: "slide",
		"aria-label": "Slide",
		min: 1
	});
	total = o("span", { class: "soft total" });
	constructor(e) {
		this.play = u("Play", "play", e.play, "space"), this.play.classList.add("play");
		for (let e of [
			2,
			5,
			10,
			30,
			60
		]) this.speed.append(o("option", {
			value: e,
			selected: e === 5
		}, `${e}/s`));
		this.field.addEventListener("change", () => e.go(Number(this.field.value))), this.root.append(u("First slide", "first", () => e.ends(-1), "Home"), u("Previous change of the property", "changeBack", () => e.change(-1), "["), u("Previous slide", "back", () => e.step(-1), "←"), this.play, u("Next slide", "forth", () => e.step(1), "→"), u("Next change of the property", "changeForth", () => e.change(1), "]"), u("Last slide", "last", () => e.ends(1), "End"), o("label", { class: "number" }, "slide", this.field, this.total), this.speed);
	}
	render(e, t) {
		document.activeElement !== this.field && (this.field.value = String(t)), this.field.min = String(e.first), this.field.max = String(e.last), this.total.textContent = `of ${e.last.toLocaleString("en")}`;
	}
	setPlaying(e) {
		this.play.replaceChildren(l(e ? "pause" : "play")), this.play.setAttribute("aria-label", e ? "Pause" : "Play");
	}
}, we = class {
	root = o("dl", {
		class: "counters",
		"aria-label": "Counters at this slide"
	});
	render(e, t) {
		let n = t === e.last, r = ee.map((r) => ({
			name: r,
			count: n ? e.totals[r] ?? 0 : e.counter(r, t)
		}));
		this.root.title = r.map(({ name: e, count: t }) => `${e.replace("_", " ")} ${t.toLocaleString("en")}`).join(", ");
		let i = r.flatMap(({ name: e, count: t }) => {
			if (!t && e !== "delivered") return [];
			let n = o("div", {
				class: t && e !== "delivered" ? "counter some" : "counter",
				"data-counter": e
			});
			return n.append(o("dt", {}, e.replace("_", " ")), o("dd", {}, t.toLocaleString("en"))), [n];
		});
		this.root.replaceChildren(...i);
	}
};
function Te(e) {
	let t = e.recording.hasClocks || e.moment.toldAt === e.moment.slide || !e.moment.toldAt;
	return Se(e) + (t ? "" : `, as of slide ${e.moment.toldAt.toLocaleString("en")}`);
}
//#endregion
//#region src/source.ts
function Ee(e, t) {
	return e.includes(t) ? t : e[0];
}
function T(e, t) {
	return e.live || e.groups.includes(t);
}
function De(e) {
	let t = [...document.querySelectorAll("script.chunk")].map((e) => e.textContent ?? "");
	return {
		groups: async (t) => e.groups.filter((e) => e.toLowerCase().includes(t.toLowerCase())),
		system: () => Promise.reject(/* @__PURE__ */ Error("only a server knows all groups")),
		open: (n, r) => {
			let i = !0;
			return te(t[e.groups.indexOf(n)] ?? "").then((e) => {
				e && i && r.take(e);
			}), () => {
				i = !1;
			};
		}
	};
}
function Oe() {
	return {
		groups: async (e) => await (await fetch(`groups?search=${encodeURIComponent(e)}`)).json(),
		system: async (e) => v(await (await fetch(`system?search=${encodeURIComponent(e)}`)).text()),
		open: (e, t) => {
			let n = new EventSource(`slides?group=${encodeURIComponent(e)}`);
			return n.addEventListener("open", () => {
				t.restart(), t.tell(!0);
			}), n.addEventListener("error", () => t.tell(!1)), n.addEventListener("restart", () => t.restart()), n.addEventListener("slides", (e) => t.take(v(e.data))), n.addEventListener("notes", (e) => t.note(v(e.data))), () => n.close();
		}
	};
}
//#endregion
//#region src/group-picker.ts
var ke = 50, Ae = class {
	source;
	pick;
	root;
	field = o("input", {
		type: "search",
		list: "groups",
		"aria-label": "Group",
		placeholder: "find a group",
		autocomplete: "off"
	});
	options = o("datalist", { id: "groups" });
	group = "";
	constructor(e, t) {
		this.source = e, this.pick = t, this.root = o("label", {
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
		let e = (await this.source.groups(this.field.value === this.group ? "" : this.field.value)).slice(0, ke).map((e) => o("option", { value: e }));
		this.options.replaceChildren(...e);
	}
	async take() {
		let e = this.field.value;
		this.pick(Ee(await this.source.groups(e), e));
	}
}, E = "http://www.w3.org/1999/xhtml", je = {
	svg: "http://www.w3.org/2000/svg",
	xhtml: E,
	xlink: "http://www.w3.org/1999/xlink",
	xml: "http://www.w3.org/XML/1998/namespace",
	xmlns: "http://www.w3.org/2000/xmlns/"
};
function Me(e) {
	var t = e += "", n = t.indexOf(":");
	return n >= 0 && (t = e.slice(0, n)) !== "xmlns" && (e = e.slice(n + 1)), je.hasOwnProperty(t) ? {
		space: je[t],
		local: e
	} : e;
}
function Ne(e) {
	return function() {
		var t = this.ownerDocument, n = this.namespaceURI;
		return n === E && t.documentElement.namespaceURI === E ? t.createElement(e) : t.createElementNS(n, e);
	};
}
function Pe(e) {
	return function() {
		return this.ownerDocument.createElementNS(e.space, e.local);
	};
}
function Fe(e) {
	var t = Me(e);
	return (t.local ? Pe : Ne)(t);
}
function Ie() {}
function Le(e) {
	return e == null ? Ie : function() {
		return this.querySelector(e);
	};
}
function Re(e) {
	typeof e != "function" && (e = Le(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = Array(o), c, l, u = 0; u < o; ++u) (c = a[u]) && (l = e.call(c, c.__data__, u, a)) && ("__data__" in c && (l.__data__ = c.__data__), s[u] = l);
	return new O(r, this._parents);
}
function ze(e) {
	return e == null ? [] : Array.isArray(e) ? e : Array.from(e);
}
function Be() {
	return [];
}
function Ve(e) {
	return e == null ? Be : function() {
		return this.querySelectorAll(e);
	};
}
function He(e) {
	return function() {
		return ze(e.apply(this, arguments));
	};
}
function Ue(e) {
	e = typeof e == "function" ? He(e) : Ve(e);
	for (var t = this._groups, n = t.length, r = [], i = [], a = 0; a < n; ++a) for (var o = t[a], s = o.length, c, l = 0; l < s; ++l) (c = o[l]) && (r.push(e.call(c, c.__data__, l, o)), i.push(c));
	return new O(r, i);
}
function We(e) {
	return function() {
		return this.matches(e);
	};
}
function Ge(e) {
	return function(t) {
		return t.matches(e);
	};
}
var Ke = Array.prototype.find;
function qe(e) {
	return function() {
		return Ke.call(this.children, e);
	};
}
function Je() {
	return this.firstElementChild;
}
function Ye(e) {
	return this.select(e == null ? Je : qe(typeof e == "function" ? e : Ge(e)));
}
var Xe = Array.prototype.filter;
function Ze() {
	return Array.from(this.children);
}
function Qe(e) {
	return function() {
		return Xe.call(this.children, e);
	};
}
function $e(e) {
	return this.selectAll(e == null ? Ze : Qe(typeof e == "function" ? e : Ge(e)));
}
function et(e) {
	typeof e != "function" && (e = We(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = [], c, l = 0; l < o; ++l) (c = a[l]) && e.call(c, c.__data__, l, a) && s.push(c);
	return new O(r, this._parents);
}
function tt(e) {
	return Array(e.length);
}
function nt() {
	return new O(this._enter || this._groups.map(tt), this._parents);
}
function D(e, t) {
	this.ownerDocument = e.ownerDocument, this.namespaceURI = e.namespaceURI, this._next = null, this._parent = e, this.__data__ = t;
}
D.prototype = {
	constructor: D,
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
function rt(e) {
	return function() {
		return e;
	};
}
function it(e, t, n, r, i, a) {
	for (var o = 0, s, c = t.length, l = a.length; o < l; ++o) (s = t[o]) ? (s.__data__ = a[o], r[o] = s) : n[o] = new D(e, a[o]);
	for (; o < c; ++o) (s = t[o]) && (i[o] = s);
}
function at(e, t, n, r, i, a, o) {
	var s, c, l = /* @__PURE__ */ new Map(), u = t.length, d = a.length, f = Array(u), p;
	for (s = 0; s < u; ++s) (c = t[s]) && (f[s] = p = o.call(c, c.__data__, s, t) + "", l.has(p) ? i[s] = c : l.set(p, c));
	for (s = 0; s < d; ++s) p = o.call(e, a[s], s, a) + "", (c = l.get(p)) ? (r[s] = c, c.__data__ = a[s], l.delete(p)) : n[s] = new D(e, a[s]);
	for (s = 0; s < u; ++s) (c = t[s]) && l.get(f[s]) === c && (i[s] = c);
}
function ot(e) {
	return e.__data__;
}
function st(e, t) {
	if (!arguments.length) return Array.from(this, ot);
	var n = t ? at : it, r = this._parents, i = this._groups;
	typeof e != "function" && (e = rt(e));
	for (var a = i.length, o = Array(a), s = Array(a), c = Array(a), l = 0; l < a; ++l) {
		var u = r[l], d = i[l], f = d.length, p = ct(e.call(u, u && u.__data__, l, r)), m = p.length, h = s[l] = Array(m), g = o[l] = Array(m);
		n(u, d, h, g, c[l] = Array(f), p, t);
		for (var _ = 0, v = 0, y, b; _ < m; ++_) if (y = h[_]) {
			for (_ >= v && (v = _ + 1); !(b = g[v]) && ++v < m;);
			y._next = b || null;
		}
	}
	return o = new O(o, r), o._enter = s, o._exit = c, o;
}
function ct(e) {
	return typeof e == "object" && "length" in e ? e : Array.from(e);
}
function lt() {
	return new O(this._exit || this._groups.map(tt), this._parents);
}
function ut(e, t, n) {
	var r = this.enter(), i = this, a = this.exit();
	return typeof e == "function" ? (r = e(r), r &&= r.selection()) : r = r.append(e + ""), t != null && (i = t(i), i &&= i.selection()), n == null ? a.remove() : n(a), r && i ? r.merge(i).order() : i;
}
function dt(e) {
	for (var t = e.selection ? e.selection() : e, n = this._groups, r = t._groups, i = n.length, a = r.length, o = Math.min(i, a), s = Array(i), c = 0; c < o; ++c) for (var l = n[c], u = r[c], d = l.length, f = s[c] = Array(d), p, m = 0; m < d; ++m) (p = l[m] || u[m]) && (f[m] = p);
	for (; c < i; ++c) s[c] = n[c];
	return new O(s, this._parents);
}
function ft() {
	for (var e = this._groups, t = -1, n = e.length; ++t < n;) for (var r = e[t], i = r.length - 1, a = r[i], o; --i >= 0;) (o = r[i]) && (a && o.compareDocumentPosition(a) ^ 4 && a.parentNode.insertBefore(o, a), a = o);
	return this;
}
function pt(e) {
	e ||= mt;
	function t(t, n) {
		return t && n ? e(t.__data__, n.__data__) : !t - !n;
	}
	for (var n = this._groups, r = n.length, i = Array(r), a = 0; a < r; ++a) {
		for (var o = n[a], s = o.length, c = i[a] = Array(s), l, u = 0; u < s; ++u) (l = o[u]) && (c[u] = l);
		c.sort(t);
	}
	return new O(i, this._parents).order();
}
function mt(e, t) {
	return e < t ? -1 : e > t ? 1 : e >= t ? 0 : NaN;
}
function ht() {
	var e = arguments[0];
	return arguments[0] = this, e.apply(null, arguments), this;
}
function gt() {
	return Array.from(this);
}
function _t() {
	for (var e = this._groups, t = 0, n = e.length; t < n; ++t) for (var r = e[t], i = 0, a = r.length; i < a; ++i) {
		var o = r[i];
		if (o) return o;
	}
	return null;
}
function vt() {
	let e = 0;
	for (let t of this) ++e;
	return e;
}
function yt() {
	return !this.node();
}
function bt(e) {
	for (var t = this._groups, n = 0, r = t.length; n < r; ++n) for (var i = t[n], a = 0, o = i.length, s; a < o; ++a) (s = i[a]) && e.call(s, s.__data__, a, i);
	return this;
}
function xt(e) {
	return function() {
		this.removeAttribute(e);
	};
}
function St(e) {
	return function() {
		this.removeAttributeNS(e.space, e.local);
	};
}
function Ct(e, t) {
	return function() {
		this.setAttribute(e, t);
	};
}
function wt(e, t) {
	return function() {
		this.setAttributeNS(e.space, e.local, t);
	};
}
function Tt(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? this.removeAttribute(e) : this.setAttribute(e, n);
	};
}
function Et(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? this.removeAttributeNS(e.space, e.local) : this.setAttributeNS(e.space, e.local, n);
	};
}
function Dt(e, t) {
	var n = Me(e);
	if (arguments.length < 2) {
		var r = this.node();
		return n.local ? r.getAttributeNS(n.space, n.local) : r.getAttribute(n);
	}
	return this.each((t == null ? n.local ? St : xt : typeof t == "function" ? n.local ? Et : Tt : n.local ? wt : Ct)(n, t));
}
function Ot(e) {
	return e.ownerDocument && e.ownerDocument.defaultView || e.document && e || e.defaultView;
}
function kt(e) {
	return function() {
		this.style.removeProperty(e);
	};
}
function At(e, t, n) {
	return function() {
		this.style.setProperty(e, t, n);
	};
}
function jt(e, t, n) {
	return function() {
		var r = t.apply(this, arguments);
		r == null ? this.style.removeProperty(e) : this.style.setProperty(e, r, n);
	};
}
function Mt(e, t, n) {
	return arguments.length > 1 ? this.each((t == null ? kt : typeof t == "function" ? jt : At)(e, t, n ?? "")) : Nt(this.node(), e);
}
function Nt(e, t) {
	return e.style.getPropertyValue(t) || Ot(e).getComputedStyle(e, null).getPropertyValue(t);
}
function Pt(e) {
	return function() {
		delete this[e];
	};
}
function Ft(e, t) {
	return function() {
		this[e] = t;
	};
}
function It(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? delete this[e] : this[e] = n;
	};
}
function Lt(e, t) {
	return arguments.length > 1 ? this.each((t == null ? Pt : typeof t == "function" ? It : Ft)(e, t)) : this.node()[e];
}
function Rt(e) {
	return e.trim().split(/^|\s+/);
}
function zt(e) {
	return e.classList || new Bt(e);
}
function Bt(e) {
	this._node = e, this._names = Rt(e.getAttribute("class") || "");
}
Bt.prototype = {
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
function Vt(e, t) {
	for (var n = zt(e), r = -1, i = t.length; ++r < i;) n.add(t[r]);
}
function Ht(e, t) {
	for (var n = zt(e), r = -1, i = t.length; ++r < i;) n.remove(t[r]);
}
function Ut(e) {
	return function() {
		Vt(this, e);
	};
}
function Wt(e) {
	return function() {
		Ht(this, e);
	};
}
function Gt(e, t) {
	return function() {
		(t.apply(this, arguments) ? Vt : Ht)(this, e);
	};
}
function Kt(e, t) {
	var n = Rt(e + "");
	if (arguments.length < 2) {
		for (var r = zt(this.node()), i = -1, a = n.length; ++i < a;) if (!r.contains(n[i])) return !1;
		return !0;
	}
	return this.each((typeof t == "function" ? Gt : t ? Ut : Wt)(n, t));
}
function qt() {
	this.textContent = "";
}
function Jt(e) {
	return function() {
		this.textContent = e;
	};
}
function Yt(e) {
	return function() {
		var t = e.apply(this, arguments);
		this.textContent = t ?? "";
	};
}
function Xt(e) {
	return arguments.length ? this.each(e == null ? qt : (typeof e == "function" ? Yt : Jt)(e)) : this.node().textContent;
}
function Zt() {
	this.innerHTML = "";
}
function Qt(e) {
	return function() {
		this.innerHTML = e;
	};
}
function $t(e) {
	return function() {
		var t = e.apply(this, arguments);
		this.innerHTML = t ?? "";
	};
}
function en(e) {
	return arguments.length ? this.each(e == null ? Zt : (typeof e == "function" ? $t : Qt)(e)) : this.node().innerHTML;
}
function tn() {
	this.nextSibling && this.parentNode.appendChild(this);
}
function nn() {
	return this.each(tn);
}
function rn() {
	this.previousSibling && this.parentNode.insertBefore(this, this.parentNode.firstChild);
}
function an() {
	return this.each(rn);
}
function on(e) {
	var t = typeof e == "function" ? e : Fe(e);
	return this.select(function() {
		return this.appendChild(t.apply(this, arguments));
	});
}
function sn() {
	return null;
}
function cn(e, t) {
	var n = typeof e == "function" ? e : Fe(e), r = t == null ? sn : typeof t == "function" ? t : Le(t);
	return this.select(function() {
		return this.insertBefore(n.apply(this, arguments), r.apply(this, arguments) || null);
	});
}
function ln() {
	var e = this.parentNode;
	e && e.removeChild(this);
}
function un() {
	return this.each(ln);
}
function dn() {
	var e = this.cloneNode(!1), t = this.parentNode;
	return t ? t.insertBefore(e, this.nextSibling) : e;
}
function fn() {
	var e = this.cloneNode(!0), t = this.parentNode;
	return t ? t.insertBefore(e, this.nextSibling) : e;
}
function pn(e) {
	return this.select(e ? fn : dn);
}
function mn(e) {
	return arguments.length ? this.property("__data__", e) : this.node().__data__;
}
function hn(e) {
	return function(t) {
		e.call(this, t, this.__data__);
	};
}
function gn(e) {
	return e.trim().split(/^|\s+/).map(function(e) {
		var t = "", n = e.indexOf(".");
		return n >= 0 && (t = e.slice(n + 1), e = e.slice(0, n)), {
			type: e,
			name: t
		};
	});
}
function _n(e) {
	return function() {
		var t = this.__on;
		if (t) {
			for (var n = 0, r = -1, i = t.length, a; n < i; ++n) a = t[n], (!e.type || a.type === e.type) && a.name === e.name ? this.removeEventListener(a.type, a.listener, a.options) : t[++r] = a;
			++r ? t.length = r : delete this.__on;
		}
	};
}
function vn(e, t, n) {
	return function() {
		var r = this.__on, i, a = hn(t);
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
function yn(e, t, n) {
	var r = gn(e + ""), i, a = r.length, o;
	if (arguments.length < 2) {
		var s = this.node().__on;
		if (s) {
			for (var c = 0, l = s.length, u; c < l; ++c) for (i = 0, u = s[c]; i < a; ++i) if ((o = r[i]).type === u.type && o.name === u.name) return u.value;
		}
	} else {
		for (s = t ? vn : _n, i = 0; i < a; ++i) this.each(s(r[i], t, n));
		return this;
	}
}
function bn(e, t, n) {
	var r = Ot(e), i = r.CustomEvent;
	typeof i == "function" ? i = new i(t, n) : (i = r.document.createEvent("Event"), n ? (i.initEvent(t, n.bubbles, n.cancelable), i.detail = n.detail) : i.initEvent(t, !1, !1)), e.dispatchEvent(i);
}
function xn(e, t) {
	return function() {
		return bn(this, e, t);
	};
}
function Sn(e, t) {
	return function() {
		return bn(this, e, t.apply(this, arguments));
	};
}
function Cn(e, t) {
	return this.each((typeof t == "function" ? Sn : xn)(e, t));
}
function* wn() {
	for (var e = this._groups, t = 0, n = e.length; t < n; ++t) for (var r = e[t], i = 0, a = r.length, o; i < a; ++i) (o = r[i]) && (yield o);
}
var Tn = [null];
function O(e, t) {
	this._groups = e, this._parents = t;
}
function En() {
	return new O([[document.documentElement]], Tn);
}
function Dn() {
	return this;
}
O.prototype = En.prototype = {
	constructor: O,
	select: Re,
	selectAll: Ue,
	selectChild: Ye,
	selectChildren: $e,
	filter: et,
	data: st,
	enter: nt,
	exit: lt,
	join: ut,
	merge: dt,
	selection: Dn,
	order: ft,
	sort: pt,
	call: ht,
	nodes: gt,
	node: _t,
	size: vt,
	empty: yt,
	each: bt,
	attr: Dt,
	style: Mt,
	property: Lt,
	classed: Kt,
	text: Xt,
	html: en,
	raise: nn,
	lower: an,
	append: on,
	insert: cn,
	remove: un,
	clone: pn,
	datum: mn,
	on: yn,
	dispatch: Cn,
	[Symbol.iterator]: wn
};
function k(e) {
	return typeof e == "string" ? new O([[document.querySelector(e)]], [document.documentElement]) : new O([[e]], Tn);
}
var On = 0;
function kn() {
	return new An();
}
function An() {
	this._ = "@" + (++On).toString(36);
}
An.prototype = kn.prototype = {
	constructor: An,
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
function jn(e) {
	let t;
	for (; t = e.sourceEvent;) e = t;
	return e;
}
function A(e, t) {
	if (e = jn(e), t === void 0 && (t = e.currentTarget), t) {
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
function Mn(e, { width: t, height: n }, r, i) {
	let { recording: a, moment: o } = r, [s, c] = [0, 1].map((e) => o.newest[e] - o.oldest[e] + 1), l = Math.min(64, (t - 44 - 40) / s, (n - 44 - 34) / c), u = (t - l * s) / 2 + 14, d = (n + l * c) / 2 - 14, f = (e) => [u + (e[0] - o.oldest[0] + .5) * l, d - (e[1] - o.oldest[1] + .5) * l];
	e.append("rect").attr("class", "frame").attr("x", u).attr("y", d - l * c).attr("width", l * s).attr("height", l * c).attr("rx", 6);
	let p = Math.max(1, Math.ceil(18 / l));
	for (let t = 0; t < s; t++) for (let n = 0; n < c; n++) {
		let r = [o.oldest[0] + t, o.oldest[1] + n];
		if (i.position.has(C(r))) continue;
		let [s, c] = f(r);
		e.append("rect").attr("class", "inconsistent").attr("x", s - l / 2).attr("y", c - l / 2).attr("width", l).attr("height", l).attr("data-cut", a.show(r));
	}
	for (let t = 0; t < s; t += p) j(e, a.state(0, o.oldest[0] + t)?.index, u + (t + .5) * l, d + 15);
	for (let t = 0; t < c; t += p) j(e, a.state(1, o.oldest[1] + t)?.index, u - 12, d - (t + .5) * l + 4);
	let [m, h] = a.spec.processes;
	return j(e, m, u + l * s / 2, d + 32).attr("class", "axis name"), j(e, h, 0, 0).attr("class", "axis name").attr("transform", `translate(${u - 32} ${d - l * c / 2}) rotate(-90)`), i.cuts.map(f);
}
function Nn(e, { width: t, height: n }, r, i) {
	let a = n - 44, o = Math.min(26, a / r.length), s = 22 + (a - o * r.length) / 2, c = Math.max(...r), l = t - 44 - 150, u = 50 + l / 2, d = Math.max(1, Math.ceil(13 / o)), p = e.selectAll("g").data(r).join("g").attr("class", "bar");
	p.attr("transform", (e, t) => `translate(${u} ${s + o * (t + .5)})`);
	let m = Math.max(1, o - Math.min(5, o * .25)), h = (e, t) => {
		p.append("rect").attr("class", e).attr("y", -m / 2).attr("height", m).attr("rx", Math.min(3, m / 3)).attr("x", (e, n) => -t(e, n) / 2).attr("width", (e, n) => t(e, n));
	}, g = (e) => e === 0 ? 0 : Math.max(2, e / c * l);
	h("all", g), i && h("labelled", (e, t) => g(i[t]));
	let _ = (e) => e % d === 0 || e === r.length - 1;
	p.append("text").attr("class", "level").attr("x", -l / 2 - 14).attr("text-anchor", "end").attr("dy", "0.35em").text((e, t) => _(t) ? t : ""), p.append("text").attr("x", l / 2 + 12).attr("dy", "0.35em").text((e, t) => _(t) ? e.toLocaleString("en") : "");
	let v = (e) => i ? `, ${i[e].toLocaleString("en")} filled` : "";
	p.append("title").text((e, t) => `level ${t}: ${f(e, "cut")}${v(t)}`);
}
function j(e, t, n, r) {
	return e.append("text").attr("class", "axis").attr("text-anchor", "middle").attr("x", n).attr("y", r).text(t ?? "");
}
//#endregion
//#region src/lattice-look.ts
var Pn = 6.6, Fn = 6, In = 34, Ln = 24, Rn = 160;
function zn(e, t) {
	let n = e.cutCounts.map((t, n) => ({
		count: t,
		slide: n + e.first
	})).filter(({ count: e }) => e > 0 && e <= t).sort((e, t) => t.count - e.count);
	if (n.length && n[0].count > Rn) return null;
	let r = {
		across: 1,
		down: 1,
		letters: 1
	};
	for (let { slide: t } of n.slice(0, Ln)) {
		let n = se(e, e.moment(t)), i = [];
		for (let e of n.level) i[e] = (i[e] ?? 0) + 1;
		r.across = Math.max(r.across, ...i), r.down = Math.max(r.down, i.length);
		for (let t of n.cuts) r.letters = Math.max(r.letters, e.show(t).length);
	}
	return r;
}
function Bn(e, t, n) {
	if (!e) return !1;
	let r = e.letters * Pn + 14;
	return t / e.across >= r + Fn && n / e.down >= In;
}
var Vn = class {
	known = null;
	isNamed(e, t, n, r) {
		if (this.known?.recording !== e || this.known.last !== e.last) {
			let n = this.known?.recording === e && this.known.extent === null ? null : zn(e, t);
			this.known = {
				recording: e,
				last: e.last,
				extent: n
			};
		}
		return Bn(this.known.extent, n, r);
	}
};
//#endregion
//#region src/nocut.ts
function Hn(e, t) {
	if (!e.hasClocks) return null;
	let n = [...t.oldest];
	for (let r = !0; r;) {
		r = !1;
		for (let i of n.keys()) {
			let a = e.state(i, n[i]);
			if (!a) return null;
			for (let [o, s] of a.clock.entries()) if (o !== i) for (; e.covers(o, n[o], t) < s;) {
				if (n[o] >= t.newest[o]) return Un(e, a, o, s);
				n[o] += 1, r = !0;
			}
		}
	}
	return null;
}
function Un(e, t, n, r) {
	let i = e.latest(n, r);
	return {
		state: t,
		process: n,
		index: r,
		slide: i?.index === r && i.slide ? i.slide : null
	};
}
function Wn(e, t) {
	let { processes: n } = e.spec, r = `${n[t.process]}#${t.index}`, i = [`${n[t.state.process]}#${t.state.index} already knows of ${r},`, t.slide === null ? `and ${r} has not arrived.` : `and ${r} arrives only at slide ${t.slide}.`];
	return e.spec.delivery === "causal" ? i.push("A larger window keeps older states for it.") : i.push("delivery = \"causal\" makes the checker wait for it."), i;
}
//#endregion
//#region src/lattice-view.ts
var Gn = class {
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
	look = new Vn();
	constructor(e, t, n) {
		this.drawn = t, this.events = n, this.svg = k(e).append("svg").attr("tabindex", 0).attr("role", "img"), this.svg.append("defs").append("pattern").attr("id", "hatch").attr("width", 6).attr("height", 6).attr("patternUnits", "userSpaceOnUse").append("path").attr("d", "M-1 7 7 -1M-1 1 1 -1M5 7 7 5");
		let r = (e) => this.svg.append("g").attr("class", e);
		this.layers = {
			under: r("under"),
			steps: r("steps"),
			witness: r("witness"),
			cuts: r("cuts"),
			marks: r("marks")
		}, this.svg.on("mousedown", (e) => e.preventDefault()), this.svg.on("pointermove", (e) => this.onMove(e)), this.svg.on("pointerleave", () => this.pointAt(null, null)), this.svg.on("click", (e) => {
			let t = this.nearest(A(e, this.svg.node()));
			n.pin(t === null ? null : this.scene.lattice.cuts[t]);
		}), this.svg.on("keydown", (e) => this.onKey(e)), this.svg.on("blur", () => {
			this.focus = null, this.pointAt(null, null);
		}), p(e, (e, t) => {
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
		this.svg.attr("aria-label", `The lattice: ${Yn(e)}`), this.svg.attr("data-cuts", n.cuts ?? "");
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
			Nn(this.layers.cuts, this.size, r.counts, r.labelled[e.part] ?? null);
			return;
		}
		let i = qn(e);
		this.layers.marks.append("text").attr("class", "message").attr("text-anchor", "middle").selectAll("tspan").data(i).join("tspan").attr("x", this.size.width / 2).text(String).attr("y", (e, t) => this.size.height / 2 + (t - (i.length - 1) / 2) * 22);
	}
	clear() {
		for (let e of Object.values(this.layers)) e.selectAll("*").remove();
	}
	drawCuts(e, t, n) {
		let { recording: r, moment: i, flags: a } = e, o = this.size.width - 44, s = this.size.height - 44;
		this.layers.under.selectAll("*").remove(), this.layers.marks.selectAll("*").remove(), this.places = n ? Mn(this.layers.under, this.size, e, t) : pe(e.rows, o, s, 92).map(([e, t]) => [e + 22, t + 22]);
		let c = Math.max(...e.rows.map((e) => e.length)), l = t.cuts.map((e) => r.show(e)), u = Math.max(...l.map((e) => e.length)) * Pn + 14, d = Math.min(92, o / c), f = Math.min(92, s / e.rows.length), p = !n && this.look.isNamed(r, this.drawn, o, s), m = n ? 6.5 : Math.max(1.5, Math.min(7, .3 * d, .3 * f)), h = p ? u / 2 : m, g = p ? 11 : m, _ = p ? g : 0;
		this.svg.classed("many", t.cuts.length > 120);
		let { places: v } = this;
		this.layers.steps.selectAll("path").data([t.steps.map(([e, t]) => Kn(v[e], v[t], _)).join("")]).join("path").attr("opacity", Math.min(1, Math.max(.14, 260 / t.steps.length))).attr("d", String);
		let y = C(i.least), b = C(i.greatest), ee = new Set(e.witnessCuts.map(C)), te = new Set(e.forced.map(C)), x = this.layers.cuts.selectAll("g").data(t.cuts.map((e, t) => t), (e) => l[e] ?? "").join((e) => {
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
				te.has(n) && "forced"
			].filter(Boolean).join(" ");
		}).attr("data-cut", (e) => l[e]).style("transform", (e) => `translate(${v[e][0]}px, ${v[e][1]}px)`);
		x.select("rect").attr("x", -h).attr("y", -g).attr("width", 2 * h).attr("height", 2 * g), x.select("rect").attr("rx", g), x.select("text").text((e) => p ? l[e] : ""), this.drawWitness(e, t, _), this.nameEnds(t, h, n);
	}
	drawWitness({ witnessCuts: e, witness: t }, n, r) {
		let i = e.map((e) => this.places[n.position.get(C(e))]), a = (e) => e.slice(1).map((t, n) => Kn(e[n], t, r)).join(""), [o, s] = t.stretch ?? [0, 0], c = [{
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
			let [i, o] = this.places[e], s = n && e === r ? -1 : 1, c = this.layers.marks.append("text").attr("class", "end").text(a);
			c.attr("x", i + s * (t + 8)).attr("y", o).attr("dy", n ? e ? "-0.9em" : "1.7em" : "0.34em"), c.attr("text-anchor", s > 0 ? "start" : "end");
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
		let t = this.nearest(A(e, this.svg.node()));
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
			this.focus = r[0] ? e.reduce((e, t) => Jn(this.places[t], a) < Jn(this.places[e], a) ? t : e) : e[Math.min(Math.max(e.indexOf(i) + r[1], 0), e.length - 1)];
		}
		let a = this.svg.node().getBoundingClientRect(), [o, s] = this.places[this.focus];
		this.pointAt(this.focus, {
			x: a.x + o,
			y: a.y + s
		});
	}
}, Kn = ([e, t], [n, r], i) => `M${e} ${i ? t + i : t}L${n} ${i ? r - i : r}`;
function qn({ recording: e, moment: t }) {
	if (!e.hasClocks) return [
		"Verdicts only",
		"The pipeline's output has no states",
		"to draw global states from."
	];
	if (t.least) return [t.cuts === null ? "Too many global states to count" : f(t.cuts, "global state"), "Too many to be drawn."];
	let n = Hn(e, t);
	return ["No consistent global state", ...n ? Wn(e, n) : []];
}
var Jn = ([e], t) => Math.abs(e - t);
function Yn({ recording: e, moment: t }) {
	return !t.least || !t.greatest ? "no cut" : `${t.cuts === null ? "too many cuts to count" : f(t.cuts, "cut")}, from ${e.show(t.least)} to ${e.show(t.greatest)}. Arrow keys move between cuts.`;
}
//#endregion
//#region src/legend.ts
var Xn = [
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
], Zn = [
	["window", "the window"],
	["end", "earliest and latest global state"],
	["order", "the order or state that decides"],
	["coming", "not delivered yet"]
], Qn = class {
	root = o("ul", {
		class: "legend",
		"aria-label": "Colours"
	});
	shown = "";
	render({ recording: e, part: t, outline: n }) {
		let r = `${t} ${e.last}`;
		if (r === this.shown) return;
		this.shown = r;
		let i = new Set(e.lanes.flatMap((e) => e.map(({ colours: e }) => e[t]))), a = Xn.filter(([, e]) => [...e].some((e) => i.has(e))), s = Zn.filter(([e]) => n || e !== "order"), c = [...n ? a.map(([e, , t]) => [e, t]) : [], ...s];
		this.root.replaceChildren(...c.map(([e, t]) => o("li", {}, o("i", { class: e }), t)));
	}
};
//#endregion
//#region src/link.ts
function $n(e) {
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
function er(e) {
	let t = new URLSearchParams();
	for (let [n, r] of Object.entries(e)) r !== void 0 && r !== "" && t.set(n, String(r));
	return `#${t.toString()}`;
}
//#endregion
//#region src/help.ts
var tr = [
	["process", "something that reports its states: a device, a service, a server"],
	["state", "what a process reports; a bar that lasts until its next state"],
	["message", "an arrow: from here on, the receiver knows what the sender had done"],
	["global state", "one state of each process that could have existed at the same moment (a cut); drawn as a line through them, and as a node of the lattice"],
	["order", "one way in which everything may have happened: a path through the lattice from top to bottom (an observation)"],
	["possibly", "some order passes a global state that satisfies the condition"],
	["definitely", "every order passes one"],
	["window", "the last states of each process; answers are about these"],
	["slide", "one state arrived, and the windows moved on by it"],
	["final", "no later event can overturn the answer for the states in this window"]
], nr = [
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
], rr = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 190\" class=\"picture\" role=\"img\"\n aria-label=\"Two processes and a message on the left; on the right their global states, with one order through them\">\n<defs><marker id=\"help-arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\n<path d=\"M0.5 0.8 7.5 4 0.5 7.2z\" class=\"arrow\"/></marker></defs>\n<rect class=\"window\" x=\"66\" y=\"32\" width=\"230\" height=\"44\" rx=\"8\"/><rect class=\"window\" x=\"66\" y=\"108\" width=\"230\" height=\"44\" rx=\"8\"/>\n<text x=\"52\" y=\"58\" text-anchor=\"end\" class=\"lane\">phone</text><text x=\"52\" y=\"134\" text-anchor=\"end\" class=\"lane\">door</text>\n<g class=\"bars\"><rect x=\"72\" y=\"46\" width=\"86\" height=\"17\" rx=\"5\"/><rect x=\"164\" y=\"46\" width=\"126\" height=\"17\" rx=\"5\" class=\"on\"/>\n<rect x=\"72\" y=\"122\" width=\"126\" height=\"17\" rx=\"5\" class=\"on\"/><rect x=\"204\" y=\"122\" width=\"86\" height=\"17\" rx=\"5\"/></g>\n<text x=\"227\" y=\"58\" text-anchor=\"middle\" class=\"in\">here</text><text x=\"135\" y=\"134\" text-anchor=\"middle\" class=\"in\">open</text>\n<path class=\"message\" d=\"M164 56 L201 126\" marker-end=\"url(#help-arrow)\"/>\n<path class=\"frontier\" d=\"M181 20 V166\"/><text x=\"181\" y=\"182\" text-anchor=\"middle\" class=\"order\">a global state</text>\n<text x=\"226\" y=\"98\" class=\"remark\">a message</text><text x=\"118\" y=\"26\" text-anchor=\"middle\" class=\"remark\">a state</text>\n<g class=\"nodes\"><path class=\"path\" d=\"M376 30 V138\"/>\n<circle cx=\"376\" cy=\"26\" r=\"10\"/><circle cx=\"376\" cy=\"82\" r=\"10\" class=\"on\"/><circle cx=\"376\" cy=\"138\" r=\"10\"/></g>\n<text x=\"396\" y=\"30\" class=\"remark\">neither yet</text><text x=\"396\" y=\"86\" class=\"remark\">phone here, door open</text><text x=\"396\" y=\"142\" class=\"remark\">door closed</text>\n<text x=\"436\" y=\"176\" text-anchor=\"middle\" class=\"order\">the only order: definitely true</text></svg>";
function ir() {
	let e = o("dialog", {
		class: "help",
		"aria-label": "Words and keys"
	}), t = new DOMParser().parseFromString(rr, "image/svg+xml").documentElement, n = o("button", { type: "button" }, "Close");
	return n.addEventListener("click", () => e.close()), e.append(o("div", { class: "head" }, o("h2", {}, "What the words mean"), n), document.importNode(t, !0), ar(tr), o("h2", {}, "Keys"), ar(nr)), e;
}
function ar(e) {
	let t = o("dl", {});
	for (let [n, r] of e) t.append(o("dt", {}, n), o("dd", {}, r));
	return t;
}
//#endregion
//#region src/page.ts
function or(e, t, n) {
	let r = ir(), i = o("div", { class: "row" }, n.facts, n.forms), a = o("div", { class: "row" }, n.transport, ...n.tools, n.counters);
	e.append(ur(t, n, r), n.properties, M("spacetime", "Space-time", o("div", { class: "row" }, n.legend, n.processes), n.spaceTime), M("lattice", "Lattice", i, n.lattice), M("timeline", "Timeline", a, n.timeline, n.notes), ...n.others, r);
}
function sr(e, t) {
	let n = o("div", {
		class: "forms",
		role: "group",
		"aria-label": "How the lattice is drawn"
	});
	for (let [r, i] of e.entries()) {
		let e = o("button", {
			type: "button",
			"aria-pressed": String(r === 0),
			"data-form": i
		}, i);
		e.addEventListener("click", () => {
			t(i);
			for (let t of n.children) t.setAttribute("aria-pressed", String(t === e));
		}), n.append(e);
	}
	return n;
}
function cr(e) {
	return o("div", {
		class: "zoom",
		role: "group",
		"aria-label": "Zoom the timeline"
	}, u("Zoom out", "less", () => e(1 / 2), "-"), u("Zoom in", "more", () => e(2), "+"), u("Show all slides", "all", () => e(0), "0"));
}
function lr() {
	let { dataset: e } = document.documentElement;
	e.theme = (e.theme ? e.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches) ? "light" : "dark";
}
function ur(e, { status: t, groups: n }, r) {
	return o("header", {}, o("h1", { title: e.title }, e.title), o("span", {
		class: "source",
		title: e.source
	}, e.source === e.title ? "" : e.source), ...t, o("span", { class: "space" }), n, u("Light or dark", "theme", lr, "t"), u("Words and keys", "help", () => r.showModal(), "?"));
}
function M(e, t, n, ...r) {
	let i = o("div", { class: "head" }, o("h2", {}, t), n);
	return o("section", {
		class: `card ${e}`,
		"aria-label": t
	}, i, ...r);
}
//#endregion
//#region src/player.ts
var dr = class {
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
}, fr = class e {
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
	every() {
		return new e(this.all, /* @__PURE__ */ new Set());
	}
}, pr = class {
	names;
	roles;
	on;
	root = o("details", { class: "processes" });
	summary = o("summary", {});
	list = o("ul", {});
	lanes;
	constructor(e, t, n) {
		this.names = e, this.roles = t, this.on = n, this.lanes = fr.of(e.length);
		let r = (e, t) => {
			let n = o("button", { type: "button" }, e);
			return n.addEventListener("click", () => this.set(t())), n;
		}, i = o("div", { class: "picks" }, r("those that the property reads", () => this.lanes.only(this.on.part())), r("all", () => this.lanes.every()));
		Object.keys(t).length && i.append(r("by role", () => this.lanes.byRole(this.roles))), this.root.append(this.summary, o("div", { class: "menu" }, i, this.list)), this.root.hidden = e.length < 3, addEventListener("pointerdown", (e) => {
			this.root.contains(e.target) || (this.root.open = !1);
		}), this.draw();
	}
	set(e) {
		this.lanes = e, this.draw(), this.on.arrange(e.shown);
	}
	draw() {
		let { shown: e, all: t } = this.lanes;
		this.summary.textContent = e.length < t.length ? `${e.length} of ${t.length} processes` : "processes";
		let n = document.activeElement?.getAttribute("data-key");
		this.list.replaceChildren(...t.map((e) => this.entry(e))), n && this.list.querySelector(`[data-key="${n}"]`)?.focus();
	}
	entry(e) {
		let t = this.names[e], n = o("input", {
			type: "checkbox",
			"aria-label": `Show ${t}`,
			checked: this.lanes.isShown(e),
			"data-key": `${e}`
		});
		n.addEventListener("change", () => this.set(this.lanes.toggle(e)));
		let r = (n, r, i) => {
			let a = o("button", {
				type: "button",
				class: "move",
				"aria-label": `Move ${t} ${i}`,
				"data-key": `${e}${i}`
			}, r);
			return a.addEventListener("click", () => this.set(this.lanes.move(e, n))), a;
		}, i = Object.keys(this.roles).filter((t) => this.roles[t].includes(e)), a = o("label", { title: t }, n, o("span", {}, t));
		return i.length && a.append(o("small", { class: "soft" }, i.join(", "))), o("li", {}, a, r(-1, "↑", "up"), r(1, "↓", "down"));
	}
};
//#endregion
//#region src/values.ts
function N(e, t) {
	let n = e;
	for (let e of t) {
		if (typeof n != "object" || !n || !Object.hasOwn(n, e)) return;
		n = n[e];
	}
	return n;
}
var mr = (e) => e == null;
function P(e, t) {
	let n = [...e];
	if (n.length <= t) return e;
	if (t < 3) return "…";
	let r = Math.floor((t - 1) / 2);
	return `${n.slice(0, t - 1 - r).join("")}…${n.slice(n.length - r).join("")}`;
}
function hr(e, t) {
	let n = e.map((e) => P(e, t));
	if (new Set(n).size === new Set(e).size) return n;
	let [r, ...i] = e, a = 0;
	for (; i.every((e) => e[a] !== void 0 && e[a] === r[a]);) a++;
	return e.map((e) => P(a > 1 ? `…${e.slice(a)}` : e, t));
}
function gr(e, t, n) {
	let r = _r(e, t);
	for (let e = r.length; e > 0; e--) {
		let t = r.slice(0, e).join(", ");
		if (t.length <= n) return t;
	}
	return r.length && n >= 5 ? `${r[0].slice(0, n - 1)}…` : "";
}
function _r(e, t) {
	return (t?.reads[e.process] ?? []).flatMap((t) => {
		let n = N(e.variables, t), r = t[t.length - 1];
		return mr(n) ? [] : n === !0 ? [r] : n === !1 ? [`not ${r}`] : [typeof n == "string" ? P(n, 24) : `${r} ${P(d(n), 24)}`];
	});
}
function vr(e, t, n) {
	return (t.reads[e.process] ?? []).map((t) => br(n, t, N(e.variables, t), "was")).join(" and ");
}
function yr(e, t, n, r) {
	return (n.reads[e.process] ?? []).filter((n) => {
		let [r, i] = [t, e].map((e) => N(e?.variables, n));
		return JSON.stringify(r ?? null) !== JSON.stringify(i ?? null);
	}).map((t) => br(r, t, N(e.variables, t), "became")).join(" and ");
}
function br(e, t, n, r) {
	return `${[P(e, 24), ...t].join(".")} ${r} ${mr(n) ? "not known" : P(d(n), 32)}`;
}
function xr(e, t = 4) {
	let n = e.slice(0, t);
	e.length > t && n.push(`${e.length - t} more`);
	let [r, ...i] = n;
	return i.length ? `${r} while ${i.join(" and ")}` : r ?? "";
}
//#endregion
//#region src/explain.ts
var F = (e, t) => e === "?" ? "unknown" : e === "1" ? t ? "violated" : "true" : "false";
function Sr(e, t) {
	return e === "?" ? "Too large to tell" : t ? e === "1" ? "Violated" : "Not violated" : e === "1" ? "True" : "False";
}
function Cr(e) {
	let { recording: t, moment: n, property: r } = e, i = t.spec.properties[r], a = t.value(r, n.slide);
	return {
		tone: F(a, i.never),
		word: Sr(a, i.never),
		sentence: wr(e, i),
		final: ye(t, r, n.slide)
	};
}
function wr(e, t) {
	let { recording: n, moment: r, outline: i } = e;
	if (!i) return "";
	let a = t.parts.length > 1 ? n.partValue(e.part, r.slide) : n.value(e.property, r.slide);
	if (a === "?") return n.hasClocks || t.parts.length === 1 ? "The window has more global states than the spec's max_cuts allows to look at." : "The pipeline tells the value of the whole property only.";
	if (n.hasClocks && !r.least) return "The states in the window make no consistent global state, so every answer is false.";
	let o = a === "1" ? Tr(e, i) : Er(e, i);
	return t.parts.length > 1 ? `The part ${i.text} is ${a === "1" ? "true" : "false"}: ${jr(o)}` : o;
}
function Tr(e, t) {
	let { witness: n, runs: r, moment: i, recording: a } = e;
	if (t.kind === "possibly") {
		let r = n.cut ? Or(e, t, n.cut) : "";
		return r ? `In some possible order, ${r}.` : "Some possible order of events shows it.";
	}
	if (t.kind !== "definitely") return Dr(e, t, !0);
	let o = a.because(e.part, i.slide), s = o === "l" ? i.least : o === "g" ? i.greatest : null;
	return s && a.hasClocks ? `Whatever the order, ${Or(e, t, s)}.` : r ? `Whatever the order, at some moment ${xr(r.map(({ process: e, first: t }) => a.state(e, t)).map((e) => vr(e, t, a.spec.processes[e.process])))}${r.length > 1 ? ": each began before any other could end" : ""}.` : "Every possible order of events shows it.";
}
function Er(e, t) {
	let { witnessCuts: n, witness: r, recording: i } = e;
	if (t.kind === "definitely") return r.path ? `In the order drawn in orange, ${Ar(e, t, n)}.` : "Some possible order of events avoids it.";
	if (t.kind !== "possibly") return Dr(e, t, !1);
	if (!i.hasClocks) return "No possible order of events shows it.";
	let a = t.conjunctive ? kr(e, t) : null;
	return a === null ? t.conjunctive ? "Each process satisfies its part at some time, but in no possible order all at once." : "No possible order of the events in this window shows it." : `In this window, ${i.spec.processes[a]} never satisfies its part of the condition.`;
}
function Dr({ witness: e }, { kind: t }, n) {
	let r = n ? "" : "not ";
	return t === "probability" ? `The share of possible orders that show it is ${r}within the bound.` : t === "CTL" ? `The formula does ${r}hold from the earliest global state of the window on.`.replace("does hold", "holds") : t === "possibly sequence" && n ? e.path ? "In the order drawn in orange, the sequence occurs." : "The sequence occurs in some possible order." : t === "definitely sequence" && !n ? e.path ? "In the order drawn in orange, the sequence does not occur." : "Some possible order avoids the sequence." : n ? "The sequence occurs in every possible order." : "The sequence occurs in no possible order.";
}
function Or({ recording: e, part: t }, n, r) {
	let i = r.flatMap((t, r) => {
		let i = n.reads[r].length ? e.state(r, t) : void 0;
		return i ? [i] : [];
	}), a = i.filter((e) => "12".includes(e.colours[t]));
	return xr((a.length ? a : i).map((t) => vr(t, n, e.spec.processes[t.process])));
}
function kr({ recording: e, moment: t, part: n }, r) {
	let { least: i, greatest: a } = t, o = r.reads.findIndex((t, r) => {
		if (!t.length || !i || !a) return !1;
		for (let t = i[r]; t <= a[r]; t++) if (S(e.state(r, t), n)) return !1;
		return !0;
	});
	return o < 0 ? null : o;
}
function Ar({ recording: e, part: t }, n, r) {
	let { processes: i } = e.spec;
	if (!n.conjunctive) return "no moment satisfies the condition";
	let a = [...n.reads.keys()].filter((e) => n.reads[e].length), o = (t, n) => e.state(t, r[n][t]), s = a.find((e) => r.every((n, r) => !S(o(e, r), t)));
	if (s !== void 0) return `${i[s]} never satisfies its part`;
	let c;
	for (let a = 1; a < r.length; a++) {
		let s = r[a].findIndex((e, t) => e !== r[a - 1][t]), [l, u] = [o(s, a - 1), o(s, a)];
		if (u && n.reads[s].length && S(l, t) !== S(u, t)) {
			if (!S(u, t)) c = u;
			else if (c && c.process !== s) {
				let t = [c, u].map((t) => {
					let r = i[t.process];
					return yr(t, e.state(t.process, t.number - 1), n, r) || `${r}#${t.index} came`;
				});
				return `${t[0]} before ${t[1]}`;
			}
		}
	}
	return "the parts of the condition never hold all at once";
}
var jr = (e) => e.charAt(0).toLowerCase() + e.slice(1), Mr = "whether a later event can overturn the value for the states of this window", Nr = class {
	header;
	choose;
	root = o("section", {
		class: "card properties",
		"aria-label": "Properties"
	});
	chips = o("div", {
		class: "chips",
		role: "group",
		"aria-label": "Choose a property"
	});
	verdict = o("div", { class: "verdict" });
	parts = o("div", {
		class: "parts",
		role: "group",
		"aria-label": "Choose a part of the property"
	});
	more = o("details", { class: "more" });
	detail = o("div", { class: "detail" });
	constructor(e, t) {
		this.header = e, this.choose = t, this.more.append(o("summary", {}, "How it is asked and answered"), this.detail);
		let { properties: n } = e.spec;
		this.root.append(this.chips, this.verdict, this.parts, this.more), n.forEach((e, t) => {
			let n = o("button", {
				type: "button",
				class: "chip",
				"data-property": e.name
			});
			n.append(o("span", { class: "lamp" }), o("span", { class: "label" }, e.name)), e.never && n.append(" ", o("span", {
				class: "never",
				title: "must never come true"
			}, "never")), n.addEventListener("click", () => this.choose(t, 0)), this.chips.append(n);
		}), n.length || this.root.replaceChildren(o("p", { class: "soft" }, "The spec has no properties."));
	}
	render(e, t) {
		let { properties: n } = this.header.spec, { recording: r, moment: i, property: a } = e;
		for (let [e, t] of [...this.chips.querySelectorAll("button")].entries()) {
			let o = r.value(e, i.slide), s = ye(r, e, i.slide);
			t.dataset.tone = F(o, n[e].never), t.setAttribute("aria-pressed", String(e === a));
			let c = Sr(o, n[e].never).toLowerCase();
			t.setAttribute("aria-label", `${n[e].name}${n[e].never ? " never" : ""}: ${[c, s].filter(Boolean).join(", ")}`);
		}
		let o = n[a];
		o && (this.renderVerdict(e, o), this.renderParts(e, o, t), this.renderDetail(e, o, t));
	}
	renderVerdict(e, t) {
		let { recording: n, moment: r, property: i } = e, { tone: a, word: s, sentence: c, final: l } = Cr(e), u = [], d = n.final(i, r.slide);
		l && u.push(o("span", {
			class: "badge final",
			"data-final": d,
			title: Mr
		}, l));
		let f = ve(n.because(e.part, r.slide));
		f && u.push(o("span", { class: "badge because" }, f)), this.verdict.dataset.tone = a, this.verdict.replaceChildren(o("p", { class: "word" }, s), o("div", { class: "said" }, o("p", { class: "sentence" }, c), o("p", { class: "asked" }, o("code", {
			class: "text",
			title: t.expanded
		}, t.text), ...u)));
	}
	renderParts(e, t, n) {
		let r = t.parts.map((t, r) => {
			let i = e.recording.partValue(e.part - n + r, e.moment.slide), a = o("button", {
				type: "button",
				class: "part",
				"aria-pressed": String(r === n),
				"data-tone": F(i, !1)
			});
			return a.append(o("span", { class: "lamp" }), t.text), a.addEventListener("click", () => this.choose(e.property, r)), a;
		});
		this.parts.replaceChildren(...r.length > 1 ? r : []);
	}
	renderDetail(e, t, n) {
		let r = t.parts[n], i = [];
		t.expanded !== t.text && i.push(o("p", {}, "Written out: ", o("code", {}, t.expanded))), i.push(o("p", { class: "why" }, o("span", { class: "engine" }, r.engine), ` ${r.why}`)), e.meaning && i.push(o("p", {}, `A filled global state: ${e.meaning}.`)), this.detail.replaceChildren(...i);
	}
}, Pr = class {
	spec;
	most;
	outlines;
	lanes;
	from;
	first = 1;
	values;
	finals;
	totals = {};
	counters = {};
	cutCounts = [];
	hasClocks = !0;
	process = [];
	newest = [];
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
		this.outlines = n, this.lanes = e.processes.map(() => []), this.from = e.processes.map(() => 0), this.values = e.properties.map(() => ""), this.finals = e.properties.map(() => ""), this.partValues = n.map(() => ""), this.reasons = n.map(() => ""), this.witnesses = n.map(() => []), this.labelTexts = n.map(() => []);
	}
	get length() {
		return this.process.length;
	}
	get last() {
		return this.first + this.length - 1;
	}
	get isEmpty() {
		return this.length === 0;
	}
	append(e) {
		let t = this.isEmpty;
		t && (this.first = e.first), this.hasClocks = e.states.length > 0, this.hasClocks && this.appendStates(e, t), this.appendEnds(e, t);
		for (let [t, n] of e.values.entries()) this.values[t] += n;
		for (let [t, n] of e.finals.entries()) this.finals[t] += n;
		e.parts.forEach((t, n) => {
			this.partValues[n] += t.values, this.reasons[n] += t.because;
			let r = new Map(t.stretch.map(([e, t, n]) => [e, [t, n]]));
			t.cut.forEach((i, a) => {
				let o = e.first + a, s = this.oldestAt(o), c = i === 0 ? null : i.map((e, t) => s[t] + e);
				this.witnesses[n].push({
					cut: c,
					path: t.path[a] || null,
					stretch: r.get(o) ?? null
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
		this.first += e, this.hasClocks && this.oldestAt(this.first).forEach((e, t) => {
			let n = Math.max(0, e - this.from[t]);
			this.lanes[t].splice(0, n), this.from[t] += n;
		});
	}
	appendStates(e, t) {
		e.states.forEach((e, n) => {
			let r = this.lanes[n];
			t && (this.from[n] = e.from);
			let i = x(e.index), a = e.clock.map(x);
			i.forEach((t, i) => {
				let o = e.variables_of[i];
				r.push({
					process: n,
					number: e.from + i,
					index: t,
					clock: a.map((e) => e[i]),
					variables: e.variables[o],
					time: e.time[i],
					colours: e.colours.map((e) => e[o]).join(""),
					slide: 0
				});
			});
		});
		for (let [t, n, r] of e.through) this.lost.set(`${t}/${n}`, r);
	}
	appendEnds(e, t) {
		let n = this.spec.processes.length, r;
		r = t ? this.hasClocks ? e.states.map((t, n) => {
			let r = e.process.filter((e) => e === n).length;
			return t.from + t.index.length - 1 - r;
		}) : Array(n).fill(0) : this.newest[this.length - 1];
		let i = new Map((e.told ?? []).map(([e, t, n]) => [e, {
			least: t,
			greatest: n
		}]));
		e.process.forEach((t, n) => {
			let a = e.first + n;
			if (r = [...r], this.hasClocks && (r[t] += 1, this.lanes[t][r[t] - this.from[t]].slide = a), this.process.push(t), this.newest.push(r), this.hasClocks) {
				let t = this.oldestAt(a), i = e.empty[n] === "1";
				this.least.push(i ? null : t.map((t, r) => t + e.least[r][n])), this.greatest.push(i ? null : r.map((t, r) => t - e.greatest[r][n])), this.toldAt.push(a);
			} else {
				let e = i.get(a), t = this.least.length - 1;
				this.least.push(e ? e.least : this.least[t] ?? null), this.greatest.push(e ? e.greatest : this.greatest[t] ?? null), this.toldAt.push(e ? a : this.toldAt[t] ?? 0);
			}
		});
	}
	oldestAt(e) {
		return this.newest[e - this.first].map((e, t) => {
			let n = this.spec.window[t];
			return n === null ? 0 : Math.max(0, e - n + 1);
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
			oldest: this.oldestAt(e),
			least: this.least[t],
			greatest: this.greatest[t],
			cuts: n < 0 ? null : n,
			toldAt: this.toldAt[t]
		};
	}
	state(e, t) {
		return this.lanes[e][t - this.from[e]];
	}
	delivered(e) {
		let t = e - this.first, n = this.process[t];
		return n === void 0 || !this.hasClocks ? void 0 : this.state(n, this.newest[t][n]);
	}
	covers(e, t, n) {
		return t < n.newest[e] ? this.state(e, t + 1).index - 1 : this.lost.get(`${n.slide}/${e}`) ?? this.state(e, t).index;
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
		return this.witnesses[e]?.[t - this.first] ?? {
			cut: null,
			path: null,
			stretch: null
		};
	}
	labels(e, t) {
		return this.labelTexts[e]?.[t - this.first] || null;
	}
	levels(e) {
		return this.levelCounts.get(e);
	}
	counter(e, t) {
		return e === "delivered" ? t : this.counters[e]?.[t - this.first] ?? 0;
	}
	change(e, t, n) {
		let r = this.values[e] ?? "";
		for (let e = t - this.first + n; e >= 0 && e < r.length; e += n) if (r[e] !== (e === 0 ? "0" : r[e - 1])) return e + this.first;
		return null;
	}
	firstViolation() {
		let e = null;
		for (let [t, { never: n }] of this.spec.properties.entries()) {
			let r = n ? this.values[t].indexOf("1") : -1;
			r >= 0 && (!e || r + this.first < e.slide) && (e = {
				property: t,
				slide: r + this.first
			});
		}
		return e;
	}
	violation(e, t) {
		for (let n = e - this.first + t; n >= 0 && n < this.length; n += t) {
			let e = this.spec.properties.findIndex(({ never: e }, t) => e && this.values[t][n] === "1" && this.values[t][n - 1] !== "1");
			if (e >= 0) return {
				property: e,
				slide: n + this.first
			};
		}
		return null;
	}
	show(e) {
		return `(${e.map((e, t) => this.state(t, e)?.index ?? e).join(",")})`;
	}
}, Fr = 2e3;
function Ir(e, t) {
	let n = t.trim().toLowerCase();
	if (!n) return [];
	let r = /* @__PURE__ */ new Map(), i = (e) => {
		let t = r.get(e);
		if (t !== void 0) return t;
		let i = Lr(e).includes(n);
		return r.set(e, i), i;
	};
	return e.lanes.flatMap((t, r) => {
		let a = e.spec.processes[r].toLowerCase();
		return t.filter((e) => e.number === 0 || !e.slide ? !1 : `${a}#${e.index}`.includes(n) || i(e.variables) ? !0 : e.time !== null && e.time !== void 0 && d(e.time).toLowerCase().includes(n));
	}).sort((e, t) => e.slide - t.slide).slice(0, Fr);
}
function Lr(e) {
	return typeof e != "object" || !e ? "" : Object.entries(e).map(([e, t]) => `${e} ${d(t)}`).join(" ").toLowerCase();
}
var Rr = class {
	recording;
	on;
	root = o("div", {
		class: "search",
		role: "search"
	});
	field = o("input", {
		type: "search",
		"aria-label": "Find a process, state or value",
		placeholder: "find a process, state or value",
		autocomplete: "off"
	});
	told = o("span", {
		class: "soft found",
		role: "status"
	});
	found = [];
	constructor(e, t) {
		this.recording = e, this.on = t;
		let n = u("Previous found state", "back", () => this.step(-1), "Shift+Enter"), r = u("Next found state", "forth", () => this.step(1), "Enter");
		this.root.append(this.field, n, r, this.told), this.field.addEventListener("input", () => this.look()), this.field.addEventListener("keydown", (e) => {
			e.key === "Enter" && this.step(e.shiftKey ? -1 : 1), e.key === "Escape" && this.clear();
		});
	}
	clear() {
		this.field.value = "", this.look(), this.field.blur();
	}
	look() {
		this.found = Ir(this.recording(), this.field.value);
		let e = this.found.length === Fr;
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
function zr(e, t) {
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
var Br = .8, Vr = class {
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
			for (let e of this.effects(n)) t = Math.min(t, this.at.get(e) - Br);
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
			let { process: r, number: i, clock: a } = e, o = this.at.get(e) - Br, s = t.state(r, i - 1), c = a.map((e, n) => n === r ? s : e > (s?.clock[n] ?? 0) ? t.latest(n, e) : void 0);
			for (let e of c) e && (this.at.get(e) ?? -Infinity) > o && (this.at.set(e, o), n.push(e));
		}
	}
};
function Hr(e, t, n, { easy: r, most: i }, a = [...e.lanes.keys()]) {
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
function I(e, t, n) {
	let r = e.state(n.process, n.number + 1), i = r === void 0 ? void 0 : t.column.get(r);
	return [t.column.get(n), i ?? t.columns];
}
function L(e, t, n) {
	let r = t.order.map((r) => {
		let i = e.state(r, t.spans[r][0]);
		if (i && n[r] < i.number) return [-.7, t.column.get(i)];
		let a = e.state(r, n[r]);
		return a && t.column.has(a) ? I(e, t, a) : null;
	});
	if (r.some((e) => e === null)) return null;
	let i = r, a = Math.max(...i.map(([e]) => e)) + .5, o = n.map(() => NaN);
	for (let [e, [n, r]] of i.entries()) o[t.order[e]] = Math.min(Math.max(a, n + .28), r - .28);
	return o;
}
function Ur(e, t, n) {
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
//#region src/spacetime-ends.ts
var Wr = 72;
function Gr({ least: e, greatest: t }) {
	return e && t ? Math.max(...e.map((e, n) => t[n] - e + 1)) : 1;
}
function Kr(e, t, { recording: n, moment: r }, i) {
	let { processes: a } = n.spec;
	for (let t of Object.values(e)) t.selectAll("*").remove();
	qr(e, t, a, i);
	let { least: o, greatest: s } = r;
	if (!o || !s) return;
	let c = Math.min(Wr, t.step);
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
function qr(e, t, n, r) {
	for (let i of r) {
		let r = e.labels.append("g").attr("class", "lane").attr("transform", `translate(0 ${t.y(i)})`);
		r.append("text").attr("x", t.left - 18).attr("text-anchor", "end").attr("dy", "0.35em").text(P(n[i], t.letters)), r.append("title").text(n[i]);
	}
}
//#endregion
//#region node_modules/d3-path/dist/d3-path.mjs
var R = Math.PI, Jr = 2 * R, z = 1e-6, Yr = Jr - z;
function Xr(e) {
	this._ += e[0];
	for (let t = 1, n = e.length; t < n; ++t) this._ += arguments[t] + e[t];
}
function Zr(e) {
	let t = Math.floor(e);
	if (!(t >= 0)) throw Error(`invalid digits: ${e}`);
	if (t > 15) return Xr;
	let n = 10 ** t;
	return function(e) {
		this._ += e[0];
		for (let t = 1, r = e.length; t < r; ++t) this._ += Math.round(arguments[t] * n) / n + e[t];
	};
}
function Qr(e, t, n, r) {
	return e === n && t === r;
}
function $r(e) {
	let t = Math.floor(e);
	if (!(t <= 15)) return Qr;
	let n = 10 ** t, r = function(e) {
		return Math.round(e * n);
	};
	return function(e, t, n, i) {
		return r(e) === r(n) && r(t) === r(i);
	};
}
var ei = class {
	constructor(e) {
		this._x0 = this._y0 = this._x1 = this._y1 = null, this._ = "", this._append = e == null ? Xr : Zr(e), this._equal = e == null ? Qr : $r(e);
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
		else if (d > z) {
			if (!(Math.abs(u * s - c * l) > z) || !i) this._append`L${this._x1 = e},${this._y1 = t}`;
			else {
				let f = n - a, p = r - o, m = s * s + c * c, h = f * f + p * p, g = Math.sqrt(m), _ = Math.sqrt(d), v = i * Math.tan((R - Math.acos((m + d - h) / (2 * g * _))) / 2), y = v / _, b = v / g;
				Math.abs(y - 1) > z && this._append`L${e + y * l},${t + y * u}`, this._append`A${i},${i},0,0,${+(u * f > l * p)},${this._x1 = e + b * s},${this._y1 = t + b * c}`;
			}
		}
	}
	arc(e, t, n, r, i, a) {
		if (e = +e, t = +t, n = +n, a = !!a, n < 0) throw Error(`negative radius: ${n}`);
		let o = n * Math.cos(r), s = n * Math.sin(r), c = e + o, l = t + s, u = 1 ^ a, d = a ? r - i : i - r;
		if (this._x1 === null ? this._append`M${c},${l}` : (Math.abs(this._x1 - c) > z || Math.abs(this._y1 - l) > z) && this._append`L${c},${l}`, n) {
			if (d < 0 && (d = d % Jr + Jr), d > Yr) this._append`A${n},${n},0,1,${u},${e - o},${t - s}A${n},${n},0,1,${u},${this._x1 = c},${this._y1 = l}`;
			else if (d > z) {
				let a = e + n * Math.cos(i), o = t + n * Math.sin(i);
				if (d >= R && this._equal(c, l, a, o)) {
					d /= 2;
					let i = r + d;
					this._append`A${n},${n},0,${+(d >= R)},${u},${e + n * Math.cos(i)},${t + n * Math.sin(i)}`;
				}
				this._append`A${n},${n},0,${+(d >= R)},${u},${this._x1 = a},${this._y1 = o}`;
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
ei.prototype;
//#endregion
//#region node_modules/d3-shape/dist/d3-shape.mjs
function B(e) {
	return function() {
		return e;
	};
}
var ti = Math.cos, ni = Math.sin, V = Math.sqrt, ri = 1e-12, H = Math.PI;
H / 2;
var ii = 2 * H;
function ai(e) {
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
	}, () => new ei(t);
}
Array.prototype.slice;
function oi(e) {
	return typeof e == "object" && "length" in e ? e : Array.from(e);
}
function si(e) {
	this._context = e;
}
si.prototype = {
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
function U(e) {
	return new si(e);
}
function ci(e) {
	return e[0];
}
function li(e) {
	return e[1];
}
function ui(e, t) {
	var n = B(!0), r = null, i = U, a = null, o = ai(s);
	e = typeof e == "function" ? e : e === void 0 ? ci : B(e), t = typeof t == "function" ? t : t === void 0 ? li : B(t);
	function s(s) {
		var c, l = (s = oi(s)).length, u, d = !1, f;
		for (r ?? (a = i(f = o())), c = 0; c <= l; ++c) !(c < l && n(u = s[c], c, s)) === d && ((d = !d) ? a.lineStart() : a.lineEnd()), d && a.point(+e(u, c, s), +t(u, c, s));
		if (f) return a = null, f + "" || null;
	}
	return s.x = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : B(+t), s) : e;
	}, s.y = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : B(+e), s) : t;
	}, s.defined = function(e) {
		return arguments.length ? (n = typeof e == "function" ? e : B(!!e), s) : n;
	}, s.curve = function(e) {
		return arguments.length ? (i = e, r != null && (a = i(r)), s) : i;
	}, s.context = function(e) {
		return arguments.length ? (e == null ? r = a = null : a = i(r = e), s) : r;
	}, s;
}
function di(e, t, n) {
	var r = null, i = B(!0), a = null, o = U, s = null, c = ai(l);
	e = typeof e == "function" ? e : e === void 0 ? ci : B(+e), t = typeof t == "function" ? t : B(t === void 0 ? 0 : +t), n = typeof n == "function" ? n : n === void 0 ? li : B(+n);
	function l(l) {
		var u, d, f, p = (l = oi(l)).length, m, h = !1, g, _ = Array(p), v = Array(p);
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
		return ui().defined(i).curve(o).context(a);
	}
	return l.x = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : B(+t), r = null, l) : e;
	}, l.x0 = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : B(+t), l) : e;
	}, l.x1 = function(e) {
		return arguments.length ? (r = e == null ? null : typeof e == "function" ? e : B(+e), l) : r;
	}, l.y = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : B(+e), n = null, l) : t;
	}, l.y0 = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : B(+e), l) : t;
	}, l.y1 = function(e) {
		return arguments.length ? (n = e == null ? null : typeof e == "function" ? e : B(+e), l) : n;
	}, l.lineX0 = l.lineY0 = function() {
		return u().x(e).y(t);
	}, l.lineY1 = function() {
		return u().x(e).y(n);
	}, l.lineX1 = function() {
		return u().x(r).y(t);
	}, l.defined = function(e) {
		return arguments.length ? (i = typeof e == "function" ? e : B(!!e), l) : i;
	}, l.curve = function(e) {
		return arguments.length ? (o = e, a != null && (s = o(a)), l) : o;
	}, l.context = function(e) {
		return arguments.length ? (e == null ? a = s = null : s = o(a = e), l) : a;
	}, l;
}
pi(U);
function fi(e) {
	this._curve = e;
}
fi.prototype = {
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
function pi(e) {
	function t(t) {
		return new fi(e(t));
	}
	return t._curve = e, t;
}
V(3), V(1 / 3) * 2;
var mi = ni(H / 10) / ni(7 * H / 10);
ni(ii / 10) * mi, -ti(ii / 10) * mi, V(3), V(3), V(3) / 2, (1 / V(12) / 2 + 1) * 3;
function W() {}
function hi(e, t, n) {
	e._context.bezierCurveTo((2 * e._x0 + e._x1) / 3, (2 * e._y0 + e._y1) / 3, (e._x0 + 2 * e._x1) / 3, (e._y0 + 2 * e._y1) / 3, (e._x0 + 4 * e._x1 + t) / 6, (e._y0 + 4 * e._y1 + n) / 6);
}
function G(e) {
	this._context = e;
}
G.prototype = {
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
			case 3: hi(this, this._x1, this._y1);
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
			default: hi(this, e, t);
		}
		this._x0 = this._x1, this._x1 = e, this._y0 = this._y1, this._y1 = t;
	}
};
function gi(e, t) {
	this._basis = new G(e), this._beta = t;
}
gi.prototype = {
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
		return t === 1 ? new G(e) : new gi(e, t);
	}
	return n.beta = function(t) {
		return e(+t);
	}, n;
})(.85);
function K(e, t, n) {
	e._context.bezierCurveTo(e._x1 + e._k * (e._x2 - e._x0), e._y1 + e._k * (e._y2 - e._y0), e._x2 + e._k * (e._x1 - t), e._y2 + e._k * (e._y1 - n), e._x2, e._y2);
}
function q(e, t) {
	this._context = e, this._k = (1 - t) / 6;
}
q.prototype = {
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
			case 3: K(this, this._x1, this._y1);
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
			default: K(this, e, t);
		}
		this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return new q(e, t);
	}
	return n.tension = function(t) {
		return e(+t);
	}, n;
})(0);
function J(e, t) {
	this._context = e, this._k = (1 - t) / 6;
}
J.prototype = {
	areaStart: W,
	areaEnd: W,
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
			default: K(this, e, t);
		}
		this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return new J(e, t);
	}
	return n.tension = function(t) {
		return e(+t);
	}, n;
})(0);
function Y(e, t) {
	this._context = e, this._k = (1 - t) / 6;
}
Y.prototype = {
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
			default: K(this, e, t);
		}
		this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return new Y(e, t);
	}
	return n.tension = function(t) {
		return e(+t);
	}, n;
})(0);
function _i(e, t, n) {
	var r = e._x1, i = e._y1, a = e._x2, o = e._y2;
	if (e._l01_a > ri) {
		var s = 2 * e._l01_2a + 3 * e._l01_a * e._l12_a + e._l12_2a, c = 3 * e._l01_a * (e._l01_a + e._l12_a);
		r = (r * s - e._x0 * e._l12_2a + e._x2 * e._l01_2a) / c, i = (i * s - e._y0 * e._l12_2a + e._y2 * e._l01_2a) / c;
	}
	if (e._l23_a > ri) {
		var l = 2 * e._l23_2a + 3 * e._l23_a * e._l12_a + e._l12_2a, u = 3 * e._l23_a * (e._l23_a + e._l12_a);
		a = (a * l + e._x1 * e._l23_2a - t * e._l12_2a) / u, o = (o * l + e._y1 * e._l23_2a - n * e._l12_2a) / u;
	}
	e._context.bezierCurveTo(r, i, a, o, e._x2, e._y2);
}
function vi(e, t) {
	this._context = e, this._alpha = t;
}
vi.prototype = {
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
			default: _i(this, e, t);
		}
		this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return t ? new vi(e, t) : new q(e, 0);
	}
	return n.alpha = function(t) {
		return e(+t);
	}, n;
})(.5);
function yi(e, t) {
	this._context = e, this._alpha = t;
}
yi.prototype = {
	areaStart: W,
	areaEnd: W,
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
			default: _i(this, e, t);
		}
		this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return t ? new yi(e, t) : new J(e, 0);
	}
	return n.alpha = function(t) {
		return e(+t);
	}, n;
})(.5);
function bi(e, t) {
	this._context = e, this._alpha = t;
}
bi.prototype = {
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
			default: _i(this, e, t);
		}
		this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return t ? new bi(e, t) : new Y(e, 0);
	}
	return n.alpha = function(t) {
		return e(+t);
	}, n;
})(.5);
function xi(e) {
	return e < 0 ? -1 : 1;
}
function Si(e, t, n) {
	var r = e._x1 - e._x0, i = t - e._x1, a = (e._y1 - e._y0) / (r || i < 0 && -0), o = (n - e._y1) / (i || r < 0 && -0), s = (a * i + o * r) / (r + i);
	return (xi(a) + xi(o)) * Math.min(Math.abs(a), Math.abs(o), .5 * Math.abs(s)) || 0;
}
function Ci(e, t) {
	var n = e._x1 - e._x0;
	return n ? (3 * (e._y1 - e._y0) / n - t) / 2 : t;
}
function wi(e, t, n) {
	var r = e._x0, i = e._y0, a = e._x1, o = e._y1, s = (a - r) / 3;
	e._context.bezierCurveTo(r + s, i + s * t, a - s, o - s * n, a, o);
}
function Ti(e) {
	this._context = e;
}
Ti.prototype = {
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
			case 3: wi(this, this._t0, Ci(this, this._t0));
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
					this._point = 3, wi(this, Ci(this, n = Si(this, e, t)), n);
					break;
				default: wi(this, this._t0, n = Si(this, e, t));
			}
			this._x0 = this._x1, this._x1 = e, this._y0 = this._y1, this._y1 = t, this._t0 = n;
		}
	}
};
function Ei(e) {
	this._context = new Di(e);
}
(Ei.prototype = Object.create(Ti.prototype)).point = function(e, t) {
	Ti.prototype.point.call(this, t, e);
};
function Di(e) {
	this._context = e;
}
Di.prototype = {
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
function Oi(e) {
	return new Ei(e);
}
function ki(e, t) {
	this._context = e, this._t = t;
}
ki.prototype = {
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
function Ai(e) {
	return new ki(e, 1);
}
var ji = 76, Mi = 18, Ni = 34, Pi = 26, Fi = 46, Ii = 110, Li = 9, Ri = 34, zi = 116, Bi = 7.1, Vi = (e) => e < 560 ? ji : 116;
function Hi(e) {
	return e - Vi(e) - Mi;
}
function Ui(e) {
	let t = Hi(e);
	return {
		easy: Math.floor(t / Fi),
		most: Math.max(40, Math.floor(t / Li))
	};
}
var Wi = class {
	order;
	left;
	height;
	lane;
	thickness;
	half;
	step;
	letters;
	rows;
	constructor(e, t, n, r) {
		this.order = n;
		let i = Math.max(1, n.length);
		this.left = Vi(e), this.rows = new Map(n.map((e, t) => [e, t])), this.height = Math.max(t, 60 + Ri * i), this.lane = Math.min(zi, (this.height - Ni - Pi) / i), this.thickness = Math.max(8, Math.min(20, this.lane * .36)), this.half = Math.min(this.lane * .42, this.thickness + 12), this.step = Math.min(Ii, Hi(e) / r), this.letters = Math.max(4, Math.floor((this.left - 22) / Bi));
	}
	x(e) {
		return this.left + e * this.step;
	}
	y(e) {
		return Ni + Math.max(0, this.height - Ni - Pi - this.lane * this.order.length) / 2 + this.lane * ((this.rows.get(e) ?? NaN) + .5);
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
		return ui().curve(Oi)(a) ?? "";
	}
}, Gi = 40;
function Ki(e, t) {
	qi(e, t), Ji(e, t);
}
function qi(e, { scene: t, view: n, frame: r }) {
	let { recording: i, witnessCuts: a, witness: o } = t, s = o.path ? a : [], c = Math.max(1, Math.ceil(s.length / Gi)), l = s.flatMap((e, t) => {
		let a = t % c && t < s.length - 1 ? null : L(i, n, e);
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
function Ji(e, { scene: t, view: n, frame: r }) {
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
			name: "here",
			cut: o.cut
		}
	], c = /* @__PURE__ */ new Map();
	for (let { name: e, cut: t } of s) t && c.set(t.join(), [...c.get(t.join()) ?? [], e]);
	let l = s.flatMap(({ kind: e, name: t, cut: r }) => {
		let a = r && L(i, n, r);
		if (!r || !a) return [];
		let o = c.get(r.join());
		return [{
			kind: e,
			cut: r,
			crossing: a,
			text: o[o.length - 1] === t ? o.join(", ") : ""
		}];
	}), u = n.order[0], d = Math.max(r.top - 4, 24), f = [], p = /* @__PURE__ */ new Map();
	for (let e of [...l].sort((e, t) => e.crossing[u] - t.crossing[u])) {
		let [t, n] = [r.x(e.crossing[u]), e.text.length * 3.2], i = f.findIndex((e) => e < t - n), a = i < 0 ? f.length : i;
		f[a] = t + n + 4, p.set(e.kind, a);
	}
	e.frontiers.selectAll("g").data(l, ({ kind: e }) => e).join((e) => {
		let t = e.append("g");
		return t.append("path"), t.append("text").attr("text-anchor", "middle"), t;
	}).attr("class", ({ kind: e }) => `frontier ${e}`).attr("data-cut", ({ cut: e }) => i.show(e)).each((e, t, n) => {
		let i = k(n[t]);
		i.select("path").attr("d", r.frontierPath(e.crossing));
		let a = d - 12 * (p.get(e.kind) ?? 0);
		i.select("text").attr("x", r.x(e.crossing[u])).attr("y", a).text(e.text);
	});
}
//#endregion
//#region src/times.ts
var Yi = /(?:^|[T ])(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,3})?)?)/, Xi = 1e8;
function Zi(e) {
	if (typeof e == "number") return Qi(e);
	if (typeof e != "string" || !e) return "";
	let t = Yi.exec(e);
	return t ? t[1] : e.trim() !== "" && Number.isFinite(Number(e)) ? Qi(Number(e)) : "";
}
function Qi(e) {
	if (!Number.isFinite(e)) return "";
	let t = Math.abs(e);
	for (; t >= Xi * 1e3;) t /= 1e3;
	if (t < Xi) return String(Math.round(e * 1e3) / 1e3);
	let n = new Date(Math.round(t * 1e3)).toISOString().slice(11, 23);
	return n.endsWith(".000") ? n.slice(0, 8) : n;
}
//#endregion
//#region src/spacetime-marks.ts
var $i = 6.1, ea = {
	0: "out",
	"-": "may",
	1: "holds",
	2: "holds",
	".": "unread"
};
function ta(e, t) {
	na(e, t), ra(e, t), ia(e, t), aa(e, t), oa(e, t), sa(e, t), Ki(e, t);
	let { hidden: n } = t.view, r = e.labels.selectAll("text.hidden").data(n ? [n] : []).join("text");
	r.attr("class", "hidden soft").attr("x", t.frame.left).attr("y", 12), r.text(`${f(n, "earlier state")} of the windows not shown`);
}
function na(e, { scene: t, view: n, frame: r }) {
	let { processes: i } = t.recording.spec, a = hr(i, r.letters), o = r.x(n.columns), s = e.labels.selectAll("g.lane").data(n.order, (e) => e).join((e) => {
		let t = e.append("g").attr("class", "lane");
		return t.append("text").attr("text-anchor", "end").attr("dy", "0.35em"), t.append("title"), t;
	});
	s.attr("transform", (e) => `translate(0 ${r.y(e)})`), s.select("text").attr("x", r.left - 14).text((e) => a[e]), s.select("title").text((e) => i[e]), e.ends.selectAll("path.lane").data(n.order).join("path").attr("class", "lane").attr("d", (e) => `M${r.left - 8} ${r.y(e)}H${o}`);
}
function ra(e, { scene: t, view: n, frame: r }) {
	let { recording: i, moment: a } = t, o = n.order.flatMap((e) => {
		let t = i.state(e, Math.max(a.oldest[e], n.spans[e][0])), o = i.state(e, a.newest[e]);
		return !t || !o ? [] : [{
			k: e,
			begin: r.x(I(i, n, t)[0]),
			end: r.x(I(i, n, o)[1])
		}];
	});
	e.windows.selectAll("rect").data(o, ({ k: e }) => e).join("rect").attr("rx", 8).attr("x", ({ begin: e }) => e - 7).attr("width", ({ begin: e, end: t }) => Math.max(t - e + 7, 10)).attr("y", ({ k: e }) => r.y(e) - r.half).attr("height", 2 * r.half);
}
function ia(e, { scene: t, view: n, frame: r }) {
	let { recording: i, moment: a, part: o, outline: s } = t, c = r.thickness, l = [...n.column.keys()], u = new Map(l.map((e) => [e, I(i, n, e).map((e) => r.x(e))])), d = (e) => Math.max(u.get(e)[1] - u.get(e)[0] - 5, 3), f = e.states.selectAll("g").data(l, (e) => `${e.process}/${e.number}`).join((e) => {
		let t = e.append("g");
		return t.append("rect"), t.append("circle"), t.append("text").attr("class", "index").attr("text-anchor", "middle"), t.append("text").attr("class", "value").attr("text-anchor", "middle").attr("dy", "0.35em"), t;
	}).attr("class", (e) => {
		let t = ea[e.colours[o] ?? "."], { newest: n, oldest: r } = a;
		return `state ${t} ${e.number > n[e.process] ? "coming" : e.number < r[e.process] ? "gone" : "inside"}${e.process === a.process && e.number === n[e.process] ? " delivered" : ""}`;
	}).attr("data-state", (e) => `${i.spec.processes[e.process]}#${e.index}`).style("transform", (e) => `translate(${u.get(e)[0]}px, ${r.y(e.process)}px)`);
	f.select("rect").attr("x", 2.5).attr("y", -c / 2).attr("height", c).attr("rx", Math.min(5, c / 2)).attr("width", d), f.select("circle").attr("r", (e) => e.number === 0 ? 0 : Math.min(4, c / 3, r.step / 5)).attr("cx", 0), f.select("text.index").attr("x", (e) => 2.5 + d(e) / 2).attr("y", -c / 2 - 5).text((e) => d(e) > 16 && r.lane > 40 ? e.index : ""), f.select("text.value").attr("x", (e) => 4.5 + d(e) / 2).text((e) => {
		let t = Math.floor((d(e) - 10) / $i);
		return c >= 11 ? gr(e, s, t) : "";
	});
}
function aa(e, { scene: t, view: n, frame: r }) {
	let { recording: i, runs: a } = t, o = (a ?? []).flatMap((e) => {
		let t = [e.first, e.last].map((t) => i.state(e.process, t));
		if (!t.every((e) => e && n.column.has(e)) || !n.order.includes(e.process)) return [];
		let a = r.x(I(i, n, t[0])[0]) + 2.5, o = r.x(I(i, n, t[1])[1]) - 2.5;
		return [`M${a} ${r.y(e.process) + r.thickness / 2 + 5 - 3}v3H${o}v-3`];
	});
	e.runs.selectAll("path").data(o).join("path").attr("class", "run").attr("d", String);
}
function oa(e, { scene: t, view: n, frame: r }) {
	let { recording: i, moment: a, runs: o } = t, s = [...n.column.keys()].flatMap((e) => zr(i, e)).filter(({ from: e }) => n.column.has(e)), c = new Set(o ? ae(i, a, o, s) : []), l = ({ from: e, to: t }) => e.number > a.newest[e.process] || t.number > a.newest[t.process];
	e.messages.selectAll("path").data(s, ({ from: e, to: t }) => `${e.process}/${e.number}-${t.process}/${t.number}`).join("path").attr("class", (e) => c.has(e) ? "message forcing" : l(e) ? "message coming" : "message").attr("d", ({ from: e, to: t }) => {
		let [i, a] = [r.x(n.column.get(e)), r.y(e.process)], [o, s] = [r.x(n.column.get(t)), r.y(t.process)], c = Math.hypot(o - i, s - a), [l, u] = [(o - i) / c, (s - a) / c];
		return `M${i + 5 * l} ${a + 5 * u}L${o - 6 * l} ${s - 6 * u}`;
	});
}
function sa(e, { view: t, frame: n }) {
	let r = -Infinity, i = [];
	for (let [e, a] of t.column) {
		let t = e.number === 0 ? "" : Zi(e.time), [o, s] = [n.x(a), t.length * 3.3];
		!t || o - s < r || o - s < n.left - 30 || (i.push({
			x: o,
			text: t
		}), r = o + s + 14);
	}
	e.labels.selectAll("text.time").data(i).join("text").attr("class", "time").attr("text-anchor", "middle").attr("x", ({ x: e }) => e).attr("y", n.height - 8).text(({ text: e }) => e);
}
//#endregion
//#region src/spacetime-view.ts
var ca = class {
	events;
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
		this.events = t, this.svg = k(e).append("svg").attr("tabindex", 0).attr("role", "img");
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
			over: r("over")
		}, this.svg.on("pointermove", (e) => this.onMove(e)), this.svg.on("pointerleave", () => t.point(w, null)), this.svg.on("mousedown", (e) => e.preventDefault()), this.svg.on("keydown", (e) => this.onKey(e)), this.svg.on("blur", () => {
			this.focus = null, t.point(w, null);
		}), p(e, (e, t) => {
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
			let t = L(a, r, e);
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
		let { recording: t, moment: n } = e, r = Hr(t, n, this.positions(t), Ui(this.width), this.lanes(t)), i = new Wi(this.width, this.height, r.order, r.columns);
		return this.picture = {
			scene: e,
			view: r,
			frame: i
		}, this.svg.attr("aria-label", la(e)), ta(this.layers, this.picture), i;
	}
	renderEnds(e) {
		let t = this.lanes(e.recording), n = new Wi(this.width, this.height, t, Gr(e.moment));
		return this.picture = null, this.svg.attr("aria-label", "States between the least and the greatest cut, by index"), Kr(this.layers, n, e, t), n;
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
	lanes(e) {
		return this.order ?? [...e.spec.processes.keys()];
	}
	positions(e) {
		return this.placed?.recording !== e && (this.placed = {
			recording: e,
			at: new Vr(e)
		}), this.placed.at.follow();
	}
	onMove(e) {
		if (!this.picture) return;
		let { scene: t, view: n, frame: r } = this.picture, { recording: i, lattice: a, moment: o } = t, [s, c] = A(e, this.svg.node()), l = (s - r.left) / r.step;
		if (l < 0 || l > n.columns) {
			this.events.point(w, null);
			return;
		}
		let u = Ur(i, n, l), { least: d, greatest: f } = o, p = d && f ? u.map((e, t) => Math.min(Math.max(e, d[t]), f[t])) : null, m = p && a?.position.has(p.join(",")) ? p : null, h = n.order.find((e) => Math.abs(c - r.y(e)) < r.thickness), g = h === void 0 ? void 0 : i.state(h, u[h]), _ = g && n.column.has(g) ? g : null;
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
		l !== c.process && (f = Ur(i, r, (r.column.get(c) ?? 0) + .5)[l]), this.focus = i.state(l, Math.min(Math.max(f, u), d)) ?? c, this.events.point({
			cut: null,
			state: this.focus
		}, this.locate(this.focus, this.picture));
	}
};
function la({ recording: e, moment: t }) {
	return `Space-time diagram. States in the window: ${e.spec.processes.map((n, r) => {
		let i = [t.oldest[r], t.newest[r]].map((t) => e.state(r, t)?.index);
		return `${n} ${i[0]} to ${i[1]}`;
	}).join(", ")}. Arrow keys move between states.`;
}
//#endregion
//#region src/swipe.ts
var ua = 48;
function da(e, t) {
	return Math.abs(e) < ua || Math.abs(e) < 1.6 * Math.abs(t) ? 0 : e < 0 ? 1 : -1;
}
function fa(e, t) {
	let n = null;
	e.addEventListener("touchstart", ({ touches: e }) => {
		n = e.length === 1 ? {
			x: e[0].clientX,
			y: e[0].clientY
		} : null;
	}, { passive: !0 }), e.addEventListener("touchend", ({ changedTouches: e }) => {
		let r = n ? da(e[0].clientX - n.x, e[0].clientY - n.y) : 0;
		n = null, r && t(r);
	});
}
//#endregion
//#region src/system-view.ts
var pa = 2e3, ma = 260, ha = 34;
function ga(e, t) {
	if (!e.groups) return "No group has reported yet.";
	let n = f(e.groups, "group");
	if (t.some(({ never: e }) => e)) {
		if (!e.violating) return `In none of ${n} is anything violated now.`;
		let t = e.violating === 1 ? "violates" : "violate";
		return `${e.violating.toLocaleString("en")} of ${n} ${t} something now.`;
	}
	return `${n}. Open one to see what happened in it.`;
}
function _a(e, t) {
	let n = ma / Math.max(1, e.length - 1), r = (e) => 33 - e / Math.max(1, t) * 31;
	return e.length === 1 ? `M0 ${r(e[0])}H${ma}` : e.map((e, t) => `${t ? "L" : "M"}${(t * n).toFixed(1)} ${r(e).toFixed(1)}`).join("");
}
var va = class {
	header;
	load;
	open;
	root = o("section", {
		class: "card system",
		"aria-label": "All groups"
	});
	word = o("p", { class: "word" });
	sparks = o("ul", { class: "sparks" });
	rows = o("tbody", {});
	more = o("p", { class: "soft" });
	field = o("input", {
		type: "search",
		"aria-label": "Find a group",
		placeholder: "find a group"
	});
	timer = 0;
	constructor(e, t, n) {
		this.header = e, this.load = t, this.open = n;
		let r = o("table", {}, o("thead", {}, o("tr", {}, ...[
			"group",
			"violated now",
			"true now",
			"slides",
			"rejects"
		].map((e) => o("th", { scope: "col" }, e)))), this.rows);
		this.root.append(this.word, this.sparks, this.field, o("div", { class: "scroll" }, r), this.more), this.field.addEventListener("input", () => void this.refresh());
	}
	start() {
		this.stop(), this.refresh(), this.timer = window.setInterval(() => void this.refresh(), pa);
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
		this.root.dataset.tone = e.violating ? "violated" : "false", this.root.dataset.groups = String(e.groups), this.word.textContent = ga(e, t), this.sparks.replaceChildren(...t.map((t, n) => this.spark(e, n)));
		let n = document.activeElement?.getAttribute("data-group");
		this.rows.replaceChildren(...e.lines.map((e) => this.row(e))), n != null && this.rows.querySelector(`[data-group="${CSS.escape(n)}"]`)?.focus();
		let r = e.found - e.lines.length;
		this.more.textContent = r > 0 ? `and ${f(r, "group")} more; search for their names` : "";
	}
	spark(e, t) {
		let { name: n, never: r } = this.header.spec.properties[t], i = e.true_in[t], a = i[i.length - 1] ?? 0, s = document.createElementNS("http://www.w3.org/2000/svg", "svg");
		s.setAttribute("viewBox", `0 0 ${ma} ${ha}`), s.setAttribute("role", "img"), s.setAttribute("aria-label", `${n}: true in ${f(a, "group")} now, at most in ${Math.max(0, ...i)}`);
		let c = document.createElementNS("http://www.w3.org/2000/svg", "path");
		c.setAttribute("d", _a(i, Math.max(...i, 1))), s.append(c);
		let l = o("span", {}, o("strong", {}, P(n, 28)), ` ${a.toLocaleString("en")}`);
		return o("li", {
			"data-tone": r ? a ? "violated" : "false" : "true",
			title: n
		}, l, s);
	}
	row(e) {
		let { properties: t } = this.header.spec, n = (n) => t.filter(({ never: t }, r) => t === n && e.values[r] === "1").map(({ name: e }) => e).join(", "), r = o("button", {
			type: "button",
			"data-group": e.name
		}, e.name || "(no name)");
		r.addEventListener("click", () => this.open(e.name));
		let i = [e.slide, e.rejects].map((e) => o("td", { class: "count" }, e.toLocaleString("en"))), a = n(!0);
		return o("tr", { "data-tone": a ? "violated" : "false" }, o("th", { scope: "row" }, r), o("td", { class: "violated" }, a), o("td", {}, n(!1)), ...i);
	}
};
//#endregion
//#region node_modules/d3-array/dist/d3-array.mjs
function X(e, t) {
	return e == null || t == null ? NaN : e < t ? -1 : e > t ? 1 : e >= t ? 0 : NaN;
}
function ya(e, t) {
	return e == null || t == null ? NaN : t < e ? -1 : t > e ? 1 : t >= e ? 0 : NaN;
}
function ba(e) {
	let t, n, r;
	e.length === 2 ? (t = e === X || e === ya ? e : xa, n = e, r = e) : (t = X, n = (t, n) => X(e(t), n), r = (t, n) => e(t) - n);
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
function xa() {
	return 0;
}
function Sa(e) {
	return e === null ? NaN : +e;
}
var Ca = ba(X);
Ca.right, Ca.left, ba(Sa).center, Array.prototype.slice;
var wa = Math.sqrt(50), Ta = Math.sqrt(10), Ea = Math.sqrt(2);
function Da(e, t, n) {
	let r = (t - e) / Math.max(0, n), i = Math.floor(Math.log10(r)), a = r / 10 ** i, o = a >= wa ? 10 : a >= Ta ? 5 : a >= Ea ? 2 : 1, s, c, l;
	return i < 0 ? (l = 10 ** -i / o, s = Math.round(e * l), c = Math.round(t * l), s / l < e && ++s, c / l > t && --c, l = -l) : (l = 10 ** i * o, s = Math.round(e / l), c = Math.round(t / l), s * l < e && ++s, c * l > t && --c), c < s && .5 <= n && n < 2 ? Da(e, t, n * 2) : [
		s,
		c,
		l
	];
}
function Oa(e, t, n) {
	if (t = +t, e = +e, n = +n, !(n > 0)) return [];
	if (e === t) return [e];
	let r = t < e, [i, a, o] = r ? Da(t, e, n) : Da(e, t, n);
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
//#region src/range.ts
var ka = 12, Z = class e {
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
		let n = Math.min(Math.max(this.length / e, ka), this.last - this.first + 1), r = (t - this.begin) / this.length;
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
//#region src/timeline-data.ts
function Aa(e, t, n) {
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
function ja(e, t) {
	return Aa(e, t, (e) => {
		let t = e.includes("1"), n = e.includes("0");
		return e.includes("?") ? "?" : t && n ? "m" : t ? "1" : "0";
	});
}
function Ma(e, t) {
	return Aa(e, t, (e) => [..."21-0."].find((t) => e.includes(t)) ?? " ");
}
function Na(e, t) {
	let n = Math.min(t, e.length);
	return Array.from({ length: n }, (t, r) => {
		let i = Math.floor(r * e.length / n), a = Math.max(i + 1, Math.floor((r + 1) * e.length / n));
		return e.slice(i, a).reduce((e, t) => Math.max(e, t), 0);
	});
}
//#endregion
//#region src/timeline-overview.ts
var Pa = 84, Fa = {
	0: "out",
	"-": "may",
	1: "holds",
	2: "holds",
	".": "unread"
}, Ia = (e) => Math.max(2, Math.min(13, Pa / e));
function La(e) {
	return e.hasClocks ? Ia(e.spec.processes.length) * e.spec.processes.length + 6 : 0;
}
function Ra(e, t, n, r) {
	return e.lanes.map((i, a) => {
		let o = [], s = n, c = e.state(a, e.moment(n).newest[a]);
		for (; s <= r;) {
			let n = c && i[c.number + 1 - e.from[a]], l = n ? Math.min(Math.max(n.slide, s), r + 1) : r + 1;
			o.push((c?.colours[t] ?? ".").repeat(l - s)), s = l, c = n;
		}
		return o.join("");
	});
}
function za(e, t, n) {
	let { recording: r, part: i } = t, { processes: a } = r.spec, o = Ia(a.length), s = hr(a, n.letters), [c, l] = n.slides, u = n.x(c - .5), d = n.x(l + .5) - u, f = Ra(r, i, c, l).map((e) => Ma(e, Math.max(1, Math.floor(d)))), p = e.selectAll("g.row").data(f).join((e) => {
		let t = e.append("g").attr("class", "row");
		return t.append("text").attr("class", "name").attr("text-anchor", "end").attr("dy", "0.35em"), t;
	}).attr("transform", (e, t) => `translate(0 ${t * o})`);
	p.select("text").attr("x", n.left - 14).attr("y", o / 2).text((e, t) => o >= 10 ? s[t] : ""), p.selectAll("path").data((e) => {
		let t = /* @__PURE__ */ new Map();
		for (let [n, r, i] of e) {
			let e = Fa[i] ?? "unread", [a, s] = [u + n * d, Math.max(.5, (r - n) * d)];
			t.set(e, `${t.get(e) ?? ""}M${a} 1h${s}v${o - 2}h${-s}z`);
		}
		return [...t];
	}).join("path").attr("class", ([e]) => e).attr("d", ([, e]) => e);
}
function Ba(e, { recording: t, moment: n }, r) {
	let i = Ia(t.spec.processes.length), [a, o] = [r.left, r.left + r.room], s = n.oldest.flatMap((e, i) => {
		let s = t.state(i, e), c = Math.max(r.x(Math.max(s?.slide ?? 0, t.first) - .5), a), l = Math.min(r.x(n.slide + .5), o);
		return l > c ? [{
			k: i,
			begin: c,
			end: l
		}] : [];
	});
	e.selectAll("rect.window").data(t.hasClocks ? s : []).join("rect").attr("class", i < 8 ? "window thin" : "window").attr("x", ({ begin: e }) => e).attr("width", ({ begin: e, end: t }) => Math.max(2, t - e)).attr("y", ({ k: e }) => e * i).attr("height", i);
}
//#endregion
//#region src/timeline-view.ts
var Q = 15, Va = 6, $ = 34, Ha = 10, Ua = 18, Wa = 13, Ga = 6.7, Ka = [
	"duplicates",
	"rejected",
	"late",
	"skipped",
	"too_large"
], qa = class {
	events;
	svg;
	cursor = o("div", {
		class: "cursor",
		"aria-hidden": "true"
	});
	width = 0;
	recording = null;
	scene = null;
	range = Z.whole(1, 1);
	found = [];
	constructor(e, t) {
		this.events = t, this.svg = k(e).append("svg");
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
			this.recording && t.go(this.recording.clamp(this.slideAt(A(e, this.svg.node())[0])));
		};
		n.on("pointerdown", (e) => {
			e.target.setPointerCapture(e.pointerId), r(e);
		}), n.on("pointermove", (e) => e.buttons && r(e)), n.on("wheel", (e) => this.onWheel(e)), e.append(this.cursor), p(e, (e) => {
			this.width = e, this.draw();
		});
	}
	render(e) {
		let { first: t, last: n } = e.recording, r = this.recording !== e.recording, i = (r ? Z.whole(t, n) : this.range.follow(t, n)).toward(e.moment.slide), a = i !== this.range || this.scene?.part !== e.part;
		this.scene = e, this.recording = e.recording, this.range = i, r || a || this.svg.attr("data-slides") !== Ja(e.recording) ? this.draw() : this.drawCursor();
	}
	zoom(e) {
		let { recording: t, scene: n } = this;
		t && n && (this.range = e ? this.range.zoom(e, n.moment.slide) : Z.whole(t.first, t.last), this.draw());
	}
	mark(e) {
		this.found = e, this.drawFound();
	}
	get left() {
		return this.width < 560 ? 84 : 132;
	}
	get room() {
		return Math.max(40, this.width - this.left - (this.width < 560 ? 52 : 84));
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
			letters: Math.floor((e - 18) / Ga),
			slides: this.range.slides,
			x: (e) => this.x(e)
		};
	}
	onWheel(e) {
		let { recording: t } = this, n = e.shiftKey && e.deltaY || e.deltaX;
		if (!t || !e.ctrlKey && !e.metaKey && !n) return;
		e.preventDefault();
		let r = e.ctrlKey || e.metaKey, i = this.slideAt(A(e, this.svg.node())[0]);
		this.range = r ? this.range.zoom(Math.exp(-e.deltaY / 300), i) : this.range.pan(n / this.room * this.range.length), this.draw();
	}
	draw() {
		let { recording: e, scene: t } = this;
		if (!e || !t || !this.width || e.isEmpty) return;
		let n = e.spec.properties.length, r = La(e) + 4, i = r + n * 21, a = i + $ + Va, o = a + Ha + Ua + 4 + (this.hasTimes() ? Wa : 0);
		this.svg.attr("width", this.width).attr("height", o).attr("data-slides", Ja(e)), this.svg.attr("data-shown", this.range.slides.join("..")), this.drawAxis(o);
		let s = this.svg.select(".overview").attr("transform", "translate(0 2)");
		e.hasClocks ? za(s, t, this.scale()) : s.selectAll("*").remove(), this.svg.select(".strips").attr("transform", `translate(0 ${r})`), this.drawStrips(), this.drawSize(i), this.drawNotices(a + 4), this.drawFound(), this.svg.select(".pad").attr("x", this.left).attr("y", 0).attr("height", o).attr("width", Math.max(0, this.room)), this.cursor.style.height = `${o - Ua - (this.hasTimes() ? Wa : 0)}px`, this.drawCursor();
	}
	hasTimes() {
		return this.recording.lanes.some((e) => e.length > 0 && Zi(e[e.length - 1].time) !== "");
	}
	drawAxis(e) {
		let t = this.recording, [n, r] = this.range.slides, i = Oa(n, r, Math.max(2, Math.floor(this.width / 110))).filter(Number.isInteger), a = this.hasTimes() ? Wa : 0, o = this.svg.select(".axis").selectAll("g").data(i).join((e) => {
			let t = e.append("g");
			return t.append("line"), t.append("text").attr("class", "slide").attr("text-anchor", "middle"), t.append("text").attr("class", "time").attr("text-anchor", "middle"), t;
		});
		o.attr("transform", (e) => `translate(${this.x(e)} 0)`), o.select("line").attr("y1", 0).attr("y2", e - Ua - a), o.select("text.slide").attr("y", e - 4 - a).text((e) => e.toLocaleString("en")), o.select("text.time").attr("y", e - 4).text((e) => a ? Zi(t.delivered(e)?.time) : "");
	}
	drawStrips() {
		let e = this.recording, { events: t, left: n } = this, [r, i] = this.range.slides, [a, o] = [this.x(r - .5), this.x(i + .5) - this.x(r - .5)], s = this.scale().letters;
		this.svg.select(".strips").selectAll("g.strip").data(e.values.map((t) => t.slice(r - e.first, i - e.first + 1))).join((e) => {
			let t = e.append("g").attr("class", "strip");
			t.append("rect").attr("class", "back").attr("height", Q).attr("rx", 3);
			for (let e of [
				"one",
				"mixed",
				"unknown"
			]) t.append("path").attr("class", e);
			return t.append("text").attr("class", "name").attr("text-anchor", "end").attr("y", Q / 2).attr("dy", "0.35em"), t.append("text").attr("class", "value").attr("y", Q / 2).attr("dy", "0.35em"), t;
		}).classed("never", (t, n) => e.spec.properties[n].never).attr("transform", (e, t) => `translate(0 ${t * 21})`).each((r, i, c) => {
			let l = k(c[i]), u = ja(r, Math.max(1, Math.floor(o))), d = ([e, t]) => {
				let n = Math.max(.5, (t - e) * o);
				return `M${a + e * o} 0h${n}v${Q}h${-n}z`;
			}, f = (e) => u.filter((t) => t[2] === e).map(d).join("");
			l.select(".back").attr("x", a).attr("width", o), l.select(".one").attr("d", f("1")), l.select(".mixed").attr("d", f("m")), l.select(".unknown").attr("d", f("?")), l.select(".value").attr("x", n + this.room + 10);
			let { name: p } = e.spec.properties[i];
			l.select(".name").attr("x", n - 14).text(P(p, s)).on("click", () => t.choose(i));
		});
	}
	drawSize(e) {
		let t = this.recording, { left: n } = this, [r, i] = this.range.slides, [a, o] = [this.x(r - .5), this.x(i + .5) - this.x(r - .5)], s = Na(t.cutCounts.slice(r - t.first, i - t.first + 1).map((e) => Math.max(e, 0)), Math.max(1, Math.floor(o))), c = Math.max(1, ...s), l = c > 200, u = (e) => (l ? Math.log1p(e) / Math.log1p(c) : e / c) * $, d = o / Math.max(s.length, 1), f = di().curve(Ai).x((e, t) => a + t * d).y0($).y1((e) => $ - u(e)), p = this.svg.select(".size").attr("transform", `translate(0 ${e})`), m = [...s, s[s.length - 1]];
		p.selectAll("path").data([m]).join("path").attr("d", f);
		let h = [
			{
				x: n - 14,
				y: $ / 2 - 2,
				anchor: "end",
				text: "lattice size",
				name: "name"
			},
			{
				x: n - 14,
				y: 29,
				anchor: "end",
				text: l ? "log scale" : "",
				name: "small"
			},
			{
				x: n + this.room + 10,
				y: 10,
				anchor: "start",
				text: `max ${Ya(c)}`,
				name: "small"
			}
		];
		p.selectAll("text").data(h).join("text").attr("x", ({ x: e }) => e).attr("y", ({ y: e }) => e).attr("text-anchor", ({ anchor: e }) => e).attr("class", ({ name: e }) => e).text(({ text: e }) => e), p.selectAll("text.now").data([0]).join("text").attr("class", "now value").attr("x", n + this.room + 10).attr("y", 28);
	}
	drawNotices(e) {
		let t = this.recording, n = Ka.flatMap((e) => {
			let n = t.counters[e] ?? [];
			return n.flatMap((r, i) => r > (i ? n[i - 1] : 0) && i ? [{
				name: e,
				slide: i + t.first
			}] : []);
		}).filter(({ slide: e }) => e >= this.range.begin && e <= this.range.end), r = this.svg.select(".notices").attr("transform", `translate(0 ${e})`), i = /* @__PURE__ */ new Set(), a = n.filter(({ name: e, slide: t }) => {
			let n = `${e}/${Math.round(this.x(t))}`;
			return !i.has(n) && i.add(n);
		});
		r.selectAll("path").data(a).join("path").attr("class", ({ name: e }) => `notice ${e}`).attr("d", ({ slide: e }) => `M${this.x(e)} 0v8`), r.selectAll("text").data(a.length ? ["notices"] : []).join("text").attr("class", "name").attr("x", this.left - 14).attr("y", 8).attr("text-anchor", "end").text(String);
	}
	drawFound() {
		if (!this.recording || !this.width) return;
		let e = this.found.filter(({ slide: e }) => e >= this.range.begin && e <= this.range.end), t = [...new Set(e.map(({ slide: e }) => Math.round(this.x(e))))];
		this.svg.select(".found").selectAll("path").data(t).join("path").attr("d", (e) => `M${e} 0v${Math.max(8, La(this.recording))}`);
	}
	drawCursor() {
		if (!this.scene || !this.width) return;
		let { moment: e, recording: t, property: n } = this.scene;
		Ba(this.svg.select(".overview"), this.scene, this.scale()), this.cursor.hidden = e.slide < this.range.begin || e.slide > this.range.end, this.cursor.style.transform = `translateX(${this.x(e.slide)}px)`, this.svg.select(".pad").attr("aria-valuemin", t.first).attr("aria-valuemax", t.last).attr("aria-valuenow", e.slide).attr("aria-valuetext", xe(this.scene));
		let { properties: r } = t.spec;
		this.svg.selectAll("g.strip").classed("chosen", (e, t) => t === n).classed("violated", (n, i) => r[i].never && t.value(i, e.slide) === "1"), this.svg.selectAll("g.strip .value").data(t.values).text((n, r) => ({
			1: "true",
			0: "false",
			"?": "too large"
		})[t.value(r, e.slide)] ?? ""), this.svg.select(".size .now").text(e.cuts === null ? "" : Ya(e.cuts));
	}
}, Ja = ({ first: e, last: t }) => `${e}..${t}`, Ya = (e) => e < 1e4 ? e.toLocaleString("en") : new Intl.NumberFormat("en", { notation: "compact" }).format(e), Xa = {
	0: "rules the condition out",
	"-": "does not rule the condition out; others decide",
	1: "satisfies its own part of the condition",
	2: "makes the condition true"
}, Za = class {
	root = o("div", {
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
	ofState(e, { recording: t, moment: n, lattice: r, part: i }) {
		let { processes: a } = t.spec, s = o("strong", {}, `${a[e.process]}#${e.index}`), c = [Qa(e, n.slide), e.time === null || e.time === void 0 ? "" : d(e.time)].filter(Boolean), l = Xa[e.colours[i]], u = [s, o("span", { class: "soft" }, ` ${c.join(" · ")}`)];
		u.push(eo($a(e.variables), "variables"));
		let p = a.map((t, n) => [t, String(e.clock[n])]).filter((t, n) => e.clock[n]);
		u.push(eo(p, "clock")), l && u.push(o("p", { class: "soft" }, l));
		let m = r?.cuts.filter((t) => t[e.process] === e.number).length ?? 0;
		if (r) {
			let e = r.cuts.length.toLocaleString("en");
			u.push(o("p", { class: "soft" }, `${f(m, "cut")} of ${e} go through it`));
		}
		return u;
	}
	ofCut({ cut: e }, { recording: t, lattice: n, flags: r, meaning: i }) {
		let { processes: a } = t.spec, s = n?.position.get(e.join(",")), c = s !== void 0 && r[s], l = [o("strong", {}, `cut ${t.show(e)}`)];
		c && l.push(o("span", { class: "soft" }, ` ${i}`));
		let u = a.map((n, r) => {
			let i = t.state(r, e[r]), a = $a(i?.variables).map((e) => e.join(" "));
			return [`${n}#${i?.index}`, a.join(", ")];
		});
		return l.push(eo(u.slice(0, 14), "states")), l;
	}
};
function Qa({ number: e, slide: t }, n) {
	return e === 0 ? "initial state" : t > n ? "not delivered yet" : t ? `delivered at slide ${t}` : "";
}
function $a(e) {
	return typeof e != "object" || !e ? [] : Object.entries(e).slice(0, 12).map(([e, t]) => {
		let n = d(t);
		return [e, n.length > 60 ? `${n.slice(0, 59)}…` : n];
	});
}
function eo(e, t) {
	let n = o("dl", { class: t });
	for (let [t, r] of e) n.append(o("dt", {}, t), o("dd", {}, r));
	return n;
}
//#endregion
//#region src/app.ts
var to = class {
	root;
	header;
	source;
	recording;
	group = "";
	slide = 1;
	property = 0;
	part = 0;
	scene = null;
	hover = w;
	pinned = null;
	close = () => {};
	isFollowing = !0;
	wanted = $n(location.hash);
	properties;
	transport;
	counters = new we();
	tooltip = new Za();
	legend = new Qn();
	spaceTime;
	lattice;
	timeline;
	facts = o("span", { class: "soft facts" });
	heard = o("p", {
		class: "unseen",
		"aria-live": "polite"
	});
	status = o("span", {
		class: "live",
		hidden: !0
	});
	waiting = o("p", {
		class: "waiting",
		role: "status"
	}, o("strong", {}, "Waiting for the first slide"), "The page fills itself as soon as events arrive.");
	picker;
	search;
	system = null;
	back = o("button", {
		type: "button",
		class: "all-groups",
		hidden: !0
	}, "All groups");
	player;
	notes = o("div", { class: "notes" });
	announced = 0;
	constructor(e, t, n) {
		this.root = e, this.header = t, this.source = n, this.recording = new Pr(t.spec, t.slides), this.properties = new Nr(t, (e, t) => this.choose(e, t)), this.transport = new Ce({
			go: (e) => this.go(e),
			step: (e) => this.go(this.slide + e),
			ends: (e) => this.go(e < 0 ? this.recording.first : this.recording.last),
			change: (e) => this.goToChange(e),
			play: () => this.player.toggle()
		}), this.player = this.makePlayer(), this.picker = new Ae(n, (e) => this.pick(e));
		let [r, i, a] = [
			0,
			1,
			2
		].map(() => o("div", { class: "drawing" })), s = (e, t) => this.point(e, t);
		this.spaceTime = new ca(r, { point: s }), this.lattice = new Gn(i, t.drawn, {
			point: s,
			pin: (e) => this.pin(e)
		}), this.timeline = new qa(a, {
			go: (e) => this.go(e),
			choose: (e) => this.choose(e, 0)
		}), this.search = new Rr(() => this.recording, {
			show: (e) => {
				this.go(e.slide), this.spaceTime.show(e);
			},
			mark: (e) => this.timeline.mark(e),
			slide: () => this.slide
		});
		for (let e of [r, i]) fa(e, (e) => this.go(this.slide + e));
		let c = new pr(t.spec.processes, t.spec.roles, {
			arrange: (e) => this.spaceTime.arrange(e),
			part: () => this.scene?.outline
		}), l = t.spec.processes.length === 2 ? ["grid", "levels"] : [];
		l.length && (this.lattice.form = l[0]), this.showNotes(t.notes), or(e, t, {
			status: [this.back, this.status],
			groups: this.picker.root,
			properties: this.properties.root,
			spaceTime: r,
			lattice: i,
			timeline: a,
			facts: this.facts,
			legend: this.legend.root,
			processes: c.root,
			forms: sr(l, (e) => {
				this.lattice.form = e, this.scene && this.lattice.render(this.scene);
			}),
			transport: this.transport.root,
			tools: [this.search.root, cr((e) => this.timeline.zoom(e))],
			counters: this.counters.root,
			notes: this.notes,
			others: [
				this.heard,
				this.waiting,
				this.tooltip.root
			]
		}), t.system && (this.system = new va(t, (e) => n.system(e), (e) => this.pick(e)), e.append(this.system.root), this.back.addEventListener("click", () => this.showSystem())), addEventListener("keydown", (e) => this.onKey(e)), addEventListener("hashchange", () => this.follow());
		let { property: u, part: d, group: f } = this.wanted, p = t.spec.properties.findIndex(({ name: e }) => e === u);
		this.property = Math.max(0, p), this.part = Math.min(d ?? 0, Math.max(0, (t.spec.properties[this.property]?.parts.length ?? 1) - 1)), this.openFirst(f);
	}
	showSystem() {
		this.close(), this.player.stop(), this.group = "", this.recording = new Pr(this.header.spec, this.header.slides), clearTimeout(this.announced), history.replaceState(null, "", location.pathname + location.search), this.setWaiting(!1), this.setWhole(!0), a(this.header, []);
	}
	setWhole(e) {
		this.root.classList.toggle("whole", e), this.back.hidden = e || !this.system, e ? this.system?.start() : this.system?.stop();
	}
	async openFirst(e) {
		if (this.system && e === void 0) {
			this.showSystem();
			return;
		}
		let t = this.header.groups;
		for (; this.header.live && e === void 0 && !t.length;) t = await this.source.groups("").catch(() => []), t.length || await new Promise((e) => setTimeout(e, 700));
		this.open(e !== void 0 && T(this.header, e) ? e : t[0] ?? "");
	}
	open(e) {
		this.close(), this.setWhole(!1), this.player.stop(), this.group = e, this.picker.show(e), this.restart(), this.close = this.source.open(e, {
			take: (e) => this.take(e),
			restart: () => this.restart(),
			note: (e) => this.showNotes(e),
			tell: (e) => {
				this.status.hidden = !1, this.status.textContent = e ? "live" : "connection lost", this.status.classList.toggle("lost", !e);
			}
		});
	}
	take(e) {
		let t = this.recording.isEmpty;
		this.recording.append(e), this.setWaiting(!1);
		let { first: n, last: r } = this.recording;
		t ? this.go(this.wanted.slide ?? (this.header.live ? r : this.beginning()), { isFirst: t }) : this.isFollowing ? this.go(r, { keepFollowing: !0 }) : this.slide < n ? this.go(n) : this.render();
	}
	beginning() {
		let e = this.wanted.property === void 0 ? this.recording.firstViolation() : null;
		e && ([this.property, this.part] = [e.property, 0]);
		let t = this.recording.change(this.property, this.recording.first - 1, 1);
		return e?.slide ?? t ?? this.recording.first;
	}
	showNotes(e) {
		this.notes.replaceChildren(...e.map((e) => o("p", { class: "note" }, e)));
	}
	restart() {
		this.recording = new Pr(this.header.spec, this.header.slides), this.setWaiting(!0), this.pinned = null;
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
		(t || n || r !== this.slide) && (this.slide = r, this.isFollowing = r === this.recording.last, this.pinned = null, this.render());
	}
	goToChange(e) {
		let t = this.recording.change(this.property, this.slide, e);
		t !== null && this.go(t);
	}
	goToViolation(e) {
		let t = this.recording.violation(this.slide, e);
		t && ([this.property, this.part] = [t.property, 0], this.go(t.slide));
	}
	choose(e, t) {
		this.header.spec.properties[e] && (this.property = e, this.part = t, this.render());
	}
	follow() {
		let e = $n(location.hash), t = this.header.spec.properties.findIndex(({ name: t }) => t === e.property);
		e.group !== void 0 && e.group !== this.group && T(this.header, e.group) && (this.wanted = e, this.open(e.group));
		let n = e.part ?? 0;
		t >= 0 && (t !== this.property || n !== this.part) && this.choose(t, n), e.slide !== void 0 && this.go(e.slide), e.group !== void 0 && !T(this.header, e.group) && this.announce();
	}
	render() {
		if (this.recording.isEmpty) return;
		let { properties: e } = this.header.spec, t = e.slice(0, this.property).reduce((e, t) => e + t.parts.length, 0);
		this.scene = me(this.recording, this.slide, this.property, t + this.part, this.header.drawn), this.properties.render(this.scene, this.part), this.transport.render(this.recording, this.slide), this.counters.render(this.recording, this.slide), this.facts.textContent = Te(this.scene), this.facts.title = this.scene.meaning ? `filled: ${this.scene.meaning}` : "", this.legend.render(this.scene), this.spaceTime.render(this.scene), this.lattice.render(this.scene), this.timeline.render(this.scene), this.point(w, null), this.announce();
		let n = r(this.recording, this.header.live ? this.recording.last : this.slide);
		a(this.header, n), this.root.dataset.slide = String(this.slide), this.root.classList.toggle("alarm", n.length > 0), this.root.classList.toggle("about-never", e[this.property]?.never ?? !1), this.root.classList.toggle("verdicts-only", !this.recording.hasClocks);
	}
	announce() {
		clearTimeout(this.announced), this.announced = window.setTimeout(() => {
			this.scene && (this.heard.textContent = xe(this.scene));
			let e = this.header.spec.properties[this.property]?.name, t = er({
				slide: this.slide,
				property: e,
				part: this.part || void 0,
				group: this.group
			});
			t !== location.hash && history.replaceState(null, "", t);
		}, 250);
	}
	point(e, t) {
		this.hover = e, this.spaceTime.highlight(e, this.pinned), this.lattice.highlight(e, this.pinned), this.tooltip.render(e, this.scene, t);
	}
	pin(e) {
		this.pinned = e !== null && this.pinned?.join() === e.join() ? null : e, this.spaceTime.highlight(this.hover, this.pinned), this.lattice.highlight(this.hover, this.pinned);
	}
	makePlayer() {
		let e = () => this.slide >= this.recording.last;
		return new dr({
			begin: () => {
				e() && this.go(this.recording.first);
			},
			next: () => e() && !this.header.live ? !1 : (this.go(this.slide + 1), !0),
			speed: () => Number(this.transport.speed.value),
			tell: (e) => {
				this.transport.setPlaying(e), document.documentElement.classList.toggle("playing", e);
			}
		});
	}
	onKey(e) {
		let t = e.target;
		if (t.closest("input, select, dialog") || e.ctrlKey || e.metaKey || e.altKey) return;
		let n = e.shiftKey ? 10 : 1, r = {
			ArrowLeft: () => this.go(this.slide - n),
			ArrowRight: () => this.go(this.slide + n),
			PageUp: () => this.go(this.slide - 10),
			PageDown: () => this.go(this.slide + 10),
			Home: () => this.go(this.recording.first),
			End: () => this.go(this.recording.last),
			"[": () => this.goToChange(-1),
			"]": () => this.goToChange(1),
			"{": () => this.goToViolation(-1),
			"}": () => this.goToViolation(1),
			t: () => lr(),
			"+": () => this.timeline.zoom(2),
			"-": () => this.timeline.zoom(1 / 2),
			0: () => this.timeline.zoom(0),
			"/": () => this.search.field.focus(),
			"?": () => document.querySelector("dialog")?.showModal(),
			Escape: () => this.pin(null)
		};
		e.key === " " && !t.closest("button") && (r[" "] = () => this.player.toggle()), /^[1-9]$/.test(e.key) && (r[e.key] = () => this.choose(Number(e.key) - 1, 0));
		let i = r[e.key];
		i && (e.preventDefault(), i());
	}
}, no = v(document.getElementById("header").textContent);
new to(document.getElementById("app"), no, no.live ? Oe() : De(no));
//#endregion
