"""Fuzz everything that strangers can send: `make fuzz MINUTES=60`, or one target by `--target log`.

With atheris (`pip install 'latwin[fuzz]'`) inputs are guided by coverage, and kept in build/fuzz; without it they are
random mutations of right ones. The targets, and what each may raise, are in tests/support/fuzz_targets.py.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))


def main() -> int:
    """Run all targets, or one, for so long each; 0 if nothing was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=12.0, help="for all targets together (default: %(default)s)")
    parser.add_argument("--target", help="only this one")
    parser.add_argument("--seed", type=int, default=1, help="for the mutations (default: %(default)s)")
    parser.add_argument("--guided", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.guided:
        _guided(given.target, given.minutes * 60)
    from fuzz_targets import targets

    if given.target is not None and given.target not in targets():
        parser.error(f"--target must be one of {', '.join(targets())}; got {given.target}")
    names = [given.target] if given.target else list(targets())
    seconds = given.minutes * 60 / len(names)
    found = 0
    for name in names:
        if find_spec("atheris") is not None:
            command = [sys.executable, __file__, "--guided", "--target", name, "--minutes", str(seconds / 60)]
            found += subprocess.run(command, check=False).returncode != 0
        else:
            found += _mutate(name, seconds, given.seed)
    print(f"{found} of {len(names)} targets failed" if found else f"nothing found in {len(names)} targets")
    return 1 if found else 0


def _mutate(name: str, seconds: float, seed: int) -> bool:
    """Try random mutations; whether one failed."""
    from fuzz_targets import targets
    from fuzzing import mutations, within

    target, end, number = targets()[name], time.monotonic() + seconds, 0
    for number, data in enumerate(mutations(target.seeds, random.Random(f"{seed} {name}")), start=1):
        try:
            with within():
                target.run(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
            _keep(name, data)
            print(f"{name}: input {number:,} (seed {seed}): {type(error).__name__}: {error}\n  {data!r}", flush=True)
            return True
        if time.monotonic() > end:
            break
    print(f"{name}: {number:,} inputs", flush=True)
    return False


def _keep(name: str, data: bytes) -> None:
    folder = ROOT / "build" / "fuzz" / "failures"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-{abs(hash(data)):x}").write_bytes(data)


def _guided(name: str, seconds: float) -> None:
    """Let atheris guide the inputs of one target; it ends the process, with its count of inputs and their rate."""
    import atheris

    import latwin.lattice.kernels

    for module in iter_modules(latwin.lattice.kernels.__path__, "latwin.lattice.kernels."):
        import_module(module.name)  # not to be watched: they are compiled
    with atheris.instrument_imports(include=["latwin"]):
        from fuzz_targets import targets

    target, corpus = targets()[name], ROOT / "build" / "fuzz" / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = [f"-max_total_time={int(seconds)}", "-timeout=60", "-max_len=20000", "-print_final_stats=1"]
    failures = ROOT / "build" / "fuzz" / "failures"
    failures.mkdir(parents=True, exist_ok=True)
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={failures}{os.sep}{name}-", str(corpus)], target.run)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
