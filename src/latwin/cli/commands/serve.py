"""`latwin serve`: the explorer's page, live over events as they come or over a pipeline's output."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated

import typer

from latwin.cli.inputs import STDIN, SpecArgument, load_spec
from latwin.cli.live_input import LiveInput
from latwin.cli.terminal import print_labelled
from latwin.errors import InvalidInput
from latwin.events.escaping import one_line, plain

if TYPE_CHECKING:
    from latwin.events import Envelope
    from latwin.explorer.feed import Feed
    from latwin.spec import Spec


def serve(
    spec: SpecArgument,
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="JSON lines, followed as they grow; - is standard input; a log; or a pipeline's input or output.",
        ),
    ] = STDIN,
    *,
    given: LiveInput,
    group: Annotated[
        str | None, typer.Option("--group", metavar="NAME", help="Of events, only this group; else the first 100.")
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; only this machine reaches the default.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(min=0, max=65_535, metavar="N", help="0 takes a free one.")] = 8765,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
) -> None:
    """Serve the explorer's page, live; Ctrl-C ends.

    JSON lines are followed as they grow; a log of another format, or a compressed file, is read once.

    Over a pipeline's input folder (JSON lines, also gzipped) it shows everything, from local monitors that say what
    the pipeline says of the order of arrival that the folder tells. Of events without `arrival` that may be another
    order where the pipeline cut its batches differently. Over its output folder it shows all groups, the worst first,
    and the verdicts and counters of each.
    """
    loaded = load_spec(spec)
    with _open_feed(loaded, source, given, group) as feed:
        from latwin.explorer.page import header_of, title_of
        from latwin.explorer.server import ExplorerServer

        name = plain(Path(source).name) if source != STDIN else "stdin"
        is_system = feed.system("") is not None
        header = header_of(loaded, source=name, title=title_of(str(spec)), live=True, system=is_system)
        try:
            server = ExplorerServer(feed, header, host=host, port=port)
        except OSError as error:
            reason = error.strerror or str(error)
            raise InvalidInput(f"cannot serve on {host}, port {port}: {reason}; --port 0 takes a free one") from None
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        typer.echo(f"{server.url} shows {one_line(source)}; Ctrl-C ends")
        if show:
            webbrowser.open(server.url)
        is_told = False
        try:
            feed.run()
            is_told = _tell_doubts(feed)
            Event().wait()  # the input ended; what came can still be looked at
        except KeyboardInterrupt:
            pass
        finally:
            server.shutdown()
            server.server_close()
            if not is_told:
                _tell_doubts(feed)


def _tell_doubts(feed: Feed) -> bool:
    """What may mislead about the answers; True."""
    for doubt in feed.doubts():
        print_labelled("note: ", "bold yellow", doubt)
    return True


@contextmanager
def _open_feed(spec: Spec, source: str, given: LiveInput, group: str | None) -> Iterator[Feed]:
    from latwin.explorer.feed import EventFeed
    from latwin.explorer.outputs import OutputFeed, is_output

    if source != STDIN and is_output(Path(source)):
        if find_spec("pyarrow") is None:
            raise InvalidInput("to read a pipeline's output, pyarrow is needed: pip install 'latwin[spark]'")
        yield OutputFeed(spec, Path(source))
        return
    with given.open(source, spec) as events:
        envelopes = (line.envelope for line in events.lines)
        yield EventFeed(spec, envelopes, only=group, tell=lambda envelope, why: _note(events.name, envelope, why))


def _note(place: str, envelope: Envelope, text: str) -> None:
    line = "" if envelope.line is None else f":{envelope.line}"
    print_labelled("note: ", "bold yellow", f"{place}{line}: {text}")
