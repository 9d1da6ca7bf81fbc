"""The text of a first spec for a log: what it must say, what was seen, and examples of what it could ask.

Everything in it comes from the log. Examples stand in comments, each as a line that becomes TOML without its `# `.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from latwin.cli.survey import MOST_VALUES, SeenVariable, Survey
from latwin.cli.window_choice import MOST_EVENTS, SMALL, Choice
from latwin.events.escaping import one_line
from latwin.events.variables import EVENT
from latwin.properties import And, Arithmetic, Compare, Expr, Literal, Modal, Not, Variable, show
from latwin.properties.tree import show_name

_WIDTH = 100
_MOST_EXAMPLES = 5
_LONGEST_EXAMPLE = 40
_MOST_GROUPS = 5
_MOST_VARIABLES = 100
#: numbers up to this are exact, and short, in a property
_LARGEST_NUMBER = 10**15
#: what a variable with so many values at most is for: to tell kinds of states apart
_FEW_VALUES = 20
_DEFAULT_WAITING = 10_000


def first_spec(name: str, seen: Survey, choice: Choice) -> str:
    """The spec as TOML, to be loaded as it is, and completed; `name` is the log's."""
    lines = [
        f"# A first specification for {one_line(name)}: {_number(seen.events, 'event')} of "
        f"{_number(len(seen.processes), 'process', 'processes')}.",
        *_about_groups(seen),
        "",
        "# The event sources, in order of appearance; their order is that of clocks and cuts.",
        *_list("processes", list(seen.processes)),
        "",
        *_window(choice),
        *_delivery(choice, seen),
        "",
        *_variables(seen),
    ]
    examples = _examples(seen)
    if examples:
        lines += [
            "",
            "# A property that must never come true; `latwin check` then exits with 1. It stands above all tables.",
            f"# never = [{toml_string(examples[0].name)}]",
        ]
    lines += ["", "[properties]"]
    for example in examples:
        lines += [f"# {example.meaning}", f"# {example.name} = {toml_string(example.text)}"]
    if not examples:
        lines.append("# No variables were seen, so there is nothing to ask yet.")
    return "\n".join(lines) + "\n"


def toml_string(text: str) -> str:
    """A text as a string of TOML that fits in a line, and in a comment.

    >>> print(toml_string('say "no"\\x7f'))
    "say \\"no\\"\\u007f"
    """
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(char if char.isprintable() else _escaped(char) for char in quoted)


def _escaped(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}"


def _about_groups(seen: Survey) -> Iterator[str]:
    if len(seen.groups) < 2:
        return
    names = [toml_string(group) for group in list(seen.groups)[:_MOST_GROUPS]]
    more = ", ..." if len(seen.groups) > _MOST_GROUPS else ""
    yield f"# The events are of {len(seen.groups):,} groups: {', '.join(names)}{more}. The spec is for all of them;"
    yield "# each group has windows, a lattice and verdicts of its own."


def _list(field: str, items: Sequence[str]) -> list[str]:
    """A list in one line, or in one line an item if it is long."""
    quoted = [toml_string(item) for item in items]
    whole = f"{field} = [{', '.join(quoted)}]"
    return [whole] if len(whole) <= _WIDTH else [f"{field} = [", *(f"    {item}," for item in quoted), "]"]


def _window(choice: Choice) -> Iterator[str]:
    """The size, the measurements, and the reason."""
    slides = max(trial.slides for trial in choice.trials)
    first = "the first " if slides == MOST_EVENTS else ""
    yield f"# The number of states kept of each process. Tried on {first}{_number(slides, 'slide')}:"
    for trial in choice.trials:
        size = (
            f"more than {SMALL:,} cuts in a lattice"
            if trial.largest is None
            else f"{_number(trial.largest, 'cut')} in the largest lattice, {trial.mean:,.1f} on average"
        )
        yield f"#   {trial.size:>2}: {size}"
    if not choice.is_small:
        yield f"# No window keeps every lattice at {SMALL:,} cuts or fewer; this is the smallest that was tried. A"
        yield "# conjunction of conditions on one process each needs no lattice, and stays quick."
    elif choice.trials[-1].largest is None:
        yield f"# {choice.size} is the largest of these that keeps every lattice at {SMALL:,} cuts or fewer: quick to"
        yield "# answer, and it remembers most."
    else:
        yield "# All lattices are small, so it is the largest that was tried: it remembers most."
    yield f"window = {choice.size}"


def _delivery(choice: Choice, seen: Survey) -> Iterator[str]:
    """Causal delivery, if the order of the log demands it."""
    if choice.refused is None:
        return
    yield ""
    yield "# A state waits until everything that it knows of was delivered: in the order of the log,"
    yield f"# {choice.refused.empty:,} of {_number(choice.refused.slides, 'slide')} had no consistent cut."
    yield f'delivery = "{choice.delivery}"'
    most = max(seen.groups.values())
    if most > _DEFAULT_WAITING:
        yield "# So many states may wait: all of the largest group."
        yield f"max_waiting = {most}"


def _variables(seen: Survey) -> Iterator[str]:
    """What each variable was, in comments."""
    if not seen.variables:
        yield "# Variables seen: none. [variables] says how events become states."
        return
    yield "# Variables seen, with their values:"
    shown = list(seen.variables.values())[:_MOST_VARIABLES]
    width = min(max(len(_name(variable)) for variable in shown), 40)
    for variable in shown:
        yield f"#   {_name(variable):<{width}}  {'; '.join(_values(variable))}"
    if len(seen.variables) > len(shown):
        yield f"#   and {len(seen.variables) - len(shown):,} more"
    if any(path == (EVENT,) for _, path in seen.variables):
        yield f"# `{EVENT}` is the text of an event; a table [variables] takes variables out of it."


def _name(variable: SeenVariable) -> str:
    return ".".join(show_name(name) for name in (variable.process, *variable.path))


def _values(variable: SeenVariable) -> Iterator[str]:
    """What values of each kind were seen."""
    if variable.truths:
        yield " or ".join("true" if value else "false" for value in variable.truths)
    if variable.numbers:
        kind = "whole numbers" if all(isinstance(value, int) for value in variable.numbers) else "numbers"
        least, largest = min(variable.numbers), max(variable.numbers)
        yield f"{least!r}" if least == largest else f"{kind} from {least!r} to {largest!r}"
    if variable.texts:
        shown = _fitting([_shortened(text) for text in list(variable.texts)[:_MOST_EXAMPLES]])
        more = len(variable.texts) - len(shown)
        many = f"{MOST_VALUES:,} or more" if len(variable.texts) == MOST_VALUES else f"{more:,} more"
        yield ", ".join(shown) + (f" and {many}" if more else "")
    yield from variable.others


def _fitting(shown: list[str]) -> list[str]:
    """The first of some texts that fit into a line, and at least one."""
    count = 1
    while count < len(shown) and len(", ".join(shown[: count + 1])) <= _WIDTH:
        count += 1
    return shown[:count]


def _shortened(text: str) -> str:
    return toml_string(text if len(text) <= _LONGEST_EXAMPLE else text[: _LONGEST_EXAMPLE - 3] + "...")


class _Example(NamedTuple):
    name: str
    text: str
    meaning: str


class _Condition(NamedTuple):
    """A condition that was true in some state of the log."""

    rank: int
    process: int
    expr: Expr


def _examples(seen: Survey) -> list[_Example]:
    """Three properties on the most telling variables, of two processes if there are two."""
    processes = list(seen.processes)
    best: dict[int, _Condition] = {}
    for variable in seen.variables.values():
        condition = _condition(variable, processes.index(variable.process))
        if condition is not None and (condition.process not in best or condition.rank < best[condition.process].rank):
            best[condition.process] = condition
    ordered = sorted(best.values(), key=lambda condition: (condition.rank, condition.process))
    if not ordered:
        return []
    first = ordered[0].expr
    both, other = (And((first, ordered[1].expr)), ordered[1].expr) if len(ordered) > 1 else (first, Not(first))
    after = f"possibly(seq({show(first, processes)}, any*, {show(other, processes)}))"
    third = _sum_example(seen) or _Example("in_order", after, "Could the one have been followed by the other?")
    return [
        _Example("perhaps", show(Modal("possibly", both), processes), "Could this have held at some moment?"),
        _Example(
            "surely",
            show(Modal("definitely", both), processes),
            "Did it hold at some moment, whatever the real order of the events was?",
        ),
        third,
    ]


def _condition(variable: SeenVariable, process: int) -> _Condition | None:
    """A condition on a variable, ranked by how well it tells states apart; None if its values can't be compared."""
    own = Variable(process, variable.path)
    if variable.truths:
        is_told = len(variable.truths) == 2
        return _Condition(0 if is_told else 3, process, own if True in variable.truths else Not(own))
    short = {text: count for text, count in variable.texts.items() if len(text) <= _LONGEST_EXAMPLE}
    if short:
        is_telling = 1 < len(variable.texts) <= _FEW_VALUES and len(variable.texts) < sum(variable.texts.values())
        rank = 1 if is_telling else 4
        rarest = min(short, key=short.__getitem__)
        return _Condition(rank, process, Compare("==", own, Literal(rarest)))
    ordered = sorted(value for value in variable.numbers if abs(value) <= _LARGEST_NUMBER)
    if ordered:
        rank = 2 if len(ordered) > 1 else 4
        return _Condition(rank, process, Compare(">=", own, Literal(ordered[len(ordered) // 2])))
    return None


def _sum_example(seen: Survey) -> _Example | None:
    """A bound on the sum of two processes' numbers of one name, such as the people in two rooms."""
    processes = list(seen.processes)
    known: dict[tuple[str, ...], SeenVariable] = {}
    for variable in seen.variables.values():
        other = known.setdefault(variable.path, variable)
        if other is variable or not _varies(variable) or not _varies(other):
            continue
        terms = [Variable(processes.index(each.process), each.path) for each in (other, variable)]
        largest = max(max(other.numbers), max(variable.numbers))
        total = Compare(">", Arithmetic("+", terms[0], terms[1]), Literal(largest))
        text = show(Modal("possibly", total), processes)
        return _Example("in_sum", text, "Could both together have been more than each was alone?")
    return None


def _varies(variable: SeenVariable) -> bool:
    """Whether it can be added, and changes."""
    return len(variable.numbers) > 1 and max(map(abs, variable.numbers)) <= _LARGEST_NUMBER


def _number(count: int, noun: str, plural: str | None = None) -> str:
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
