/* The page of latwin's explorer, built from explorer/; sources f3cef4428934dc92 */
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
function o(e, t) {
	return `${e.toLocaleString("en")} ${t}${e === 1 ? "" : "s"}`;
}
function s(e, t) {
	new ResizeObserver(([e]) => t(e.contentRect.width, e.contentRect.height)).observe(e);
}
//#endregion
//#region src/shown.ts
var c = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u, l = new RegExp(c, "gu"), u = RegExp(`\\\\u|${c.source}`, "u");
function d(e) {
	return e.replace(l, (e) => e === "\n" || e === "	" ? e : m(e));
}
function f(e) {
	return JSON.parse(e, u.test(e) ? p : void 0);
}
function p(e, t) {
	return typeof t == "string" ? d(t) : typeof t != "object" || !t || Array.isArray(t) ? t : Object.fromEntries(Object.entries(t).map(([e, t]) => [d(e), t]));
}
function m(e) {
	let t = e.codePointAt(0).toString(16);
	return t.length <= 4 ? `\\u${t.padStart(4, "0")}` : `\\u{${t}}`;
}
//#endregion
//#region src/format.ts
var h = [
	"delivered",
	"waiting",
	"duplicates",
	"rejected",
	"late",
	"skipped",
	"too_large",
	"empty"
];
async function g(e) {
	let t = e.trim();
	if (!t) return null;
	let n = Uint8Array.from(atob(t), (e) => e.charCodeAt(0)), r = new Blob([n]).stream().pipeThrough(new DecompressionStream("deflate"));
	return f(await new Response(r).text());
}
function _(e) {
	let t = 0;
	return e.map((e) => t += e);
}
function v(e) {
	let t = atob(e);
	return (e) => (t.charCodeAt(e >> 3) >> (e & 7) & 1) == 1;
}
//#endregion
//#region src/lattice.ts
var y = (e) => e.join(",");
function b(e, t) {
	let { least: n, greatest: r } = t;
	if (!n || !r || !e.hasClocks) return {
		cuts: [],
		level: [],
		steps: [],
		position: /* @__PURE__ */ new Map()
	};
	let i = /* @__PURE__ */ new Map([[y(n), {
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
				let u = y(l);
				a.push([
					y(c),
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
	let s = [...i.values()].sort((e, t) => x(e.cut, t.cut)), c = new Map(s.map(({ cut: e }, t) => [y(e), t]));
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
function x(e, t) {
	let n = e.findIndex((e, n) => e !== t[n]);
	return n < 0 ? 0 : e[n] - t[n];
}
function S(e, t) {
	if (t === null) return e.cuts.map(() => !1);
	let n = v(t);
	return e.cuts.map((e, t) => n(t));
}
function ee(e, t) {
	let n = [e];
	for (let e of t) n.push(n[n.length - 1].map((t, n) => t + Number(n === e)));
	return n;
}
function te(e) {
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
			n.set(r, ne(e, i[r]));
		}
		e.sort((e, t) => n.get(e) - n.get(t) || i[e] - i[t]), a(e);
	};
	for (let e = 0; e < 3; e++) {
		for (let e of t) o(e, n);
		for (let e of t.toReversed()) o(e, r);
	}
	return t;
}
function ne(e, t) {
	return e.length ? e.reduce((e, t) => e + t, 0) / e.length : t;
}
function re(e, t, n, r = 64) {
	let i = Math.max(1, ...e.map((e) => e.length)), a = Math.min(r, t / i), o = Math.min(r, n / Math.max(1, e.length)), s = (n - o * (e.length - 1)) / 2, c = [];
	for (let [n, r] of e.entries()) for (let [e, i] of r.entries()) c[i] = [t / 2 + (e - (r.length - 1) / 2) * a, s + n * o];
	return c;
}
//#endregion
//#region src/scene.ts
var C = {
	cut: null,
	state: null
};
function ie(e, t, n, r, i) {
	let a = e.moment(t), o = e.hasClocks && a.cuts !== null && a.cuts <= i ? b(e, a) : null, s = e.witness(r, t), c = s.cut ? [s.cut] : [];
	return s.path && a.least && (c = ee(a.least, s.path)), {
		recording: e,
		moment: a,
		property: n,
		part: r,
		lattice: o,
		rows: o ? te(o) : [],
		flags: o ? S(o, e.labels(r, t)) : [],
		meaning: e.spec.properties.flatMap(({ parts: e }) => e)[r]?.meaning ?? "",
		witness: s,
		witnessCuts: c
	};
}
var ae = {
	1: "true",
	0: "false",
	"?": "too large to tell"
}, oe = (e) => ae[e] ?? e, se = {
	l: "holds at the least cut",
	g: "holds at the greatest cut",
	i: "holds inside, at neither end"
}, ce = (e) => se[e] ?? "";
function le(e, t, n) {
	let r = e.final(t, n);
	return r === "1" ? "final" : r === "0" ? "may still change" : "";
}
var ue = (e, t, n) => [oe(e.value(t, n)), le(e, t, n)].filter(Boolean).join(", ");
function de(e) {
	let { recording: t, moment: n } = e, { processes: r, properties: i } = t.spec, a = [`Slide ${n.slide} of ${t.last}.`];
	if (t.hasClocks) {
		let e = t.state(n.process, n.newest[n.process]);
		a.push(`State ${e?.index} of ${r[n.process]} delivered.`);
	}
	return a.push(...i.map((e, r) => `${e.name}: ${ue(t, r, n.slide)}.`)), a.push(`${fe(e)}.`), a.join(" ");
}
function fe({ recording: e, moment: t, lattice: n, flags: r }) {
	if (!t.least || !t.greatest) return "no cut";
	let i = [`${e.show(t.least)} to ${e.show(t.greatest)}`];
	return n && e.spec.properties.length && i.unshift(`${r.filter(Boolean).length} filled`), t.cuts === null ? e.hasClocks && i.unshift("too many cuts to count") : i.unshift(o(t.cuts, "cut")), i.join(", ");
}
//#endregion
//#region src/controls.ts
var pe = {
	0: "rules the condition out",
	1: "allows the condition",
	2: "makes the condition true"
}, me = "whether a later event can overturn the value for the states of this window", he = class {
	header;
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
	detail = e("div", { class: "detail" });
	constructor(t, n) {
		this.header = t, this.choose = n, this.root.append(this.chips, this.detail);
		let { properties: r } = t.spec;
		r.forEach((t, n) => {
			let r = e("button", {
				type: "button",
				class: "chip",
				"data-property": t.name
			});
			r.append(e("span", { class: "lamp" }), t.name), t.never && r.append(e("span", {
				class: "never",
				title: "must never come true"
			}, "never")), r.addEventListener("click", () => this.choose(n, 0)), this.chips.append(r);
		}), r.length || this.chips.append(e("span", { class: "soft" }, "The spec has no properties."));
	}
	render(t, n) {
		let { properties: r } = this.header.spec, { recording: i, moment: a, property: o } = t;
		[...this.chips.querySelectorAll("button")].forEach((e, t) => {
			let n = i.value(t, a.slide);
			e.dataset.value = n, e.setAttribute("aria-pressed", String(t === o)), e.setAttribute("aria-label", `${r[t].name}: ${ue(i, t, a.slide)}`);
		});
		let s = r[o];
		if (!s) return;
		let c = e("p", {}, e("code", { class: "text" }, s.text)), l = le(i, o, a.slide), u = i.final(o, a.slide);
		l && c.append(e("span", {
			class: "final",
			"data-final": u,
			title: me
		}, l));
		let d = e("div", { class: "parts" });
		s.parts.forEach((r, c) => {
			let l = i.partValue(t.part - n + c, a.slide), u = e("p", { class: "why" });
			if (s.parts.length > 1) {
				let t = e("button", {
					type: "button",
					class: "part",
					"aria-pressed": c === n ? "true" : "false",
					"data-value": l
				});
				t.append(e("span", { class: "lamp" }), r.text), t.addEventListener("click", () => this.choose(o, c)), u.append(t);
			}
			u.append(e("span", { class: "engine" }, r.engine), ` ${r.why}`);
			let f = ce(i.because(t.part - n + c, a.slide));
			f && u.append(e("span", { class: "because" }, f)), d.append(u);
		}), this.detail.replaceChildren(c, d);
	}
}, ge = class {
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
}, _e = class {
	root = e("dl", {
		class: "counters",
		"aria-label": "Counters at this slide"
	});
	render(t, n) {
		let r = n === t.last, i = h.map((i) => {
			let a = r ? t.totals[i] ?? 0 : t.counter(i, n), o = e("div", {
				class: a && i !== "delivered" ? "counter some" : "counter",
				"data-counter": i
			});
			return o.append(e("dt", {}, i.replace("_", " ")), e("dd", {}, a.toLocaleString("en"))), o;
		});
		this.root.replaceChildren(...i);
	}
}, ve = class {
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
		let { processes: c } = n.spec, l = e("strong", {}, `${c[t.process]}#${t.index}`), u = [ye(t, r.slide), t.time === null || t.time === void 0 ? "" : a(t.time)].filter(Boolean), d = pe[t.colours[s]], f = [l, e("span", { class: "soft" }, ` ${u.join(" · ")}`)];
		f.push(w(be(t.variables), "variables"));
		let p = c.map((e, n) => [e, String(t.clock[n])]).filter((e, n) => t.clock[n]);
		f.push(w(p, "clock")), d && f.push(e("p", { class: "soft" }, d));
		let m = i?.cuts.filter((e) => e[t.process] === t.number).length ?? 0;
		if (i) {
			let t = i.cuts.length.toLocaleString("en");
			f.push(e("p", { class: "soft" }, `${o(m, "cut")} of ${t} go through it`));
		}
		return f;
	}
	ofCut({ cut: t }, { recording: n, lattice: r, flags: i, meaning: a }) {
		let { processes: o } = n.spec, s = r?.position.get(t.join(",")), c = s !== void 0 && i[s], l = [e("strong", {}, `cut ${n.show(t)}`)];
		c && l.push(e("span", { class: "soft" }, ` ${a}`));
		let u = o.map((e, r) => {
			let i = n.state(r, t[r]), a = be(i?.variables).map((e) => e.join(" "));
			return [`${e}#${i?.index}`, a.join(", ")];
		});
		return l.push(w(u.slice(0, 14), "states")), l;
	}
};
function ye({ number: e, slide: t }, n) {
	return e === 0 ? "initial state" : t > n ? "not delivered yet" : t ? `delivered at slide ${t}` : "";
}
function be(e) {
	return typeof e != "object" || !e ? [] : Object.entries(e).slice(0, 12).map(([e, t]) => {
		let n = a(t);
		return [e, n.length > 60 ? `${n.slice(0, 59)}…` : n];
	});
}
function w(t, n) {
	let r = e("dl", { class: n });
	for (let [n, i] of t) r.append(e("dt", {}, n), e("dd", {}, i));
	return r;
}
function xe(e) {
	let t = e.recording.hasClocks || e.moment.toldAt === e.moment.slide || !e.moment.toldAt;
	return fe(e) + (t ? "" : `, as of slide ${e.moment.toldAt.toLocaleString("en")}`);
}
//#endregion
//#region src/source.ts
function Se(e, t) {
	return e.includes(t) ? t : e[0];
}
function Ce(e, t) {
	return e.live || e.groups.includes(t);
}
function we(e) {
	let t = [...document.querySelectorAll("script.chunk")].map((e) => e.textContent ?? "");
	return {
		groups: async (t) => e.groups.filter((e) => e.toLowerCase().includes(t.toLowerCase())),
		open: (n, r) => {
			let i = !0;
			return g(t[e.groups.indexOf(n)] ?? "").then((e) => {
				e && i && r.take(e);
			}), () => {
				i = !1;
			};
		}
	};
}
function Te() {
	return {
		groups: async (e) => await (await fetch(`groups?search=${encodeURIComponent(e)}`)).json(),
		open: (e, t) => {
			let n = new EventSource(`slides?group=${encodeURIComponent(e)}`);
			return n.addEventListener("open", () => {
				t.restart(), t.tell(!0);
			}), n.addEventListener("error", () => t.tell(!1)), n.addEventListener("restart", () => t.restart()), n.addEventListener("slides", (e) => t.take(f(e.data))), n.addEventListener("notes", (e) => t.note(f(e.data))), () => n.close();
		}
	};
}
//#endregion
//#region src/group-picker.ts
var Ee = 50, De = class {
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
		this.source = t, this.pick = n, this.root = e("label", { class: "group" }, "group ", this.field, this.options), this.field.addEventListener("input", () => void this.suggest()), this.field.addEventListener("focus", () => void this.suggest()), this.field.addEventListener("change", () => void this.take());
	}
	show(e) {
		this.group = e, this.field.value = e;
	}
	async suggest() {
		let t = (await this.source.groups(this.field.value === this.group ? "" : this.field.value)).slice(0, Ee).map((t) => e("option", { value: t }));
		this.options.replaceChildren(...t);
	}
	async take() {
		let e = this.field.value;
		this.pick(Se(await this.source.groups(e), e));
	}
}, T = "http://www.w3.org/1999/xhtml", Oe = {
	svg: "http://www.w3.org/2000/svg",
	xhtml: T,
	xlink: "http://www.w3.org/1999/xlink",
	xml: "http://www.w3.org/XML/1998/namespace",
	xmlns: "http://www.w3.org/2000/xmlns/"
};
function ke(e) {
	var t = e += "", n = t.indexOf(":");
	return n >= 0 && (t = e.slice(0, n)) !== "xmlns" && (e = e.slice(n + 1)), Oe.hasOwnProperty(t) ? {
		space: Oe[t],
		local: e
	} : e;
}
function Ae(e) {
	return function() {
		var t = this.ownerDocument, n = this.namespaceURI;
		return n === T && t.documentElement.namespaceURI === T ? t.createElement(e) : t.createElementNS(n, e);
	};
}
function je(e) {
	return function() {
		return this.ownerDocument.createElementNS(e.space, e.local);
	};
}
function Me(e) {
	var t = ke(e);
	return (t.local ? je : Ae)(t);
}
function Ne() {}
function Pe(e) {
	return e == null ? Ne : function() {
		return this.querySelector(e);
	};
}
function Fe(e) {
	typeof e != "function" && (e = Pe(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = Array(o), c, l, u = 0; u < o; ++u) (c = a[u]) && (l = e.call(c, c.__data__, u, a)) && ("__data__" in c && (l.__data__ = c.__data__), s[u] = l);
	return new O(r, this._parents);
}
function Ie(e) {
	return e == null ? [] : Array.isArray(e) ? e : Array.from(e);
}
function Le() {
	return [];
}
function Re(e) {
	return e == null ? Le : function() {
		return this.querySelectorAll(e);
	};
}
function ze(e) {
	return function() {
		return Ie(e.apply(this, arguments));
	};
}
function Be(e) {
	e = typeof e == "function" ? ze(e) : Re(e);
	for (var t = this._groups, n = t.length, r = [], i = [], a = 0; a < n; ++a) for (var o = t[a], s = o.length, c, l = 0; l < s; ++l) (c = o[l]) && (r.push(e.call(c, c.__data__, l, o)), i.push(c));
	return new O(r, i);
}
function Ve(e) {
	return function() {
		return this.matches(e);
	};
}
function He(e) {
	return function(t) {
		return t.matches(e);
	};
}
var Ue = Array.prototype.find;
function We(e) {
	return function() {
		return Ue.call(this.children, e);
	};
}
function Ge() {
	return this.firstElementChild;
}
function Ke(e) {
	return this.select(e == null ? Ge : We(typeof e == "function" ? e : He(e)));
}
var qe = Array.prototype.filter;
function Je() {
	return Array.from(this.children);
}
function Ye(e) {
	return function() {
		return qe.call(this.children, e);
	};
}
function Xe(e) {
	return this.selectAll(e == null ? Je : Ye(typeof e == "function" ? e : He(e)));
}
function Ze(e) {
	typeof e != "function" && (e = Ve(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = [], c, l = 0; l < o; ++l) (c = a[l]) && e.call(c, c.__data__, l, a) && s.push(c);
	return new O(r, this._parents);
}
function Qe(e) {
	return Array(e.length);
}
function $e() {
	return new O(this._enter || this._groups.map(Qe), this._parents);
}
function E(e, t) {
	this.ownerDocument = e.ownerDocument, this.namespaceURI = e.namespaceURI, this._next = null, this._parent = e, this.__data__ = t;
}
E.prototype = {
	constructor: E,
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
function et(e) {
	return function() {
		return e;
	};
}
function tt(e, t, n, r, i, a) {
	for (var o = 0, s, c = t.length, l = a.length; o < l; ++o) (s = t[o]) ? (s.__data__ = a[o], r[o] = s) : n[o] = new E(e, a[o]);
	for (; o < c; ++o) (s = t[o]) && (i[o] = s);
}
function nt(e, t, n, r, i, a, o) {
	var s, c, l = /* @__PURE__ */ new Map(), u = t.length, d = a.length, f = Array(u), p;
	for (s = 0; s < u; ++s) (c = t[s]) && (f[s] = p = o.call(c, c.__data__, s, t) + "", l.has(p) ? i[s] = c : l.set(p, c));
	for (s = 0; s < d; ++s) p = o.call(e, a[s], s, a) + "", (c = l.get(p)) ? (r[s] = c, c.__data__ = a[s], l.delete(p)) : n[s] = new E(e, a[s]);
	for (s = 0; s < u; ++s) (c = t[s]) && l.get(f[s]) === c && (i[s] = c);
}
function rt(e) {
	return e.__data__;
}
function it(e, t) {
	if (!arguments.length) return Array.from(this, rt);
	var n = t ? nt : tt, r = this._parents, i = this._groups;
	typeof e != "function" && (e = et(e));
	for (var a = i.length, o = Array(a), s = Array(a), c = Array(a), l = 0; l < a; ++l) {
		var u = r[l], d = i[l], f = d.length, p = at(e.call(u, u && u.__data__, l, r)), m = p.length, h = s[l] = Array(m), g = o[l] = Array(m);
		n(u, d, h, g, c[l] = Array(f), p, t);
		for (var _ = 0, v = 0, y, b; _ < m; ++_) if (y = h[_]) {
			for (_ >= v && (v = _ + 1); !(b = g[v]) && ++v < m;);
			y._next = b || null;
		}
	}
	return o = new O(o, r), o._enter = s, o._exit = c, o;
}
function at(e) {
	return typeof e == "object" && "length" in e ? e : Array.from(e);
}
function ot() {
	return new O(this._exit || this._groups.map(Qe), this._parents);
}
function st(e, t, n) {
	var r = this.enter(), i = this, a = this.exit();
	return typeof e == "function" ? (r = e(r), r &&= r.selection()) : r = r.append(e + ""), t != null && (i = t(i), i &&= i.selection()), n == null ? a.remove() : n(a), r && i ? r.merge(i).order() : i;
}
function ct(e) {
	for (var t = e.selection ? e.selection() : e, n = this._groups, r = t._groups, i = n.length, a = r.length, o = Math.min(i, a), s = Array(i), c = 0; c < o; ++c) for (var l = n[c], u = r[c], d = l.length, f = s[c] = Array(d), p, m = 0; m < d; ++m) (p = l[m] || u[m]) && (f[m] = p);
	for (; c < i; ++c) s[c] = n[c];
	return new O(s, this._parents);
}
function lt() {
	for (var e = this._groups, t = -1, n = e.length; ++t < n;) for (var r = e[t], i = r.length - 1, a = r[i], o; --i >= 0;) (o = r[i]) && (a && o.compareDocumentPosition(a) ^ 4 && a.parentNode.insertBefore(o, a), a = o);
	return this;
}
function ut(e) {
	e ||= dt;
	function t(t, n) {
		return t && n ? e(t.__data__, n.__data__) : !t - !n;
	}
	for (var n = this._groups, r = n.length, i = Array(r), a = 0; a < r; ++a) {
		for (var o = n[a], s = o.length, c = i[a] = Array(s), l, u = 0; u < s; ++u) (l = o[u]) && (c[u] = l);
		c.sort(t);
	}
	return new O(i, this._parents).order();
}
function dt(e, t) {
	return e < t ? -1 : e > t ? 1 : e >= t ? 0 : NaN;
}
function ft() {
	var e = arguments[0];
	return arguments[0] = this, e.apply(null, arguments), this;
}
function pt() {
	return Array.from(this);
}
function mt() {
	for (var e = this._groups, t = 0, n = e.length; t < n; ++t) for (var r = e[t], i = 0, a = r.length; i < a; ++i) {
		var o = r[i];
		if (o) return o;
	}
	return null;
}
function ht() {
	let e = 0;
	for (let t of this) ++e;
	return e;
}
function gt() {
	return !this.node();
}
function _t(e) {
	for (var t = this._groups, n = 0, r = t.length; n < r; ++n) for (var i = t[n], a = 0, o = i.length, s; a < o; ++a) (s = i[a]) && e.call(s, s.__data__, a, i);
	return this;
}
function vt(e) {
	return function() {
		this.removeAttribute(e);
	};
}
function yt(e) {
	return function() {
		this.removeAttributeNS(e.space, e.local);
	};
}
function bt(e, t) {
	return function() {
		this.setAttribute(e, t);
	};
}
function xt(e, t) {
	return function() {
		this.setAttributeNS(e.space, e.local, t);
	};
}
function St(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? this.removeAttribute(e) : this.setAttribute(e, n);
	};
}
function Ct(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? this.removeAttributeNS(e.space, e.local) : this.setAttributeNS(e.space, e.local, n);
	};
}
function wt(e, t) {
	var n = ke(e);
	if (arguments.length < 2) {
		var r = this.node();
		return n.local ? r.getAttributeNS(n.space, n.local) : r.getAttribute(n);
	}
	return this.each((t == null ? n.local ? yt : vt : typeof t == "function" ? n.local ? Ct : St : n.local ? xt : bt)(n, t));
}
function Tt(e) {
	return e.ownerDocument && e.ownerDocument.defaultView || e.document && e || e.defaultView;
}
function Et(e) {
	return function() {
		this.style.removeProperty(e);
	};
}
function Dt(e, t, n) {
	return function() {
		this.style.setProperty(e, t, n);
	};
}
function Ot(e, t, n) {
	return function() {
		var r = t.apply(this, arguments);
		r == null ? this.style.removeProperty(e) : this.style.setProperty(e, r, n);
	};
}
function kt(e, t, n) {
	return arguments.length > 1 ? this.each((t == null ? Et : typeof t == "function" ? Ot : Dt)(e, t, n ?? "")) : At(this.node(), e);
}
function At(e, t) {
	return e.style.getPropertyValue(t) || Tt(e).getComputedStyle(e, null).getPropertyValue(t);
}
function jt(e) {
	return function() {
		delete this[e];
	};
}
function Mt(e, t) {
	return function() {
		this[e] = t;
	};
}
function Nt(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? delete this[e] : this[e] = n;
	};
}
function Pt(e, t) {
	return arguments.length > 1 ? this.each((t == null ? jt : typeof t == "function" ? Nt : Mt)(e, t)) : this.node()[e];
}
function Ft(e) {
	return e.trim().split(/^|\s+/);
}
function D(e) {
	return e.classList || new It(e);
}
function It(e) {
	this._node = e, this._names = Ft(e.getAttribute("class") || "");
}
It.prototype = {
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
function Lt(e, t) {
	for (var n = D(e), r = -1, i = t.length; ++r < i;) n.add(t[r]);
}
function Rt(e, t) {
	for (var n = D(e), r = -1, i = t.length; ++r < i;) n.remove(t[r]);
}
function zt(e) {
	return function() {
		Lt(this, e);
	};
}
function Bt(e) {
	return function() {
		Rt(this, e);
	};
}
function Vt(e, t) {
	return function() {
		(t.apply(this, arguments) ? Lt : Rt)(this, e);
	};
}
function Ht(e, t) {
	var n = Ft(e + "");
	if (arguments.length < 2) {
		for (var r = D(this.node()), i = -1, a = n.length; ++i < a;) if (!r.contains(n[i])) return !1;
		return !0;
	}
	return this.each((typeof t == "function" ? Vt : t ? zt : Bt)(n, t));
}
function Ut() {
	this.textContent = "";
}
function Wt(e) {
	return function() {
		this.textContent = e;
	};
}
function Gt(e) {
	return function() {
		var t = e.apply(this, arguments);
		this.textContent = t ?? "";
	};
}
function Kt(e) {
	return arguments.length ? this.each(e == null ? Ut : (typeof e == "function" ? Gt : Wt)(e)) : this.node().textContent;
}
function qt() {
	this.innerHTML = "";
}
function Jt(e) {
	return function() {
		this.innerHTML = e;
	};
}
function Yt(e) {
	return function() {
		var t = e.apply(this, arguments);
		this.innerHTML = t ?? "";
	};
}
function Xt(e) {
	return arguments.length ? this.each(e == null ? qt : (typeof e == "function" ? Yt : Jt)(e)) : this.node().innerHTML;
}
function Zt() {
	this.nextSibling && this.parentNode.appendChild(this);
}
function Qt() {
	return this.each(Zt);
}
function $t() {
	this.previousSibling && this.parentNode.insertBefore(this, this.parentNode.firstChild);
}
function en() {
	return this.each($t);
}
function tn(e) {
	var t = typeof e == "function" ? e : Me(e);
	return this.select(function() {
		return this.appendChild(t.apply(this, arguments));
	});
}
function nn() {
	return null;
}
function rn(e, t) {
	var n = typeof e == "function" ? e : Me(e), r = t == null ? nn : typeof t == "function" ? t : Pe(t);
	return this.select(function() {
		return this.insertBefore(n.apply(this, arguments), r.apply(this, arguments) || null);
	});
}
function an() {
	var e = this.parentNode;
	e && e.removeChild(this);
}
function on() {
	return this.each(an);
}
function sn() {
	var e = this.cloneNode(!1), t = this.parentNode;
	return t ? t.insertBefore(e, this.nextSibling) : e;
}
function cn() {
	var e = this.cloneNode(!0), t = this.parentNode;
	return t ? t.insertBefore(e, this.nextSibling) : e;
}
function ln(e) {
	return this.select(e ? cn : sn);
}
function un(e) {
	return arguments.length ? this.property("__data__", e) : this.node().__data__;
}
function dn(e) {
	return function(t) {
		e.call(this, t, this.__data__);
	};
}
function fn(e) {
	return e.trim().split(/^|\s+/).map(function(e) {
		var t = "", n = e.indexOf(".");
		return n >= 0 && (t = e.slice(n + 1), e = e.slice(0, n)), {
			type: e,
			name: t
		};
	});
}
function pn(e) {
	return function() {
		var t = this.__on;
		if (t) {
			for (var n = 0, r = -1, i = t.length, a; n < i; ++n) a = t[n], (!e.type || a.type === e.type) && a.name === e.name ? this.removeEventListener(a.type, a.listener, a.options) : t[++r] = a;
			++r ? t.length = r : delete this.__on;
		}
	};
}
function mn(e, t, n) {
	return function() {
		var r = this.__on, i, a = dn(t);
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
function hn(e, t, n) {
	var r = fn(e + ""), i, a = r.length, o;
	if (arguments.length < 2) {
		var s = this.node().__on;
		if (s) {
			for (var c = 0, l = s.length, u; c < l; ++c) for (i = 0, u = s[c]; i < a; ++i) if ((o = r[i]).type === u.type && o.name === u.name) return u.value;
		}
	} else {
		for (s = t ? mn : pn, i = 0; i < a; ++i) this.each(s(r[i], t, n));
		return this;
	}
}
function gn(e, t, n) {
	var r = Tt(e), i = r.CustomEvent;
	typeof i == "function" ? i = new i(t, n) : (i = r.document.createEvent("Event"), n ? (i.initEvent(t, n.bubbles, n.cancelable), i.detail = n.detail) : i.initEvent(t, !1, !1)), e.dispatchEvent(i);
}
function _n(e, t) {
	return function() {
		return gn(this, e, t);
	};
}
function vn(e, t) {
	return function() {
		return gn(this, e, t.apply(this, arguments));
	};
}
function yn(e, t) {
	return this.each((typeof t == "function" ? vn : _n)(e, t));
}
function* bn() {
	for (var e = this._groups, t = 0, n = e.length; t < n; ++t) for (var r = e[t], i = 0, a = r.length, o; i < a; ++i) (o = r[i]) && (yield o);
}
var xn = [null];
function O(e, t) {
	this._groups = e, this._parents = t;
}
function Sn() {
	return new O([[document.documentElement]], xn);
}
function Cn() {
	return this;
}
O.prototype = Sn.prototype = {
	constructor: O,
	select: Fe,
	selectAll: Be,
	selectChild: Ke,
	selectChildren: Xe,
	filter: Ze,
	data: it,
	enter: $e,
	exit: ot,
	join: st,
	merge: ct,
	selection: Cn,
	order: lt,
	sort: ut,
	call: ft,
	nodes: pt,
	node: mt,
	size: ht,
	empty: gt,
	each: _t,
	attr: wt,
	style: kt,
	property: Pt,
	classed: Ht,
	text: Kt,
	html: Xt,
	raise: Qt,
	lower: en,
	append: tn,
	insert: rn,
	remove: on,
	clone: ln,
	datum: un,
	on: hn,
	dispatch: yn,
	[Symbol.iterator]: bn
};
function k(e) {
	return typeof e == "string" ? new O([[document.querySelector(e)]], [document.documentElement]) : new O([[e]], xn);
}
var wn = 0;
function Tn() {
	return new En();
}
function En() {
	this._ = "@" + (++wn).toString(36);
}
En.prototype = Tn.prototype = {
	constructor: En,
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
function Dn(e) {
	let t;
	for (; t = e.sourceEvent;) e = t;
	return e;
}
function A(e, t) {
	if (e = Dn(e), t === void 0 && (t = e.currentTarget), t) {
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
function On(e, { width: t, height: n }, r, i) {
	let { recording: a, moment: o } = r, [s, c] = [0, 1].map((e) => o.newest[e] - o.oldest[e] + 1), l = Math.min(64, (t - 44 - 40) / s, (n - 44 - 34) / c), u = (t - l * s) / 2 + 14, d = (n + l * c) / 2 - 14, f = (e) => [u + (e[0] - o.oldest[0] + .5) * l, d - (e[1] - o.oldest[1] + .5) * l];
	e.append("rect").attr("class", "frame").attr("x", u).attr("y", d - l * c).attr("width", l * s).attr("height", l * c).attr("rx", 6);
	let p = Math.max(1, Math.ceil(18 / l));
	for (let t = 0; t < s; t++) for (let n = 0; n < c; n++) {
		let r = [o.oldest[0] + t, o.oldest[1] + n];
		if (i.position.has(y(r))) continue;
		let [s, c] = f(r);
		e.append("rect").attr("class", "inconsistent").attr("x", s - l / 2).attr("y", c - l / 2).attr("width", l).attr("height", l).attr("data-cut", a.show(r));
	}
	for (let t = 0; t < s; t += p) j(e, a.state(0, o.oldest[0] + t)?.index, u + (t + .5) * l, d + 15);
	for (let t = 0; t < c; t += p) j(e, a.state(1, o.oldest[1] + t)?.index, u - 12, d - (t + .5) * l + 4);
	let [m, h] = a.spec.processes;
	return j(e, m, u + l * s / 2, d + 32).attr("class", "axis name"), j(e, h, 0, 0).attr("class", "axis name").attr("transform", `translate(${u - 32} ${d - l * c / 2}) rotate(-90)`), i.cuts.map(f);
}
function kn(e, { width: t, height: n }, r, i) {
	let a = n - 44, s = Math.min(26, a / r.length), c = 22 + (a - s * r.length) / 2, l = Math.max(...r), u = t - 44 - 150, d = 50 + u / 2, f = Math.max(1, Math.ceil(13 / s)), p = e.selectAll("g").data(r).join("g").attr("class", "bar");
	p.attr("transform", (e, t) => `translate(${d} ${c + s * (t + .5)})`);
	let m = Math.max(1, s - Math.min(5, s * .25)), h = (e, t) => {
		p.append("rect").attr("class", e).attr("y", -m / 2).attr("height", m).attr("rx", Math.min(3, m / 3)).attr("x", (e, n) => -t(e, n) / 2).attr("width", (e, n) => t(e, n));
	}, g = (e) => e === 0 ? 0 : Math.max(2, e / l * u);
	h("all", g), i && h("labelled", (e, t) => g(i[t]));
	let _ = (e) => e % f === 0 || e === r.length - 1;
	p.append("text").attr("class", "level").attr("x", -u / 2 - 14).attr("text-anchor", "end").attr("dy", "0.35em").text((e, t) => _(t) ? t : ""), p.append("text").attr("x", u / 2 + 12).attr("dy", "0.35em").text((e, t) => _(t) ? e.toLocaleString("en") : "");
	let v = (e) => i ? `, ${i[e].toLocaleString("en")} filled` : "";
	p.append("title").text((e, t) => `level ${t}: ${o(e, "cut")}${v(t)}`);
}
function j(e, t, n, r) {
	return e.append("text").attr("class", "axis").attr("text-anchor", "middle").attr("x", n).attr("y", r).text(t ?? "");
}
//#endregion
//#region src/lattice-view.ts
var An = 6.6, jn = class {
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
	constructor(e, t) {
		this.events = t, this.svg = k(e).append("svg").attr("tabindex", 0).attr("role", "img"), this.svg.append("defs").append("pattern").attr("id", "hatch").attr("width", 6).attr("height", 6).attr("patternUnits", "userSpaceOnUse").append("path").attr("d", "M-1 7 7 -1M-1 1 1 -1M5 7 7 5");
		let n = (e) => this.svg.append("g").attr("class", e);
		this.layers = {
			under: n("under"),
			steps: n("steps"),
			witness: n("witness"),
			cuts: n("cuts"),
			marks: n("marks")
		}, this.svg.on("mousedown", (e) => e.preventDefault()), this.svg.on("pointermove", (e) => this.onMove(e)), this.svg.on("pointerleave", () => this.pointAt(null, null)), this.svg.on("click", (e) => {
			let n = this.nearest(A(e, this.svg.node()));
			t.pin(n === null ? null : this.scene.lattice.cuts[n]);
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
		this.svg.attr("aria-label", `The lattice: ${Nn(e)}`), this.svg.attr("data-cuts", n.cuts ?? "");
		let i = this.form === "grid" && t.spec.processes.length === 2;
		!r || r.cuts.length === 0 ? this.drawWithoutCuts(e) : this.drawCuts(e, r, i);
	}
	highlight(e, t) {
		let n = this.scene?.lattice;
		if (!n) return;
		let { state: r } = e, i = e.cut ? y(e.cut) : "", a = t ? y(t) : "";
		this.layers.cuts.selectAll("g").classed("lit", (e) => y(n.cuts[e]) === i).classed("pinned", (e) => y(n.cuts[e]) === a).classed("through", (e) => r !== null && n.cuts[e][r.process] === r.number), this.svg.classed("has-state", r !== null), this.layers.cuts.selectAll("g.lit, g.pinned").raise();
	}
	drawWithoutCuts(e) {
		let { recording: t, moment: n } = e;
		this.clear();
		let r = t.levels(n.slide);
		if (r && n.least) {
			kn(this.layers.cuts, this.size, r.counts, r.labelled[e.part] ?? null);
			return;
		}
		let i = t.hasClocks ? n.least ? [n.cuts === null ? "Too many cuts to count" : o(n.cuts, "cut"), "Too many to be drawn."] : [
			"No cut",
			"The windows hold no states that",
			"are consistent with each other."
		] : ["The pipeline's output holds verdicts,", "not the states that the cuts are made of."];
		this.layers.marks.append("text").attr("class", "message").attr("text-anchor", "middle").selectAll("tspan").data(i).join("tspan").attr("x", this.size.width / 2).text(String).attr("y", (e, t) => this.size.height / 2 + (t - (i.length - 1) / 2) * 22);
	}
	clear() {
		for (let e of Object.values(this.layers)) e.selectAll("*").remove();
	}
	drawCuts(e, t, n) {
		let { recording: r, moment: i, flags: a } = e, o = this.size.width - 44, s = this.size.height - 44;
		this.layers.under.selectAll("*").remove(), this.layers.marks.selectAll("*").remove(), this.places = n ? On(this.layers.under, this.size, e, t) : re(e.rows, o, s, 92).map(([e, t]) => [e + 22, t + 22]);
		let c = Math.max(...e.rows.map((e) => e.length)), l = t.cuts.map((e) => r.show(e)), u = Math.max(...l.map((e) => e.length)) * An + 14, d = Math.min(92, o / c), f = Math.min(92, s / e.rows.length), p = !n && d > u + 6 && f > 27, m = n ? 6.5 : Math.max(1.5, Math.min(7, .3 * d, .3 * f)), { places: h } = this;
		this.svg.classed("many", t.cuts.length > 120), this.layers.steps.selectAll("path").data([t.steps.map(([e, t]) => `M${h[e].join(" ")}L${h[t].join(" ")}`).join("")]).join("path").attr("opacity", Math.min(1, Math.max(.14, 260 / t.steps.length))).attr("d", String);
		let g = y(i.least), _ = y(i.greatest), v = new Set(e.witnessCuts.map(y)), b = this.layers.cuts.selectAll("g").data(t.cuts.map((e, t) => t), (e) => l[e] ?? "").join((e) => {
			let t = e.append("g");
			return t.append("rect"), t.append("text").attr("text-anchor", "middle").attr("dy", "0.34em"), t;
		}).attr("class", (e) => {
			let n = y(t.cuts[e]);
			return [
				"cut",
				a[e] && "filled",
				n === g && "least",
				n === _ && "greatest",
				v.has(n) && "on-witness"
			].filter(Boolean).join(" ");
		}).attr("data-cut", (e) => l[e]).style("transform", (e) => `translate(${h[e][0]}px, ${h[e][1]}px)`), x = p ? u / 2 : m, S = p ? 11 : m;
		b.select("rect").attr("x", -x).attr("y", -S).attr("width", 2 * x).attr("height", 2 * S), b.select("rect").attr("rx", S), b.select("text").text((e) => p ? l[e] : ""), this.drawWitness(e, t), this.nameEnds(t, x, n);
	}
	drawWitness({ witnessCuts: e, witness: t }, n) {
		let r = e.map((e) => this.places[n.position.get(y(e))]), i = (e) => e.map((e, t) => `${t ? "L" : "M"}${e.join(" ")}`).join(""), [a, o] = t.stretch ?? [0, 0], s = [{
			name: "path",
			d: r.length > 1 ? i(r) : ""
		}, {
			name: "path stretch",
			d: o > a ? i(r.slice(a, o)) : ""
		}].filter(({ d: e }) => e.includes("L"));
		this.layers.witness.selectAll("path").data(s).join("path").attr("class", ({ name: e }) => e).attr("d", ({ d: e }) => e);
	}
	nameEnds(e, t, n) {
		let r = e.cuts.length - 1, i = r > 0 ? [[0, "least"], [r, "greatest"]] : [[0, "the only cut"]];
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
			this.focus = r[0] ? e.reduce((e, t) => Mn(this.places[t], a) < Mn(this.places[e], a) ? t : e) : e[Math.min(Math.max(e.indexOf(i) + r[1], 0), e.length - 1)];
		}
		let a = this.svg.node().getBoundingClientRect(), [o, s] = this.places[this.focus];
		this.pointAt(this.focus, {
			x: a.x + o,
			y: a.y + s
		});
	}
}, Mn = ([e], t) => Math.abs(e - t);
function Nn({ recording: e, moment: t }) {
	return !t.least || !t.greatest ? "no cut" : `${t.cuts === null ? "too many cuts to count" : o(t.cuts, "cut")}, from ${e.show(t.least)} to ${e.show(t.greatest)}. Arrow keys move between cuts.`;
}
//#endregion
//#region src/link.ts
function Pn(e) {
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
function Fn(e) {
	let t = new URLSearchParams();
	for (let [n, r] of Object.entries(e)) r !== void 0 && r !== "" && t.set(n, String(r));
	return `#${t.toString()}`;
}
//#endregion
//#region src/page.ts
var In = [
	["← →", "previous, next slide (with Shift: ten)"],
	["Home End", "first, last slide"],
	["[ ]", "previous, next change of the chosen property"],
	["Space", "play, pause"],
	["1 … 9", "choose a property"],
	["Tab", "into the diagrams, where the arrow keys move between states or cuts"],
	["Enter", "keep a cut drawn; Escape lets it go"]
], Ln = [
	["may", "allows the condition"],
	["out", "rules it out"],
	["unread", "not read"],
	["coming", "not delivered yet"]
];
function Rn(t, n, r) {
	let i = Hn(), a = Un(n.spec.properties.length > 0), o = e("div", { class: "row" }, r.facts, r.forms), s = e("div", { class: "row" }, r.transport, r.counters);
	t.append(Vn(n, r, i), r.properties, M("spacetime", "Space-time", a, r.spaceTime), M("lattice", "Lattice", o, r.lattice), M("timeline", "Timeline", s, r.timeline, r.notes), ...r.others, i);
}
function zn(t, n) {
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
function Bn() {
	let { dataset: e } = document.documentElement;
	e.theme = (e.theme ? e.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches) ? "light" : "dark";
}
function Vn(t, { status: n, groups: r }, a) {
	return r.hidden = t.groups.length < 2 && !t.live, e("header", {}, e("h1", {}, e("span", { class: "brand" }, "latwin"), " explorer"), e("span", {
		class: "source",
		title: t.source
	}, t.source), n, e("span", { class: "space" }), r, i("Light or dark", "theme", Bn, "t"), i("Keys and help", "help", () => a.showModal(), "?"));
}
function Hn() {
	let t = e("dialog", {
		class: "help",
		"aria-label": "Keys"
	}), n = e("dl", {});
	for (let [t, r] of In) n.append(e("dt", {}, t), e("dd", {}, r));
	let r = e("button", { type: "button" }, "Close");
	return r.addEventListener("click", () => t.close()), t.append(e("h2", {}, "Keys"), n, r), t;
}
function M(t, n, r, ...i) {
	let a = e("div", { class: "head" }, e("h2", {}, n), r);
	return e("section", {
		class: `card ${t}`,
		"aria-label": n
	}, a, ...i);
}
function Un(t) {
	let n = e("ul", {
		class: "legend",
		"aria-label": "Colours"
	});
	for (let [r, i] of Ln) (t || r === "coming") && n.append(e("li", {}, e("i", { class: r }), i));
	return n;
}
//#endregion
//#region src/player.ts
var Wn = class {
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
}, Gn = class {
	spec;
	most;
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
		this.lanes = e.processes.map(() => []), this.from = e.processes.map(() => 0), this.values = e.properties.map(() => ""), this.finals = e.properties.map(() => ""), this.partValues = n.map(() => ""), this.reasons = n.map(() => ""), this.witnesses = n.map(() => []), this.labelTexts = n.map(() => []);
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
			for (let t of _(n)) e.push(t);
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
			let i = _(e.index), a = e.clock.map(_);
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
	show(e) {
		return `(${e.map((e, t) => this.state(t, e)?.index ?? e).join(",")})`;
	}
};
//#endregion
//#region src/spacetime.ts
function Kn(e, t) {
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
var qn = .8, Jn = class {
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
			for (let e of this.effects(n)) t = Math.min(t, this.at.get(e) - qn);
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
			let { process: r, number: i, clock: a } = e, o = this.at.get(e) - qn, s = t.state(r, i - 1), c = a.map((e, n) => n === r ? s : e > (s?.clock[n] ?? 0) ? t.latest(n, e) : void 0);
			for (let e of c) e && (this.at.get(e) ?? -Infinity) > o && (this.at.set(e, o), n.push(e));
		}
	}
};
function Yn(e, t, n, r, i) {
	let a = t.slide, o = e.lanes.map((r, i) => {
		let o = t.newest[i];
		for (; r[o + 1 - e.from[i]] && n.get(r[o + 1 - e.from[i]]) <= a + 3;) o++;
		return [t.oldest[i], Math.min(o, t.newest[i] + 3)];
	}), s = o.reduce((e, [t, n]) => e + n - t + 1, 0), c = 0, l = (t) => {
		let r = -1, i = 0;
		return o.forEach(([a, o], s) => {
			let c = e.state(s, t < 0 ? a - 1 : a);
			if (!c || t > 0 && a >= o) return;
			let l = n.get(c);
			(r < 0 || (t < 0 ? l > i : l < i)) && ([r, i] = [s, l]);
		}), r < 0 ? !1 : (o[r][0] += t, !0);
	};
	for (; s < r && l(-1);) s++;
	for (; s > i && l(1);) s--, c++;
	let u = o.flatMap(([t, n], r) => Array.from({ length: n - t + 1 }, (n, i) => e.state(r, t + i)));
	u.sort((e, t) => n.get(e) - n.get(t) || e.process - t.process || e.number - t.number);
	let d = /* @__PURE__ */ new Map(), f = +!!u.some((e) => e.number === 0);
	for (let e of u) d.set(e, e.number === 0 ? 0 : f++);
	return {
		spans: o,
		column: d,
		columns: Math.max(f, 1),
		hidden: c
	};
}
function N(e, t, n) {
	let r = e.state(n.process, n.number + 1), i = r === void 0 ? void 0 : t.column.get(r);
	return [t.column.get(n), i ?? t.columns];
}
function Xn(e, t, n) {
	let r = n.map((n, r) => {
		let i = e.state(r, t.spans[r][0]);
		if (i && n < i.number) return [-.7, t.column.get(i)];
		let a = e.state(r, n);
		return a && t.column.has(a) ? N(e, t, a) : null;
	});
	if (r.some((e) => e === null)) return null;
	let i = r, a = Math.max(...i.map(([e]) => e)) + .5;
	return i.map(([e, t]) => Math.min(Math.max(a, e + .28), t - .28));
}
function Zn(e, t, n) {
	return t.spans.map(([r, i], a) => {
		for (let o = i; o >= r; o--) {
			let r = e.state(a, o);
			if (t.column.get(r) <= n) return o;
		}
		return r - 1;
	});
}
//#endregion
//#region node_modules/d3-path/dist/d3-path.mjs
var P = Math.PI, F = 2 * P, I = 1e-6, Qn = F - I;
function $n(e) {
	this._ += e[0];
	for (let t = 1, n = e.length; t < n; ++t) this._ += arguments[t] + e[t];
}
function er(e) {
	let t = Math.floor(e);
	if (!(t >= 0)) throw Error(`invalid digits: ${e}`);
	if (t > 15) return $n;
	let n = 10 ** t;
	return function(e) {
		this._ += e[0];
		for (let t = 1, r = e.length; t < r; ++t) this._ += Math.round(arguments[t] * n) / n + e[t];
	};
}
function tr(e, t, n, r) {
	return e === n && t === r;
}
function nr(e) {
	let t = Math.floor(e);
	if (!(t <= 15)) return tr;
	let n = 10 ** t, r = function(e) {
		return Math.round(e * n);
	};
	return function(e, t, n, i) {
		return r(e) === r(n) && r(t) === r(i);
	};
}
var rr = class {
	constructor(e) {
		this._x0 = this._y0 = this._x1 = this._y1 = null, this._ = "", this._append = e == null ? $n : er(e), this._equal = e == null ? tr : nr(e);
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
		else if (d > I) {
			if (!(Math.abs(u * s - c * l) > I) || !i) this._append`L${this._x1 = e},${this._y1 = t}`;
			else {
				let f = n - a, p = r - o, m = s * s + c * c, h = f * f + p * p, g = Math.sqrt(m), _ = Math.sqrt(d), v = i * Math.tan((P - Math.acos((m + d - h) / (2 * g * _))) / 2), y = v / _, b = v / g;
				Math.abs(y - 1) > I && this._append`L${e + y * l},${t + y * u}`, this._append`A${i},${i},0,0,${+(u * f > l * p)},${this._x1 = e + b * s},${this._y1 = t + b * c}`;
			}
		}
	}
	arc(e, t, n, r, i, a) {
		if (e = +e, t = +t, n = +n, a = !!a, n < 0) throw Error(`negative radius: ${n}`);
		let o = n * Math.cos(r), s = n * Math.sin(r), c = e + o, l = t + s, u = 1 ^ a, d = a ? r - i : i - r;
		if (this._x1 === null ? this._append`M${c},${l}` : (Math.abs(this._x1 - c) > I || Math.abs(this._y1 - l) > I) && this._append`L${c},${l}`, n) {
			if (d < 0 && (d = d % F + F), d > Qn) this._append`A${n},${n},0,1,${u},${e - o},${t - s}A${n},${n},0,1,${u},${this._x1 = c},${this._y1 = l}`;
			else if (d > I) {
				let a = e + n * Math.cos(i), o = t + n * Math.sin(i);
				if (d >= P && this._equal(c, l, a, o)) {
					d /= 2;
					let i = r + d;
					this._append`A${n},${n},0,${+(d >= P)},${u},${e + n * Math.cos(i)},${t + n * Math.sin(i)}`;
				}
				this._append`A${n},${n},0,${+(d >= P)},${u},${this._x1 = a},${this._y1 = o}`;
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
rr.prototype;
//#endregion
//#region node_modules/d3-shape/dist/d3-shape.mjs
function L(e) {
	return function() {
		return e;
	};
}
var ir = Math.cos, R = Math.sin, z = Math.sqrt, ar = 1e-12, B = Math.PI;
B / 2;
var or = 2 * B;
function sr(e) {
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
	}, () => new rr(t);
}
Array.prototype.slice;
function cr(e) {
	return typeof e == "object" && "length" in e ? e : Array.from(e);
}
function lr(e) {
	this._context = e;
}
lr.prototype = {
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
function V(e) {
	return new lr(e);
}
function ur(e) {
	return e[0];
}
function dr(e) {
	return e[1];
}
function fr(e, t) {
	var n = L(!0), r = null, i = V, a = null, o = sr(s);
	e = typeof e == "function" ? e : e === void 0 ? ur : L(e), t = typeof t == "function" ? t : t === void 0 ? dr : L(t);
	function s(s) {
		var c, l = (s = cr(s)).length, u, d = !1, f;
		for (r ?? (a = i(f = o())), c = 0; c <= l; ++c) !(c < l && n(u = s[c], c, s)) === d && ((d = !d) ? a.lineStart() : a.lineEnd()), d && a.point(+e(u, c, s), +t(u, c, s));
		if (f) return a = null, f + "" || null;
	}
	return s.x = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : L(+t), s) : e;
	}, s.y = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : L(+e), s) : t;
	}, s.defined = function(e) {
		return arguments.length ? (n = typeof e == "function" ? e : L(!!e), s) : n;
	}, s.curve = function(e) {
		return arguments.length ? (i = e, r != null && (a = i(r)), s) : i;
	}, s.context = function(e) {
		return arguments.length ? (e == null ? r = a = null : a = i(r = e), s) : r;
	}, s;
}
function pr(e, t, n) {
	var r = null, i = L(!0), a = null, o = V, s = null, c = sr(l);
	e = typeof e == "function" ? e : e === void 0 ? ur : L(+e), t = typeof t == "function" ? t : L(t === void 0 ? 0 : +t), n = typeof n == "function" ? n : n === void 0 ? dr : L(+n);
	function l(l) {
		var u, d, f, p = (l = cr(l)).length, m, h = !1, g, _ = Array(p), v = Array(p);
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
		return fr().defined(i).curve(o).context(a);
	}
	return l.x = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : L(+t), r = null, l) : e;
	}, l.x0 = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : L(+t), l) : e;
	}, l.x1 = function(e) {
		return arguments.length ? (r = e == null ? null : typeof e == "function" ? e : L(+e), l) : r;
	}, l.y = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : L(+e), n = null, l) : t;
	}, l.y0 = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : L(+e), l) : t;
	}, l.y1 = function(e) {
		return arguments.length ? (n = e == null ? null : typeof e == "function" ? e : L(+e), l) : n;
	}, l.lineX0 = l.lineY0 = function() {
		return u().x(e).y(t);
	}, l.lineY1 = function() {
		return u().x(e).y(n);
	}, l.lineX1 = function() {
		return u().x(r).y(t);
	}, l.defined = function(e) {
		return arguments.length ? (i = typeof e == "function" ? e : L(!!e), l) : i;
	}, l.curve = function(e) {
		return arguments.length ? (o = e, a != null && (s = o(a)), l) : o;
	}, l.context = function(e) {
		return arguments.length ? (e == null ? a = s = null : s = o(a = e), l) : a;
	}, l;
}
hr(V);
function mr(e) {
	this._curve = e;
}
mr.prototype = {
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
function hr(e) {
	function t(t) {
		return new mr(e(t));
	}
	return t._curve = e, t;
}
z(3), z(1 / 3) * 2;
var gr = R(B / 10) / R(7 * B / 10);
R(or / 10) * gr, -ir(or / 10) * gr, z(3), z(3), z(3) / 2, (1 / z(12) / 2 + 1) * 3;
function H() {}
function _r(e, t, n) {
	e._context.bezierCurveTo((2 * e._x0 + e._x1) / 3, (2 * e._y0 + e._y1) / 3, (e._x0 + 2 * e._x1) / 3, (e._y0 + 2 * e._y1) / 3, (e._x0 + 4 * e._x1 + t) / 6, (e._y0 + 4 * e._y1 + n) / 6);
}
function U(e) {
	this._context = e;
}
U.prototype = {
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
			case 3: _r(this, this._x1, this._y1);
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
			default: _r(this, e, t);
		}
		this._x0 = this._x1, this._x1 = e, this._y0 = this._y1, this._y1 = t;
	}
};
function vr(e, t) {
	this._basis = new U(e), this._beta = t;
}
vr.prototype = {
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
		return t === 1 ? new U(e) : new vr(e, t);
	}
	return n.beta = function(t) {
		return e(+t);
	}, n;
})(.85);
function W(e, t, n) {
	e._context.bezierCurveTo(e._x1 + e._k * (e._x2 - e._x0), e._y1 + e._k * (e._y2 - e._y0), e._x2 + e._k * (e._x1 - t), e._y2 + e._k * (e._y1 - n), e._x2, e._y2);
}
function G(e, t) {
	this._context = e, this._k = (1 - t) / 6;
}
G.prototype = {
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
			case 3: W(this, this._x1, this._y1);
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
			default: W(this, e, t);
		}
		this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return new G(e, t);
	}
	return n.tension = function(t) {
		return e(+t);
	}, n;
})(0);
function K(e, t) {
	this._context = e, this._k = (1 - t) / 6;
}
K.prototype = {
	areaStart: H,
	areaEnd: H,
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
			default: W(this, e, t);
		}
		this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return new K(e, t);
	}
	return n.tension = function(t) {
		return e(+t);
	}, n;
})(0);
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
			default: W(this, e, t);
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
function J(e, t, n) {
	var r = e._x1, i = e._y1, a = e._x2, o = e._y2;
	if (e._l01_a > ar) {
		var s = 2 * e._l01_2a + 3 * e._l01_a * e._l12_a + e._l12_2a, c = 3 * e._l01_a * (e._l01_a + e._l12_a);
		r = (r * s - e._x0 * e._l12_2a + e._x2 * e._l01_2a) / c, i = (i * s - e._y0 * e._l12_2a + e._y2 * e._l01_2a) / c;
	}
	if (e._l23_a > ar) {
		var l = 2 * e._l23_2a + 3 * e._l23_a * e._l12_a + e._l12_2a, u = 3 * e._l23_a * (e._l23_a + e._l12_a);
		a = (a * l + e._x1 * e._l23_2a - t * e._l12_2a) / u, o = (o * l + e._y1 * e._l23_2a - n * e._l12_2a) / u;
	}
	e._context.bezierCurveTo(r, i, a, o, e._x2, e._y2);
}
function yr(e, t) {
	this._context = e, this._alpha = t;
}
yr.prototype = {
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
			default: J(this, e, t);
		}
		this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return t ? new yr(e, t) : new G(e, 0);
	}
	return n.alpha = function(t) {
		return e(+t);
	}, n;
})(.5);
function br(e, t) {
	this._context = e, this._alpha = t;
}
br.prototype = {
	areaStart: H,
	areaEnd: H,
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
			default: J(this, e, t);
		}
		this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return t ? new br(e, t) : new K(e, 0);
	}
	return n.alpha = function(t) {
		return e(+t);
	}, n;
})(.5);
function xr(e, t) {
	this._context = e, this._alpha = t;
}
xr.prototype = {
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
			default: J(this, e, t);
		}
		this._l01_a = this._l12_a, this._l12_a = this._l23_a, this._l01_2a = this._l12_2a, this._l12_2a = this._l23_2a, this._x0 = this._x1, this._x1 = this._x2, this._x2 = e, this._y0 = this._y1, this._y1 = this._y2, this._y2 = t;
	}
}, (function e(t) {
	function n(e) {
		return t ? new xr(e, t) : new q(e, 0);
	}
	return n.alpha = function(t) {
		return e(+t);
	}, n;
})(.5);
function Sr(e) {
	return e < 0 ? -1 : 1;
}
function Cr(e, t, n) {
	var r = e._x1 - e._x0, i = t - e._x1, a = (e._y1 - e._y0) / (r || i < 0 && -0), o = (n - e._y1) / (i || r < 0 && -0), s = (a * i + o * r) / (r + i);
	return (Sr(a) + Sr(o)) * Math.min(Math.abs(a), Math.abs(o), .5 * Math.abs(s)) || 0;
}
function wr(e, t) {
	var n = e._x1 - e._x0;
	return n ? (3 * (e._y1 - e._y0) / n - t) / 2 : t;
}
function Tr(e, t, n) {
	var r = e._x0, i = e._y0, a = e._x1, o = e._y1, s = (a - r) / 3;
	e._context.bezierCurveTo(r + s, i + s * t, a - s, o - s * n, a, o);
}
function Er(e) {
	this._context = e;
}
Er.prototype = {
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
			case 3: Tr(this, this._t0, wr(this, this._t0));
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
					this._point = 3, Tr(this, wr(this, n = Cr(this, e, t)), n);
					break;
				default: Tr(this, this._t0, n = Cr(this, e, t));
			}
			this._x0 = this._x1, this._x1 = e, this._y0 = this._y1, this._y1 = t, this._t0 = n;
		}
	}
};
function Dr(e) {
	this._context = new Or(e);
}
(Dr.prototype = Object.create(Er.prototype)).point = function(e, t) {
	Er.prototype.point.call(this, t, e);
};
function Or(e) {
	this._context = e;
}
Or.prototype = {
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
function kr(e) {
	return new Dr(e);
}
function Ar(e, t) {
	this._context = e, this._t = t;
}
Ar.prototype = {
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
function jr(e) {
	return new Ar(e, 1);
}
var Mr = 18, Nr = 30, Pr = 10, Fr = 46, Ir = 110, Lr = 9, Rr = 18, zr = 116;
function Br(e) {
	return e - 112 - Mr;
}
function Vr(e) {
	let t = Br(e);
	return {
		easy: Math.floor(t / Fr),
		most: Math.max(40, Math.floor(t / Lr))
	};
}
var Hr = class {
	processes;
	height;
	lane;
	thickness;
	half;
	step;
	constructor(e, t, n, r) {
		this.processes = n, this.height = Math.max(t, 40 + Rr * n), this.lane = Math.min(zr, (this.height - Nr - Pr) / n), this.thickness = Math.max(6, Math.min(18, this.lane * .32)), this.half = Math.min(this.lane * .42, this.thickness + 12), this.step = Math.min(Ir, Br(e) / r);
	}
	x(e) {
		return 112 + e * this.step;
	}
	y(e) {
		return Nr + Math.max(0, this.height - Nr - Pr - this.lane * this.processes) / 2 + this.lane * (e + .5);
	}
	frontierPath(e) {
		let t = e.map((e, t) => [this.x(e), this.y(t)]), [n, r] = [t[0], t[t.length - 1]], i = this.lane / 2, a = [
			[n[0], n[1] - i],
			...t,
			[r[0], r[1] + i]
		];
		return fr().curve(kr)(a) ?? "";
	}
}, Ur = 72;
function Wr({ least: e, greatest: t }) {
	return e && t ? Math.max(...e.map((e, n) => t[n] - e + 1)) : 1;
}
function Gr(e, t, { recording: n, moment: r }) {
	let { processes: i } = n.spec;
	for (let t of Object.values(e)) t.selectAll("*").remove();
	Kr(e, t, i);
	let { least: a, greatest: o } = r;
	if (!a || !o) return;
	let s = Math.min(Ur, t.step);
	i.forEach((n, r) => {
		let i = o[r] - a[r] + 1, c = t.y(r);
		e.windows.append("rect").attr("rx", 8).attr("x", 112).attr("y", c - t.half).attr("width", s * i).attr("height", 2 * t.half);
		let l = Math.max(1, Math.ceil(28 / s));
		for (let n = 0; n < i; n += l) {
			let o = e.states.append("g").attr("class", "state unread inside");
			o.style("transform", `translate(${112 + n * s}px, ${c}px)`);
			let u = Math.max(s * Math.min(l, i - n) - 5, 3);
			o.append("rect").attr("x", 2.5).attr("y", -t.thickness / 2).attr("rx", 5).attr("width", u).attr("height", t.thickness), o.append("text").attr("x", 2.5 + u / 2).attr("y", -t.thickness / 2 - 5).attr("text-anchor", "middle").text(a[r] + n);
		}
	});
}
function Kr(e, t, n) {
	for (let [r, i] of n.entries()) e.labels.append("g").attr("class", "lane").attr("transform", `translate(0 ${t.y(r)})`).append("text").attr("x", 94).attr("text-anchor", "end").attr("dy", "0.35em").text(i);
}
//#endregion
//#region src/spacetime-marks.ts
function qr(e, t) {
	Jr(e, t), Yr(e, t), Xr(e, t), Zr(e, t), Qr(e, t);
	let { hidden: n } = t.view, r = e.labels.selectAll("text.hidden").data(n ? [n] : []).join("text");
	r.attr("class", "hidden soft").attr("x", 112).attr("y", t.frame.height - 4), r.text(`${o(n, "earlier state")} of the windows not shown`);
}
function Jr(e, { scene: t, view: n, frame: r }) {
	let { processes: i } = t.recording.spec, a = r.x(n.columns);
	e.labels.selectAll("g.lane").data(i).join((e) => {
		let t = e.append("g").attr("class", "lane");
		return t.append("text").attr("x", 94).attr("text-anchor", "end").attr("dy", "0.35em"), t;
	}).attr("transform", (e, t) => `translate(0 ${r.y(t)})`).select("text").text((e) => e.length > 15 ? `${e.slice(0, 14)}…` : e), e.ends.selectAll("path.lane").data(i).join("path").attr("class", "lane").attr("d", (e, t) => `M104 ${r.y(t)}H${a}`);
}
function Yr(e, { scene: t, view: n, frame: r }) {
	let { recording: i, moment: a } = t, o = i.spec.processes.flatMap((e, t) => {
		let o = i.state(t, Math.max(a.oldest[t], n.spans[t][0])), s = i.state(t, a.newest[t]);
		return !o || !s ? [] : [{
			k: t,
			begin: r.x(N(i, n, o)[0]),
			end: r.x(N(i, n, s)[1])
		}];
	});
	e.windows.selectAll("rect").data(o, ({ k: e }) => e).join("rect").attr("rx", 8).attr("x", ({ begin: e }) => e - 7).attr("width", ({ begin: e, end: t }) => Math.max(t - e + 7, 10)).attr("y", ({ k: e }) => r.y(e) - r.half).attr("height", 2 * r.half);
}
function Xr(e, { scene: t, view: n, frame: r }) {
	let { recording: i, moment: a, part: o } = t, s = r.thickness, c = [...n.column.keys()], l = new Map(c.map((e) => [e, N(i, n, e).map((e) => r.x(e))])), u = (e) => Math.max(l.get(e)[1] - l.get(e)[0] - 5, 3), d = e.states.selectAll("g").data(c, (e) => `${e.process}/${e.number}`).join((e) => {
		let t = e.append("g");
		return t.append("rect"), t.append("circle"), t.append("text").attr("text-anchor", "middle"), t;
	}).attr("class", (e) => {
		let t = {
			0: "out",
			1: "may",
			2: "holds",
			".": "unread"
		}[e.colours[o] ?? "."], { newest: n, oldest: r } = a;
		return `state ${t} ${e.number > n[e.process] ? "coming" : e.number < r[e.process] ? "gone" : "inside"}${e.process === a.process && e.number === n[e.process] ? " delivered" : ""}`;
	}).attr("data-state", (e) => `${i.spec.processes[e.process]}#${e.index}`).style("transform", (e) => `translate(${l.get(e)[0]}px, ${r.y(e.process)}px)`);
	d.select("rect").attr("x", 2.5).attr("y", -s / 2).attr("height", s).attr("rx", Math.min(5, s / 2)).attr("width", u), d.select("circle").attr("r", (e) => e.number === 0 ? 0 : Math.min(4, s / 3, r.step / 5)).attr("cx", 0), d.select("text").attr("x", (e) => 2.5 + u(e) / 2).attr("y", -s / 2 - 5).text((e) => u(e) > 16 && r.lane > 34 ? e.index : "");
}
function Zr(e, { scene: t, view: n, frame: r }) {
	let { recording: i, moment: a } = t, o = [...n.column.keys()].flatMap((e) => Kn(i, e)).filter(({ from: e }) => n.column.has(e)), s = ({ from: e, to: t }) => e.number > a.newest[e.process] || t.number > a.newest[t.process];
	e.messages.selectAll("path").data(o, ({ from: e, to: t }) => `${e.process}/${e.number}-${t.process}/${t.number}`).join("path").attr("class", (e) => s(e) ? "message coming" : "message").attr("d", ({ from: e, to: t }) => {
		let [i, a] = [r.x(n.column.get(e)), r.y(e.process)], [o, s] = [r.x(n.column.get(t)), r.y(t.process)], c = Math.hypot(o - i, s - a), [l, u] = [(o - i) / c, (s - a) / c];
		return `M${i + 5 * l} ${a + 5 * u}L${o - 6 * l} ${s - 6 * u}`;
	});
}
function Qr(e, { scene: t, view: n, frame: r }) {
	let { recording: i, moment: a, witness: o } = t, s = [
		{
			kind: "least",
			cut: a.least
		},
		{
			kind: "greatest",
			cut: a.greatest
		},
		{
			kind: "witness",
			cut: o.cut
		}
	], c = /* @__PURE__ */ new Map();
	for (let { kind: e, cut: t } of s) t && c.set(t.join(), [...c.get(t.join()) ?? [], e]);
	let l = s.flatMap(({ kind: e, cut: t }) => {
		let r = t && Xn(i, n, t);
		if (!t || !r) return [];
		let a = c.get(t.join());
		return [{
			kind: e,
			cut: t,
			crossing: r,
			text: a[a.length - 1] === e ? a.join(", ") : ""
		}];
	}), u = Math.max(r.y(0) - r.lane / 2 - 4, 12), d = [], f = /* @__PURE__ */ new Map();
	for (let e of [...l].sort((e, t) => e.crossing[0] - t.crossing[0])) {
		let [t, n] = [r.x(e.crossing[0]), e.text.length * 3.2], i = d.findIndex((e) => e < t - n), a = i < 0 ? d.length : i;
		d[a] = t + n + 4, f.set(e.kind, a);
	}
	e.frontiers.selectAll("g").data(l, ({ kind: e }) => e).join((e) => {
		let t = e.append("g");
		return t.append("path"), t.append("text").attr("text-anchor", "middle"), t;
	}).attr("class", ({ kind: e }) => `frontier ${e}`).attr("data-cut", ({ cut: e }) => i.show(e)).each((e, t, n) => {
		let i = k(n[t]);
		i.select("path").attr("d", r.frontierPath(e.crossing));
		let a = u - 12 * (f.get(e.kind) ?? 0);
		i.select("text").attr("x", r.x(e.crossing[0])).attr("y", a).text(e.text);
	});
}
//#endregion
//#region src/spacetime-view.ts
var $r = class {
	events;
	svg;
	layers;
	width = 0;
	height = 0;
	scene = null;
	picture = null;
	placed = null;
	focus = null;
	constructor(e, t) {
		this.events = t, this.svg = k(e).append("svg").attr("tabindex", 0).attr("role", "img");
		let n = this.svg.append("defs");
		for (let e of ["arrow", "arrow-lit"]) {
			let t = n.append("marker").attr("id", e).attr("viewBox", "0 0 8 8");
			t.attr("refX", 7).attr("refY", 4).attr("markerWidth", 7).attr("markerHeight", 7), t.attr("orient", "auto").append("path").attr("d", "M0.5 0.8 7.5 4 0.5 7.2z").attr("class", e);
		}
		let r = (e) => this.svg.append("g").attr("class", e);
		this.layers = {
			windows: r("windows"),
			ends: r("ends"),
			states: r("states"),
			messages: r("messages"),
			labels: r("labels"),
			frontiers: r("frontiers"),
			over: r("over")
		}, this.svg.on("pointermove", (e) => this.onMove(e)), this.svg.on("pointerleave", () => t.point(C, null)), this.svg.on("mousedown", (e) => e.preventDefault()), this.svg.on("keydown", (e) => this.onKey(e)), this.svg.on("blur", () => {
			this.focus = null, t.point(C, null);
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
			let t = Xn(a, r, e);
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
		let { recording: t, moment: n } = e, { easy: r, most: i } = Vr(this.width), a = Yn(t, n, this.positions(t), r, i), o = new Hr(this.width, this.height, t.spec.processes.length, a.columns);
		return this.picture = {
			scene: e,
			view: a,
			frame: o
		}, this.svg.attr("aria-label", ei(e)), qr(this.layers, this.picture), o;
	}
	renderEnds(e) {
		let t = new Hr(this.width, this.height, e.recording.spec.processes.length, Wr(e.moment));
		return this.picture = null, this.svg.attr("aria-label", "States between the least and the greatest cut, by index"), Gr(this.layers, t, e), t;
	}
	positions(e) {
		return this.placed?.recording !== e && (this.placed = {
			recording: e,
			at: new Jn(e)
		}), this.placed.at.follow();
	}
	onMove(e) {
		if (!this.picture) return;
		let { scene: t, view: n, frame: r } = this.picture, { recording: i, lattice: a, moment: o } = t, [s, c] = A(e, this.svg.node()), l = (s - 112) / r.step;
		if (l < 0 || l > n.columns) {
			this.events.point(C, null);
			return;
		}
		let u = Zn(i, n, l), { least: d, greatest: f } = o, p = d && f ? u.map((e, t) => Math.min(Math.max(e, d[t]), f[t])) : null, m = p && a?.position.has(p.join(",")) ? p : null, h = i.spec.processes.findIndex((e, t) => Math.abs(c - r.y(t)) < r.thickness), g = h >= 0 ? i.state(h, u[h]) : void 0, _ = g && n.column.has(g) ? g : null;
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
		let { scene: n, view: r } = this.picture, { recording: i, moment: a } = n, o = i.spec.processes.length, s = this.focus ?? i.state(a.process, a.newest[a.process]), c = (s.process + t[0] + o) % o, [l, u] = r.spans[c], d = s.number + t[1];
		c !== s.process && (d = Zn(i, r, (r.column.get(s) ?? 0) + .5)[c]), this.focus = i.state(c, Math.min(Math.max(d, l), u)) ?? s, this.events.point({
			cut: null,
			state: this.focus
		}, this.locate(this.focus, this.picture));
	}
};
function ei({ recording: e, moment: t }) {
	return `Space-time diagram. States in the window: ${e.spec.processes.map((n, r) => {
		let i = [t.oldest[r], t.newest[r]].map((t) => e.state(r, t)?.index);
		return `${n} ${i[0]} to ${i[1]}`;
	}).join(", ")}. Arrow keys move between states.`;
}
//#endregion
//#region node_modules/d3-array/dist/d3-array.mjs
function Y(e, t) {
	return e == null || t == null ? NaN : e < t ? -1 : e > t ? 1 : e >= t ? 0 : NaN;
}
function ti(e, t) {
	return e == null || t == null ? NaN : t < e ? -1 : t > e ? 1 : t >= e ? 0 : NaN;
}
function ni(e) {
	let t, n, r;
	e.length === 2 ? (t = e === Y || e === ti ? e : ri, n = e, r = e) : (t = Y, n = (t, n) => Y(e(t), n), r = (t, n) => e(t) - n);
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
function ri() {
	return 0;
}
function ii(e) {
	return e === null ? NaN : +e;
}
var ai = ni(Y);
ai.right, ai.left, ni(ii).center, Array.prototype.slice;
var oi = Math.sqrt(50), si = Math.sqrt(10), ci = Math.sqrt(2);
function li(e, t, n) {
	let r = (t - e) / Math.max(0, n), i = Math.floor(Math.log10(r)), a = r / 10 ** i, o = a >= oi ? 10 : a >= si ? 5 : a >= ci ? 2 : 1, s, c, l;
	return i < 0 ? (l = 10 ** -i / o, s = Math.round(e * l), c = Math.round(t * l), s / l < e && ++s, c / l > t && --c, l = -l) : (l = 10 ** i * o, s = Math.round(e / l), c = Math.round(t / l), s * l < e && ++s, c * l > t && --c), c < s && .5 <= n && n < 2 ? li(e, t, n * 2) : [
		s,
		c,
		l
	];
}
function ui(e, t, n) {
	if (t = +t, e = +e, n = +n, !(n > 0)) return [];
	if (e === t) return [e];
	let r = t < e, [i, a, o] = r ? li(t, e, n) : li(e, t, n);
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
//#region src/timeline-view.ts
var X = 132, Z = 84, Q = 15, di = 6, $ = 40, fi = 10, pi = 18, mi = [
	"duplicates",
	"rejected",
	"late",
	"skipped",
	"too_large"
];
function hi(e, t) {
	let n = [], r = Math.min(t, e.length);
	for (let t = 0; t < r; t++) {
		let i = Math.floor(t * e.length / r), a = Math.floor((t + 1) * e.length / r), o = e.slice(i, a), s = o.includes("1"), c = o.includes("0"), l = o.includes("?") ? "?" : s && c ? "m" : s ? "1" : "0", u = n[n.length - 1];
		u && u[2] === l ? u[1] = (t + 1) / r : n.push([
			t / r,
			(t + 1) / r,
			l
		]);
	}
	return n;
}
function gi(e, t) {
	let n = Math.min(t, e.length);
	return Array.from({ length: n }, (t, r) => {
		let i = Math.floor(r * e.length / n), a = Math.max(i + 1, Math.floor((r + 1) * e.length / n));
		return e.slice(i, a).reduce((e, t) => Math.max(e, t), 0);
	});
}
var _i = class {
	events;
	svg;
	cursor = e("div", {
		class: "cursor",
		"aria-hidden": "true"
	});
	width = 0;
	recording = null;
	scene = null;
	constructor(e, t) {
		this.events = t, this.svg = k(e).append("svg");
		for (let e of [
			"axis",
			"strips",
			"size",
			"notices"
		]) this.svg.append("g").attr("class", e);
		let n = this.svg.append("rect").attr("class", "pad").attr("tabindex", 0).attr("role", "slider");
		n.attr("aria-label", "Slide").attr("fill", "transparent");
		let r = (e) => {
			this.recording && t.go(this.recording.clamp(this.slideAt(A(e, this.svg.node())[0])));
		};
		n.on("pointerdown", (e) => {
			e.target.setPointerCapture(e.pointerId), r(e);
		}), n.on("pointermove", (e) => e.buttons && r(e)), e.append(this.cursor), s(e, (e) => {
			this.width = e, this.draw();
		});
	}
	render(e) {
		let t = this.recording !== e.recording || this.svg.attr("data-slides") !== vi(e.recording);
		this.scene = e, this.recording = e.recording, t ? this.draw() : this.drawCursor();
	}
	slideAt(e) {
		let { first: t, length: n } = this.recording;
		return t - .5 + (e - X) / (this.width - X - Z) * n;
	}
	x(e) {
		let { first: t, length: n } = this.recording;
		return X + (e - t + .5) / Math.max(n, 1) * (this.width - X - Z);
	}
	draw() {
		let { recording: e } = this;
		if (!e || !this.width || e.isEmpty) return;
		let t = e.spec.properties.length, n = t * 21 + $ + 12, r = n + fi + pi + 6;
		this.svg.attr("width", this.width).attr("height", r).attr("data-slides", vi(e)), this.drawAxis(r), this.drawStrips(), this.drawSize(t * 21 + di), this.drawNotices(n + 4), this.svg.select(".pad").attr("x", X).attr("y", 0).attr("height", r).attr("width", Math.max(0, this.width - X - Z)), this.cursor.style.height = `${r - pi}px`, this.drawCursor();
	}
	drawAxis(e) {
		let { first: t, last: n } = this.recording, r = ui(t, n, Math.max(2, Math.floor(this.width / 110))).filter(Number.isInteger), i = this.svg.select(".axis").selectAll("g").data(r).join((e) => {
			let t = e.append("g");
			return t.append("line"), t.append("text").attr("text-anchor", "middle"), t;
		});
		i.attr("transform", (e) => `translate(${this.x(e)} 0)`), i.select("line").attr("y1", 0).attr("y2", e - pi), i.select("text").attr("y", e - 4).text((e) => e.toLocaleString("en"));
	}
	drawStrips() {
		let e = this.recording, t = this.width - X - Z, { events: n } = this;
		this.svg.select(".strips").selectAll("g.strip").data(e.values).join((e) => {
			let t = e.append("g").attr("class", "strip");
			t.append("rect").attr("class", "back").attr("x", X).attr("height", Q).attr("rx", 3);
			for (let e of [
				"one",
				"mixed",
				"unknown"
			]) t.append("path").attr("class", e);
			return t.append("text").attr("class", "name").attr("x", 118).attr("text-anchor", "end").attr("y", Q / 2).attr("dy", "0.35em"), t.append("text").attr("class", "value").attr("y", Q / 2).attr("dy", "0.35em"), t;
		}).attr("transform", (e, t) => `translate(0 ${t * 21 + 4})`).each((r, i, a) => {
			let o = k(a[i]), s = hi(r, Math.floor(t)), c = ([e, n]) => {
				let r = Math.max(.5, (n - e) * t);
				return `M${X + e * t} 0h${r}v${Q}h${-r}z`;
			}, l = (e) => s.filter((t) => t[2] === e).map(c).join("");
			o.select(".back").attr("width", t), o.select(".one").attr("d", l("1")), o.select(".mixed").attr("d", l("m")), o.select(".unknown").attr("d", l("?")), o.select(".value").attr("x", this.width - Z + 12);
			let { name: u } = e.spec.properties[i];
			o.select(".name").text(u.length > 17 ? `${u.slice(0, 16)}…` : u).on("click", () => n.choose(i));
		});
	}
	drawSize(e) {
		let t = this.recording, n = this.width - X - Z, r = gi(t.cutCounts.map((e) => Math.max(e, 0)), Math.floor(n)), i = Math.max(1, ...r), a = i > 200, o = (e) => (a ? Math.log1p(e) / Math.log1p(i) : e / i) * $, s = n / Math.max(r.length, 1), c = pr().curve(jr).x((e, t) => X + t * s).y0($).y1((e) => $ - o(e)), l = this.svg.select(".size").attr("transform", `translate(0 ${e})`), u = [...r, r[r.length - 1]];
		l.selectAll("path").data([u]).join("path").attr("d", c);
		let d = [
			{
				x: 118,
				y: $ / 2 - 2,
				anchor: "end",
				text: "cuts",
				name: "name"
			},
			{
				x: 118,
				y: 32,
				anchor: "end",
				text: a ? "log scale" : "",
				name: "small"
			},
			{
				x: this.width - Z + 12,
				y: 10,
				anchor: "start",
				text: `max ${yi(i)}`,
				name: "small"
			}
		];
		l.selectAll("text").data(d).join("text").attr("x", ({ x: e }) => e).attr("y", ({ y: e }) => e).attr("text-anchor", ({ anchor: e }) => e).attr("class", ({ name: e }) => e).text(({ text: e }) => e), l.selectAll("text.now").data([0]).join("text").attr("class", "now value").attr("x", this.width - Z + 12).attr("y", 34);
	}
	drawNotices(e) {
		let t = this.recording, n = mi.flatMap((e) => {
			let n = t.counters[e] ?? [];
			return n.flatMap((r, i) => r > (i ? n[i - 1] : 0) && i ? [{
				name: e,
				slide: i + t.first
			}] : []);
		}), r = this.svg.select(".notices").attr("transform", `translate(0 ${e})`), i = /* @__PURE__ */ new Set(), a = n.filter(({ name: e, slide: t }) => {
			let n = `${e}/${Math.round(this.x(t))}`;
			return !i.has(n) && i.add(n);
		});
		r.selectAll("path").data(a).join("path").attr("class", ({ name: e }) => `notice ${e}`).attr("d", ({ slide: e }) => `M${this.x(e)} 0v8`), r.selectAll("text").data(a.length ? ["notices"] : []).join("text").attr("class", "name").attr("x", 118).attr("y", 8).attr("text-anchor", "end").text(String);
	}
	drawCursor() {
		if (!this.scene || !this.width) return;
		let { moment: e, recording: t, property: n } = this.scene;
		this.cursor.style.transform = `translateX(${this.x(e.slide)}px)`, this.svg.select(".pad").attr("aria-valuemin", t.first).attr("aria-valuemax", t.last).attr("aria-valuenow", e.slide).attr("aria-valuetext", de(this.scene)), this.svg.selectAll("g.strip").classed("chosen", (e, t) => t === n), this.svg.selectAll("g.strip .value").data(t.values).text((n, r) => ({
			1: "true",
			0: "false",
			"?": "too large"
		})[t.value(r, e.slide)] ?? ""), this.svg.select(".size .now").text(e.cuts === null ? "" : yi(e.cuts));
	}
}, vi = ({ first: e, last: t }) => `${e}..${t}`, yi = (e) => e < 1e4 ? e.toLocaleString("en") : new Intl.NumberFormat("en", { notation: "compact" }).format(e), bi = class {
	root;
	header;
	source;
	recording;
	group = "";
	slide = 1;
	property = 0;
	part = 0;
	scene = null;
	hover = C;
	pinned = null;
	close = () => {};
	isFollowing = !0;
	wanted = Pn(location.hash);
	properties;
	transport;
	counters = new _e();
	tooltip = new ve();
	spaceTime;
	lattice;
	timeline;
	facts = e("span", { class: "soft facts" });
	heard = e("p", {
		class: "unseen",
		"aria-live": "polite"
	});
	status = e("span", {
		class: "live",
		hidden: !0
	});
	waiting = e("p", { class: "waiting" }, "Waiting for the first slide …");
	picker;
	player;
	notes = e("div", { class: "notes" });
	announced = 0;
	constructor(t, n, r) {
		this.root = t, this.header = n, this.source = r, this.recording = new Gn(n.spec, n.slides), this.properties = new he(n, (e, t) => this.choose(e, t)), this.transport = new ge({
			go: (e) => this.go(e),
			step: (e) => this.go(this.slide + e),
			ends: (e) => this.go(e < 0 ? this.recording.first : this.recording.last),
			change: (e) => this.goToChange(e),
			play: () => this.player.toggle()
		}), this.player = this.makePlayer(), this.picker = new De(r, (e) => this.pick(e));
		let [i, a, o] = [
			0,
			1,
			2
		].map(() => e("div", { class: "drawing" })), s = (e, t) => this.point(e, t);
		this.spaceTime = new $r(i, { point: s }), this.lattice = new jn(a, {
			point: s,
			pin: (e) => this.pin(e)
		}), this.timeline = new _i(o, {
			go: (e) => this.go(e),
			choose: (e) => this.choose(e, 0)
		});
		let c = n.spec.processes.length === 2 ? ["grid", "levels"] : [];
		c.length && (this.lattice.form = c[0]), this.showNotes(n.notes), Rn(t, n, {
			status: this.status,
			groups: this.picker.root,
			properties: this.properties.root,
			spaceTime: i,
			lattice: a,
			timeline: o,
			facts: this.facts,
			forms: zn(c, (e) => {
				this.lattice.form = e, this.scene && this.lattice.render(this.scene);
			}),
			transport: this.transport.root,
			counters: this.counters.root,
			notes: this.notes,
			others: [
				this.heard,
				this.waiting,
				this.tooltip.root
			]
		}), addEventListener("keydown", (e) => this.onKey(e)), addEventListener("hashchange", () => this.follow());
		let { property: l, part: u, group: d } = this.wanted, f = n.spec.properties.findIndex(({ name: e }) => e === l);
		this.property = Math.max(0, f), this.part = Math.min(u ?? 0, Math.max(0, (n.spec.properties[this.property]?.parts.length ?? 1) - 1)), this.openFirst(d);
	}
	async openFirst(e) {
		let t = this.header.groups;
		for (; this.header.live && e === void 0 && !t.length;) t = await this.source.groups("").catch(() => []), t.length || await new Promise((e) => setTimeout(e, 700));
		this.open(e !== void 0 && Ce(this.header, e) ? e : t[0] ?? "");
	}
	open(e) {
		this.close(), this.player.stop(), this.group = e, this.picker.show(e), this.restart(), this.close = this.source.open(e, {
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
		this.recording.append(e), this.waiting.hidden = !0;
		let { first: n, last: r } = this.recording;
		t ? this.go(this.wanted.slide ?? (this.header.live ? r : n), { isFirst: t }) : this.isFollowing ? this.go(r, { keepFollowing: !0 }) : this.slide < n ? this.go(n) : this.render();
	}
	showNotes(t) {
		this.notes.replaceChildren(...t.map((t) => e("p", { class: "note" }, t)));
	}
	restart() {
		this.recording = new Gn(this.header.spec, this.header.slides), this.waiting.hidden = !1, this.pinned = null;
	}
	pick(e) {
		this.wanted = {}, e !== void 0 && e !== this.group ? this.open(e) : this.picker.show(this.group);
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
	choose(e, t) {
		this.header.spec.properties[e] && (this.property = e, this.part = t, this.render());
	}
	follow() {
		let e = Pn(location.hash), t = this.header.spec.properties.findIndex(({ name: t }) => t === e.property);
		e.group !== void 0 && e.group !== this.group && Ce(this.header, e.group) && (this.wanted = e, this.open(e.group));
		let n = e.part ?? 0;
		t >= 0 && (t !== this.property || n !== this.part) && this.choose(t, n), e.slide !== void 0 && this.go(e.slide), e.group !== void 0 && !Ce(this.header, e.group) && this.announce();
	}
	render() {
		if (this.recording.isEmpty) return;
		let { properties: e } = this.header.spec, t = e.slice(0, this.property).reduce((e, t) => e + t.parts.length, 0);
		this.scene = ie(this.recording, this.slide, this.property, t + this.part, this.header.drawn), this.properties.render(this.scene, this.part), this.transport.render(this.recording, this.slide), this.counters.render(this.recording, this.slide), this.facts.textContent = xe(this.scene), this.facts.title = this.scene.meaning ? `filled: ${this.scene.meaning}` : "", this.spaceTime.render(this.scene), this.lattice.render(this.scene), this.timeline.render(this.scene), this.point(C, null), this.announce(), this.root.dataset.slide = String(this.slide), this.root.classList.toggle("verdicts-only", !this.recording.hasClocks);
	}
	announce() {
		clearTimeout(this.announced), this.announced = window.setTimeout(() => {
			this.scene && (this.heard.textContent = de(this.scene));
			let e = this.header.spec.properties[this.property]?.name, t = Fn({
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
		return new Wn({
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
			t: () => Bn(),
			"?": () => document.querySelector("dialog")?.showModal(),
			Escape: () => this.pin(null)
		};
		e.key === " " && !t.closest("button") && (r[" "] = () => this.player.toggle()), /^[1-9]$/.test(e.key) && (r[e.key] = () => this.choose(Number(e.key) - 1, 0));
		let i = r[e.key];
		i && (e.preventDefault(), i());
	}
}, xi = f(document.getElementById("header").textContent);
new bi(document.getElementById("app"), xi, xi.live ? Te() : we(xi));
//#endregion
