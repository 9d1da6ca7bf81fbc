"""What questions mean, by brute force: CTL on every cut; patterns, linear time, probability on every observation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from hypothesis import strategies as st

from expressions import expressions
from latwin.properties import Expr, compile_condition, linear
from latwin.properties.ctl import (
    Formula,
    FormulaAnd,
    FormulaNot,
    FormulaOr,
    Next,
    Previous,
    Since,
    Temporal,
    Until,
)
from latwin.properties.linear import Linear, Operator
from latwin.properties.patterns import Chain, Choice, Pattern, Repeat, Step
from latwin.properties.probability import Likely
from latwin.properties.sequences import Matching
from latwin.properties.tree import TRUE, Question
from oracle import BruteForce

Cut = tuple[int, ...]


def answer(question: Question, lattice: BruteForce) -> bool:
    """A question's answer on a lattice; false on an empty one."""
    if not len(lattice):
        return False
    if isinstance(question, Temporal):
        return holds(question.formula, lattice)[lattice.cuts[-1 if question.looks_back else 0]]
    if isinstance(question, Linear):
        found = [satisfies(question, path, lattice) for path in observations(lattice)]
        return any(found) if question.kind == "possibly" else all(found)
    if isinstance(question, Matching):
        found = [occurs(question, path, lattice) for path in observations(lattice)]
        return any(found) if question.kind == "possibly" else all(found)
    assert isinstance(question, Likely)
    value, bound = probability(question.predicate, lattice), Fraction(question.bound)
    return {
        "<": value < bound,
        "<=": value <= bound,
        ">": value > bound,
        ">=": value >= bound,
        "==": value == bound,
        "!=": value != bound,
    }[question.op]


def condition_on(expr: Expr, lattice: BruteForce) -> dict[Cut, bool]:
    predicate = compile_condition(expr)
    return {cut: predicate(lattice.values_of(cut)) for cut in lattice.cuts}


def holds(formula: Formula, lattice: BruteForce) -> dict[Cut, bool]:
    """Every operator of CTL by its definition on a finite graph without circles."""
    cuts = lattice.cuts
    after = {cut: lattice.next_cuts(cut) for cut in cuts}
    before = {cut: [other for other in cuts if cut in after[other]] for cut in cuts}
    match formula:
        case FormulaNot(operand):
            return {cut: not value for cut, value in holds(operand, lattice).items()}
        case FormulaAnd(operands) | FormulaOr(operands):
            parts = [holds(operand, lattice) for operand in operands]
            join = all if isinstance(formula, FormulaAnd) else any
            return {cut: join(part[cut] for part in parts) for cut in cuts}
        case Next(paths, operand):
            inner = holds(operand, lattice)
            join = any if paths == "E" else all
            return {cut: join(inner[other] for other in after[cut]) for cut in cuts}
        case Previous(paths, operand):
            inner = holds(operand, lattice)
            join = any if paths == "E" else all
            return {cut: join(inner[other] for other in before[cut]) for cut in cuts}
        case Until(paths, hold, goal) | Since(paths, hold, goal):
            going, met = holds(hold, lattice), holds(goal, lattice)
            is_until = isinstance(formula, Until)
            neighbours = after if is_until else before
            found: dict[Cut, bool] = {}
            for cut in reversed(cuts) if is_until else cuts:
                next_ones = [found[other] for other in neighbours[cut]]
                onward = any(next_ones) if paths == "E" else bool(next_ones) and all(next_ones)
                found[cut] = met[cut] or (going[cut] and onward)
            return found
        case _:
            return condition_on(formula, lattice)


def observations(lattice: BruteForce) -> Iterator[list[Cut]]:
    """All ways from the least to the greatest cut, one by one."""

    def onward(path: list[Cut]) -> Iterator[list[Cut]]:
        after = lattice.next_cuts(path[-1])
        if not after:
            yield path
        for cut in after:
            yield from onward([*path, cut])

    return onward([lattice.cuts[0]])


def satisfies(question: Linear, path: Sequence[Cut], lattice: BruteForce) -> bool:
    """Whether an observation satisfies a formula of linear time, asked where it is to be asked."""
    values = [lattice.values_of(cut) for cut in path]
    return holds_at(question.formula, values, len(path) - 1 if question.is_asked_at_the_end else 0)


def holds_at(formula: linear.Formula, values: Sequence[Any], at: int) -> bool:
    """Every operator of linear time by its definition, at one place of a finite sequence."""
    if not isinstance(formula, Operator):
        return compile_condition(formula)(values[at])

    def now(operand: linear.Formula, place: int = at) -> bool:
        return holds_at(operand, values, place)

    last = len(values) - 1
    future, past = range(at, last + 1), range(at, -1, -1)
    p, q = formula.operands[0], formula.operands[-1]
    match formula.word:
        case "not":
            return not now(p)
        case "and":
            return all(now(operand) for operand in formula.operands)
        case "or":
            return any(now(operand) for operand in formula.operands)
        case "implies":
            return not now(p) or now(q)
        case "next":
            return at < last and now(p, at + 1)
        case "eventually":
            return any(now(p, place) for place in future)
        case "always":
            return all(now(p, place) for place in future)
        case "until":
            return any(now(q, goal) and all(now(p, place) for place in range(at, goal)) for goal in future)
        case "weak_until":
            return all(now(p, place) for place in future) or now(Operator("until", (p, q)))
        case "previously":
            return at > 0 and now(p, at - 1)
        case "once":
            return any(now(p, place) for place in past)
        case "historically":
            return all(now(p, place) for place in past)
        case "since":
            return any(now(q, goal) and all(now(p, place) for place in range(goal + 1, at + 1)) for goal in past)


def occurs(question: Matching, path: Sequence[Cut], lattice: BruteForce) -> bool:
    """Whether the pattern matches some stretch of an observation, anchored as asked."""
    ends_of = matcher(question.pattern, path, lattice)
    begins = [0] if question.from_least else range(len(path) + 1)
    ends = {len(path)} if question.to_greatest else set(range(len(path) + 1))
    return any(ends_of(begin) & ends for begin in begins)


def matcher(pattern: Pattern, path: Sequence[Cut], lattice: BruteForce) -> Any:
    """begin -> all ends such that the pattern matches path[begin:end]."""
    match pattern:
        case Step(None):
            return lambda begin: {begin + 1} if begin < len(path) else set()
        case Step(condition):
            assert condition is not None
            predicate = compile_condition(condition)
            return lambda begin: (
                {begin + 1} if begin < len(path) and predicate(lattice.values_of(path[begin])) else set()
            )
        case Chain(parts):
            matchers = [matcher(part, path, lattice) for part in parts]

            def chained(begin: int) -> set[int]:
                places = {begin}
                for one in matchers:
                    places = set().union(*(one(place) for place in places))
                return places

            return chained
        case Choice(parts):
            matchers = [matcher(part, path, lattice) for part in parts]
            return lambda begin: set().union(*(one(begin) for one in matchers))
        case Repeat(inner, sign):
            once = matcher(inner, path, lattice)

            def repeated(begin: int) -> set[int]:
                if sign == "?":
                    return {begin, *once(begin)}
                places: set[int] = {begin} if sign == "*" else set()
                pending = [begin]
                tried: set[int] = set()
                while pending:
                    place = pending.pop()
                    if place not in tried:
                        tried.add(place)
                        further = once(place)
                        places |= further
                        pending.extend(further)
                return places

            return repeated


def probability(predicate: Expr, lattice: BruteForce) -> Fraction:
    """The fraction of observations that meet the predicate, by counting them."""
    label = condition_on(predicate, lattice)

    @cache
    def ways(cut: Cut, avoiding: bool) -> int:
        if avoiding and label[cut]:
            return 0
        after = lattice.next_cuts(cut)
        return sum(ways(other, avoiding) for other in after) if after else 1

    total = ways(lattice.cuts[0], False)
    return Fraction(total - ways(lattice.cuts[0], True), total)


# -- random ones -------------------------------------------------------------------------------------


def formulas(processes: int) -> st.SearchStrategy[Formula]:
    """Random formulas of CTL, nested."""
    paths = st.sampled_from(("E", "A"))

    def larger(part: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        several = st.lists(part, min_size=2, max_size=3).map(tuple)
        return st.one_of(
            st.builds(Next, paths, part),
            st.builds(Until, paths, part, part),
            st.builds(Until, paths, st.just(TRUE), part),
            st.builds(Previous, paths, part),
            st.builds(Since, paths, part, part),
            st.builds(Since, paths, st.just(TRUE), part),
            st.builds(FormulaNot, part),
            st.builds(FormulaAnd, several),
            st.builds(FormulaOr, several),
        )

    return larger(st.recursive(expressions(processes, max_leaves=3), larger, max_leaves=4))


def temporal(processes: int) -> st.SearchStrategy[Formula]:
    """Random formulas of CTL whose outermost operator is a temporal one, as that of every text."""
    paths, part = st.sampled_from(("E", "A")), formulas(processes)
    return st.one_of(
        st.builds(Next, paths, part),
        st.builds(Until, paths, part, part),
        st.builds(Previous, paths, part),
        st.builds(Since, paths, part, part),
    )


def linear_formulas(processes: int) -> st.SearchStrategy[Operator]:
    """Random formulas of linear time with an operator outside, over few conditions."""
    unary = st.sampled_from(("next", "eventually", "always", "previously", "once", "historically"))
    binary = st.sampled_from(("until", "weak_until", "since"))

    def larger(part: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        several = st.lists(part, min_size=2, max_size=3)
        return st.one_of(timed(part), part.map(linear.negate), several.map(linear.all_of), several.map(linear.any_of))

    def timed(part: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.one_of(
            st.builds(Operator, unary, st.tuples(part)),
            st.builds(Operator, binary, st.tuples(part, part)),
        )

    condition = st.lists(expressions(processes, max_leaves=2), min_size=1, max_size=3).flatmap(st.sampled_from)
    part = st.recursive(condition, larger, max_leaves=4)
    two = st.tuples(timed(part), part)
    return st.one_of(timed(part), two.map(lambda pair: linear.implies(*pair)), two.map(linear.all_of))


def patterns(processes: int) -> st.SearchStrategy[Pattern]:
    """Random patterns over few conditions."""
    condition = expressions(processes, max_leaves=2)
    step = st.lists(condition, min_size=1, max_size=3).flatmap(
        lambda few: st.builds(Step, st.sampled_from([*few, None]))
    )

    def larger(part: st.SearchStrategy[Pattern]) -> st.SearchStrategy[Pattern]:
        several = st.lists(part, min_size=2, max_size=3).map(tuple)
        return st.one_of(
            st.builds(Chain, several), st.builds(Choice, several), st.builds(Repeat, part, st.sampled_from("*+?"))
        )

    return st.recursive(step, larger, max_leaves=5)


def questions(processes: int) -> st.SearchStrategy[Question]:
    """Random questions of every kind."""
    modal = st.sampled_from(("possibly", "definitely"))
    return st.one_of(
        st.builds(Temporal, temporal(processes)),
        st.builds(Linear, modal, linear_formulas(processes)),
        st.builds(Matching, modal, patterns(processes), st.booleans(), st.booleans()),
        st.builds(
            Likely,
            expressions(processes, max_leaves=4),
            st.sampled_from(("<", "<=", ">", ">=", "==", "!=")),
            st.sampled_from((0.0, 0.25, 0.5, 1.0)),
        ),
    )
