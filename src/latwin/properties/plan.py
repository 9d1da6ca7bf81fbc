"""Which engine answers a `possibly` or `definitely`, decided by the predicate's shape alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from latwin.properties.one_sum import OneSum, one_sum, why_sum
from latwin.properties.shape import (
    MAX_ALTERNATIVES,
    MAX_DISJUNCTS,
    Conjunction,
    Step,
    alternatives_of,
    disjuncts_of,
    normal_form,
    opaque_part,
    program_of,
)
from latwin.properties.sums import SumAtom
from latwin.properties.tree import And, Exists, Expr, Modal, Not, Or, Property, PropertyNot, Question, show

Engine: TypeAlias = Literal["conjunctive", "pair by pair", "part by part", "sums", "bit lattice", "cut by cut"]

_WITHOUT_LATTICE: frozenset[Engine] = frozenset({"conjunctive", "pair by pair", "part by part", "sums"})


@dataclass(frozen=True)
class Plan:
    """How one modality is answered.

    `disjuncts` is set for the conjunctive engine, `program` for the bit lattice, both `one_sum` and `program` for the
    engine of sums, which leaves some windows to the bit lattice; the cut-by-cut engine evaluates `predicate`, the
    normal form. `choices` are the parts of an `exists(...)`, or of an `or` of sums of three or more processes each.
    They are answered one by one; those that read more than two processes have plans of their own, `parts`.
    """

    modal: Modal
    engine: Engine
    predicate: Expr
    disjuncts: tuple[Conjunction, ...] = ()
    program: tuple[Step, ...] = ()
    one_sum: OneSum | None = None
    choices: tuple[Expr, ...] = ()
    parts: tuple[Plan, ...] = ()

    def why(self, processes: Sequence[str]) -> str:
        """One sentence on the choice of engine."""
        if self.engine == "conjunctive":
            if not self.disjuncts:
                return "the condition is never true, so nothing needs to be computed"
            if len(self.disjuncts) > 1 and self.modal.kind == "definitely":
                return (
                    f"an `or` of {len(self.disjuncts)} per-process conditions: every observation visits every state, "
                    "so `definitely` is `possibly`, answered from the clocks alone, without the lattice"
                )
            if len(self.disjuncts) > 1:
                return (
                    f"`possibly` of an `or` of {len(self.disjuncts)} conjunctions of per-process conditions: "
                    "each is answered from the clocks alone, without the lattice"
                )
            names = ", ".join(processes[k] for k in self.disjuncts[0]) or "no process"
            return (
                f"a conjunction of per-process conditions (on {names}): "
                "answered from the clocks alone, without the lattice"
            )
        if self.one_sum is not None:
            return why_sum(self.one_sum, self.modal.kind)
        if self.choices:
            return self._why_choices(processes)
        if self.engine == "bit lattice":
            reasons = []
            sums = [step for step in self.program if isinstance(step, SumAtom)]
            if sums:
                reasons.append(f"it adds variables of {len(sums[0].terms)} processes")
            if "or" in self.program or "not" in self.program:
                reasons.append("it is no conjunction")
            if not reasons:
                reasons.append("it compares variables of two processes")
            where = f"{self._lattice(processes)}, 64 cuts at a time"
            return f"{' and '.join(reasons)}: answered on {where}, or beyond max_cuts by decision diagrams"
        part = opaque_part(self.predicate)
        return (
            f"`{show(part if part is not None else self.predicate, processes)}` mixes variables of several "
            f"processes in a way that only the interpreter can evaluate: answered on {self._lattice(processes)}, one "
            "cut at a time (much slower)"
        )

    def _lattice(self, processes: Sequence[str]) -> str:
        """The lattice that is asked: that of the processes which the condition reads."""
        read = sorted(self.predicate.processes)
        if len(read) == len(processes):
            return "the lattice"
        names = ", ".join(processes[k] for k in read)
        return f"the lattice of {names} alone ({len(read)} of {len(processes)} processes)"

    def _why_choices(self, processes: Sequence[str]) -> str:
        count = len(self.choices)
        if not self.parts:
            return (
                f"`possibly` of an `or` of {count:,} conditions on one or two processes each: every pair of their "
                "states is looked at, without the lattice"
            )
        first = self.parts[0]
        return (
            f"`possibly` of an `or` of {count:,} parts, each answered on its own; the first of those on more than "
            f"two processes by: {first.engine} ({first.why(processes)})"
        )


def plan_modal(modal: Modal) -> Plan:
    """Choose the engine for one modality."""
    predicate = normal_form(modal.predicate)
    disjuncts = disjuncts_of(predicate)
    # Every observation visits every state from the least cut's to the greatest cut's, so `definitely` of an `or` of
    # conditions on single states is `possibly` of it.
    is_local = disjuncts is not None and all(len(conjunction) == 1 for conjunction in disjuncts)
    has_choice = modal.kind == "possibly" and _has_choice(modal.predicate)
    # An `or` over a role's members has as many parts as members; the choices of an `exists` are quicker as pairs.
    several = MAX_DISJUNCTS if has_choice else max(MAX_DISJUNCTS, len(predicate.processes))
    limit = MAX_ALTERNATIVES if is_local else several if modal.kind == "possibly" else 1
    if disjuncts is not None and len(disjuncts) <= limit:
        return Plan(modal, "conjunctive", predicate, disjuncts=tuple(disjuncts))
    choices = tuple(alternatives_of(predicate)) if modal.kind == "possibly" else ()
    if len(choices) > 1:
        parts = tuple([plan_modal(Modal("possibly", part)) for part in choices if len(part.processes) > 2])
        # One lattice for all parts costs less than one for each; but an `exists` has too many members for it.
        has_pairs, engines = any(len(part.processes) == 2 for part in choices), {part.engine for part in parts}
        if has_choice or ("sums" in engines and engines <= _WITHOUT_LATTICE and not has_pairs):
            return Plan(modal, "part by part" if parts else "pair by pair", predicate, choices=choices, parts=parts)
    program = program_of(predicate)
    if program is not None:
        one = one_sum(program)
        engine: Engine = "bit lattice" if one is None else "sums"
        return Plan(modal, engine, predicate, program=tuple(program), one_sum=one)
    return Plan(modal, "cut by cut", predicate)


def _has_choice(expr: Expr) -> bool:
    """Whether an `exists`, or a negated `forall`, decides a condition among others."""
    if isinstance(expr, And | Or | Not):
        return any(map(_has_choice, expr.operands if not isinstance(expr, Not) else (expr.operand,)))
    return isinstance(expr, Exists)


def plan_labels(predicate: Expr) -> Plan:
    """How the cuts that satisfy a condition are found, for questions about sets of cuts."""
    normal = normal_form(predicate)
    modal = Modal("possibly", predicate)
    program = program_of(normal)
    if program is not None:
        return Plan(modal, "bit lattice", normal, program=tuple(program))
    return Plan(modal, "cut by cut", normal)


def explain_part(node: Modal | Question, processes: Sequence[str]) -> tuple[str, str]:
    """The engine that answers a part of a property, and a sentence on why."""
    if isinstance(node, Modal):
        plan = plan_modal(node)
        return plan.engine, plan.why(processes)
    return node.explain(processes)


def parts_of(node: Property) -> Iterator[Modal | Question]:
    """The parts of a property that ask something of the lattice, from left to right."""
    if isinstance(node, (Modal, Question)):
        yield node
    elif isinstance(node, PropertyNot):
        yield from parts_of(node.operand)
    else:
        for operand in node.operands:
            yield from parts_of(operand)


def name_of(node: Modal | Question) -> str:
    """What a part of a property is called, for messages."""
    return node.kind if isinstance(node, Modal) else node.name
