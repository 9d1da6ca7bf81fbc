"""`Judge`: the windows of one group and what the spec asks about them. What is held, and what holds.

A judge is made from a spec. When the rules change, a monitor makes a new one and hands the held states over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from latwin.delivery import GroupTime, notices
from latwin.detect import Context, KeptStates, PropertyDetector
from latwin.detect.compiled_runs import Tellings, compile_questions
from latwin.detect.seen import Seen
from latwin.events import Arrival, EventBatch
from latwin.lattice.window import Window
from latwin.model import Counters, Cut, SlideKind, Verdict, VerdictColumns, Verdicts
from latwin.slide import Slide, Watch
from latwin.spec import Spec


class Judge:
    """Holds the states in the windows, evaluates every property after a slide, and tells what changed."""

    def __init__(
        self,
        spec: Spec,
        *,
        observations: bool,
        on_slide: Callable[[Slide], object] | None,
        on_verdict: Callable[[Verdict], object] | None,
    ) -> None:
        self.spec = spec
        self.observations = observations
        self._on_verdict = on_verdict
        self.window = Window(len(spec.processes), spec.window, spec.processes, spec.window_time_s)
        #: the group's time; None if nothing needs it
        self.time = (
            GroupTime(len(spec.processes), lateness_s=spec.lateness_s, max_jump_s=spec.max_jump_s)
            if spec.keeps_time
            else None
        )
        self.kept = KeptStates(self.window, is_open=spec.open is not None)
        #: the seats that are taken, in the order of joining; None if the spec lists its processes
        self.order: list[int] | None = None
        self.context = Context(self.window, self.kept.atoms, spec.max_cuts)
        self.properties = [(name, PropertyDetector(tree, self.context)) for name, tree in spec.trees.items()]
        self.kept.atoms.compile()
        self.values: list[bool | None] = [False] * len(self.properties)
        #: whether the value is true, and a verdict said that it is final
        self.told_final = [False] * len(self.properties)
        #: the version of the rules, which verdicts carry
        self.rules = 1
        #: the processes whose windows grew by a change of rules, each with its oldest state then: until that leaves,
        #: or until the window has its size, it is not full
        self.growing: dict[int, int] = {}
        is_plain = spec.open is None and spec.synchrony_s is None and spec.variables is None and on_slide is None
        #: what the kernels need to answer runs of states; None if all properties are beyond them, or somebody watches
        self.in_kernels = (
            compile_questions(
                [each for _, each in self.properties],
                self.window,
                stops_to_tell=observations or on_verdict is not None,
            )
            if is_plain
            else None
        )
        self.seen = Seen(spec.expectations)
        for process, initial in enumerate(spec.initial):
            self.kept.add(process, 0, initial)
            self.seen.look(process, initial)
        self._watch = None
        if on_slide is not None:
            self._watch = Watch(on_slide, spec, self.context, self.kept, dict(self.properties))

    def named_values(self) -> dict[str, bool | None]:
        """Every property's latest value."""
        return {name: value for (name, _), value in zip(self.properties, self.values, strict=True)}

    def final_names(self) -> list[str]:
        """The properties that are true, and of which it was told that this is final."""
        return [name for (name, _), told in zip(self.properties, self.told_final, strict=True) if told]

    def is_growing(self) -> bool:
        """Whether some window that grew by a change of rules is not full yet."""
        if self.growing:
            window = self.window
            self.growing = {
                k: oldest
                for k, oldest in self.growing.items()
                if window.oldest(k) == oldest and len(window.states_of(k)) != window.sizes[k]
            }
        return bool(self.growing)

    def judge(
        self,
        kind: SlideKind,
        arrival: Arrival | None,
        time: Any,
        counters: Counters,
        every: bool,
        out: Verdicts,
        only: Iterable[int] | None = None,
    ) -> None:
        """Evaluate every property after a slide, and tell; `arrival` is the delivered state, if there is one.

        `time` is that of the arrival, or of a tick. With `only` these properties, by their numbers: nothing is to be
        told of the others.
        """
        counters.empty += self.window.is_empty
        self.context.slide()
        window, values, told_final = self.window, self.values, self.told_final
        process = None if arrival is None else self.spec.processes[arrival.process]
        index = None if arrival is None else arrival.index
        ends: tuple[Cut | None, Cut | None] | None = None  # the same for all that is told of this slide
        for k in range(len(self.properties)) if only is None else only:
            name, detector = self.properties[k]
            value = detector.evaluate()
            changed = value is not values[k]
            if value is None:
                counters.too_large += 1
                out.note(notices.too_large(name, process, index, window.product, self.spec.max_cuts))
            final = detector.is_final() if changed or every or (value and not told_final[k]) else None
            # Once for each stretch of slides at which it is true, whatever `every` is.
            becomes_final = value is True and final is True and (changed or not told_final[k])
            if changed or becomes_final:
                values[k], told_final[k] = value, becomes_final
            if changed or becomes_final or every:
                details = detector.details(observations=self.observations)
                ends = ends or (self._told(window.least), self._told(window.greatest))
                out.tell(
                    Verdict(
                        property=name,
                        value=value,
                        changed=changed,
                        slide=counters.slides,
                        kind=kind,
                        process=process,
                        index=index,
                        least=ends[0],
                        greatest=ends[1],
                        cuts=details.cuts,
                        witness=self._told_all(details.witness),
                        stretch=details.stretch,
                        final=final,
                        because=details.because,
                        time=time,
                        rules=self.rules,
                        growing=self.is_growing(),
                        members=self._members(),
                    )
                )
                if self._on_verdict is not None:
                    self._on_verdict(out[-1])

    def _members(self) -> tuple[str, ...] | None:
        return None if self.order is None else tuple([self.spec.processes[seat] for seat in self.order])

    def _told(self, cut: Cut | None) -> Cut | None:
        """A cut without the seats that nobody has."""
        return cut if cut is None or self.order is None else tuple([cut[seat] for seat in self.order])

    def _told_all(self, witness: Cut | tuple[Cut, ...] | None) -> Cut | tuple[Cut, ...] | None:
        if self.order is None or not witness:
            return witness
        first = witness[0]
        if isinstance(first, int):
            return self._told(cast(Cut, witness))
        return tuple([tuple([cut[seat] for seat in self.order]) for cut in cast("tuple[Cut, ...]", witness)])

    def show(self, kind: SlideKind, arrival: Arrival | None, time: Any, counters: Counters) -> None:
        """Show the slide to whoever watches."""
        if self._watch is not None:
            self._watch.spec = self.spec
            self._watch.show(kind, arrival, time, self.named_values(), counters)

    def take_over(self, tellings: Tellings) -> None:
        """Take what the kernels found for the present values."""
        for number, value, final in zip(tellings.properties, tellings.values, tellings.final, strict=True):
            self.values[number], self.told_final[number] = value, value and final

    def verdicts(self, tellings: Tellings, batch: EventBatch, first: int, slides: list[int]) -> VerdictColumns:
        """What the kernels found, in full; rows count from `first` on, and `slides` are the numbers of the slides."""
        rows = [first + row for row in tellings.rows]
        names, processes = [name for name, _ in self.properties], [batch.processes.item(row) for row in rows]
        return VerdictColumns(
            property=[names[number] for number in tellings.properties],
            value=tellings.values,
            changed=tellings.changed,
            slide=slides,
            process=[self.spec.processes[process] for process in processes],
            index=[batch.clocks.item(row, process) for row, process in zip(rows, processes, strict=True)],
            least=tellings.least,
            greatest=tellings.greatest,
            witness=tellings.witness,
            final=tellings.final,
            because=tellings.because,
            time=[batch.times[row] for row in rows],
            rules=[self.rules] * len(rows),
        )

    def state_of(self, process: int, number: int) -> Any:
        """The variables of the state in the window of a process that has this number."""
        return self.kept.rings[process][self.window.place(number)]
