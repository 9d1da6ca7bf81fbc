"""`latwin schema`: the JSON Schema of specifications, for editors."""

from __future__ import annotations

import json
import sys


def schema() -> None:
    """Print the JSON Schema of a spec, with which editors complete and check its TOML.

    For Taplo and Even Better TOML, save it, and begin the spec with the line `#:schema spec.schema.json`.
    """
    from latwin.fields import json_schema

    sys.stdout.write(json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")
