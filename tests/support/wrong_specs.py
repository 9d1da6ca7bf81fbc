"""Wrong specifications, one of every kind: the text, the place that is told (line, column), and the message."""

from __future__ import annotations

WrongSpec = tuple[str, tuple[int, int], str]

SYSTEM = 'processes = ["phone", "rfid"]\nwindow = 4\n'

#: texts that are no TOML
NO_TOML: list[WrongSpec] = [
    # A bare word where a string was meant.
    ("delivery = causal", (1, 12), '`causal` is no value; strings stand in quotes: write delivery = "causal"'),
    ("[initial]\n'a b' = on # why", (2, 9), "`on` is no value; strings stand in quotes: write 'a b' = \"on\""),
    ("never = [stuck]", (1, 10), '`stuck` is no value; strings stand in quotes: write "stuck"'),
    ("initial = { a = on }", (1, 17), '`on` is no value; strings stand in quotes: write "on"'),
    ("delivery = at once", (1, 12), '`at once` is no value; strings stand in quotes: write delivery = "at once"'),
    ("x = falsey", (1, 5), '`falsey` is no value; strings stand in quotes: write x = "falsey"'),
    ("x = infinite", (1, 5), '`infinite` is no value; strings stand in quotes: write x = "infinite"'),
    ("on = True", (1, 6), "`True` is written in lower case: true"),
    ("x = ‘a’", (1, 5), 'strings stand in straight quotes: "text"'),  # noqa: RUF001
    # Something is missing, or there is too much.
    ("window =", (1, 9), "a value is missing after `=`"),
    ("window = # later", (1, 10), "a value is missing after `=`"),
    ("window = 4 states", (1, 12), "expected the end of the line after `window = 4`; got `states`"),
    ("window = 4;", (1, 11), "expected the end of the line after `window = 4`; got `;`"),
    ("window: 4", (1, 7), "write `=` instead of `:` between a name and its value"),
    ("window 4", (1, 8), "expected `=` and a value after `window`"),
    (
        "first name = 3",
        (1, 1),
        'a name of other characters than letters (a-z), digits, _ and - stands in quotes: "first name" = ...',
    ),
    ("never = [", (1, 10), "expected a value or `]`"),
    ('a = ["x" "y"]', (1, 10), "expected `,` or `]` after a value of a list"),
    ('a = ["x",\n"y"\nb = 3', (3, 1), "expected `,` or `]` after a value of a list"),
    ('a = 1\nx = "abc\n', (2, 5), "this string is never closed"),
    ("x = 'abc", (1, 5), "this string is never closed"),
    (
        'text = "a\\d"',
        (1, 12),
        "unknown escape; in \"...\" a backslash is written \\\\, and in '...' it stands for itself",
    ),
    # The same name twice.
    ("window = 4\n\nwindow = 5", (3, 1), "`window` is given twice, first in line 1"),
    ("[states]\n[initial]\n[states]", (3, 2), "`states` is given twice, first in line 1"),
    ("initial = { a = 1, a = 2 }", (1, 20), "`initial.a` is given twice, first in line 1"),
    ("[states]\na = 'x'\n'a' = 'y'", (3, 1), "`states.a` is given twice, first in line 2"),
    # Everything else in the parser's words.
    ("a.b = 1\na = 2", (2, 6), "not valid TOML: cannot overwrite a value"),
    ("= 3", (1, 1), "not valid TOML: invalid statement"),
    ("x = {", (1, 6), "not valid TOML: invalid initial character for a key part"),
    ("x = ]", (1, 5), "not valid TOML: invalid value"),
]

#: TOML that is no specification
NO_SPEC: list[WrongSpec] = [
    # Names.
    (SYSTEM + "windows = 3", (3, 1), "unknown field `windows`; did you mean `window`?"),
    ('process = ["a"]\nwindow = 3', (1, 1), "unknown field `process`; did you mean `processes`?"),
    (SYSTEM + "[Properties]", (3, 2), "unknown field `Properties`; did you mean `properties`?"),
    (
        SYSTEM + "colour = 3",
        (3, 1),
        "unknown field `colour`; the fields are processes, window, properties, states, roles, initial, delivery, "
        "synchrony, lateness, max_jump, forget_after, max_waiting, waiting_policy, max_cuts, never, variables",
    ),
    (SYSTEM + "[variables]\ntexts = 'a'", (4, 1), "unknown field `variables.texts`; did you mean `text`?"),
    (
        SYSTEM + "[initial]\nphon = {}",
        (4, 1),
        "`initial` names the unknown process 'phon'; did you mean 'phone'?",
    ),
    (
        'processes = ["phone"]\nwindow = { projector = 3 }',
        (2, 12),
        "`window` names the unknown process 'projector'; processes are 'phone'",
    ),
    (
        SYSTEM + "never = ['stack']\n[properties]\nstuck = 'possibly(phone.x)'",
        (3, 1),
        "`never` names the unknown property 'stack'; did you mean 'stuck'?",
    ),
    (SYSTEM + "never = ['stuck']", (3, 1), "`never` names the unknown property 'stuck'; properties are none"),
    # A field that slipped into a table.
    (
        SYSTEM + "[properties]\np = 'possibly(phone.x)'\nnever = ['p']",
        (5, 1),
        '`properties.never` must be a string; got ["p"]; to be the field `never`, it must stand above the first '
        "[table]",
    ),
    (
        SYSTEM + "[initial]\nvariables = {}",
        (4, 1),
        "`initial` names the unknown process 'variables'; to be the field `variables`, it must stand above the first "
        "[table]",
    ),
    # Kinds of values.
    (
        'processes = "phone"\nwindow = 4',
        (1, 1),
        '`processes` must be a list of one or more strings, "open" or a table; got "phone"',
    ),
    (
        "processes = []\nwindow = 4",
        (1, 1),
        '`processes` must be a list of one or more strings, "open" or a table; got []',
    ),
    ('processes = ["a", 3]\nwindow = 4', (1, 1), "`processes[1]` must be a string that is not empty; got 3"),
    ('processes = ["a", ""]\nwindow = 4', (1, 1), '`processes[1]` must be a string that is not empty; got ""'),
    (
        'processes = ["a"]\nwindow = 2.5',
        (2, 1),
        '`window` must be a whole number from 1 to 16,384, a duration such as "5m", "unlimited" or a table; got 2.5',
    ),
    (
        'processes = ["a"]\nwindow = "4"',
        (2, 1),
        '`window` must be a whole number from 1 to 16,384, a duration such as "5m", "unlimited" or a table; got "4"',
    ),
    (
        'processes = ["a"]\n[window]\na = 0',
        (3, 1),
        '`window.a` must be a whole number from 1 to 16,384, a duration such as "5m", "unlimited" or a table; got 0',
    ),
    (SYSTEM + "[properties]\np = 3", (4, 1), "`properties.p` must be a string; got 3"),
    (SYSTEM + "states = ['a']", (3, 1), '`states` must be a table of strings; got ["a"]'),
    (SYSTEM + "initial = 3", (3, 1), "`initial` must be a table of tables; got 3"),
    (SYSTEM + "initial.phone = true", (3, 1), "`initial.phone` must be a table; got true"),
    (
        SYSTEM + 'delivery = "casual"',
        (3, 1),
        '`delivery` must be "causal" or "fifo"; got "casual"; did you mean "causal"?',
    ),
    (SYSTEM + "waiting_policy = true", (3, 1), '`waiting_policy` must be "fail" or "skip"; got true'),
    (SYSTEM + "synchrony = 5", (3, 1), "`synchrony` must be a string; got 5"),
    (
        SYSTEM + 'synchrony = "5 parsecs"',
        (3, 1),
        "`synchrony` must be a duration with its unit (us, ms, s, m or min, h, d), such as '500ms', or '0'; got "
        "'5 parsecs'",
    ),
    (
        'processes = ["a"]\nwindow = "0s"',
        (2, 1),
        '`window` must be a duration longer than 0, such as "5m"; got "0s"',
    ),
    (
        'processes = ["a", "b"]\n[window]\na = 3\nb = { time = "5 minutes" }',
        (4, 7),
        '`window.b.time` must be a duration such as "5m"; got "5 minutes"',
    ),
    (
        'processes = ["a"]\nwindow = { time = "5m", states = "5m" }',
        (2, 25),
        '`window.states` must be a whole number; got "5m"',
    ),
    (
        'processes = ["a"]\nwindow = { states = 5 }',
        (2, 12),
        '`window.time` is missing; give a duration such as "5m"',
    ),
    (
        'processes = ["a"]\nwindow.a = { states = 5 }',
        (2, 1),
        '`window.a.time` is missing; give a duration such as "5m"',
    ),
    (
        SYSTEM + 'lateness = "soon"',
        (3, 1),
        "`lateness` must be a duration with its unit (us, ms, s, m or min, h, d), such as '500ms', or '0'; got "
        "'soon'",
    ),
    (
        SYSTEM + 'max_jump = "far"',
        (3, 1),
        "`max_jump` must be a duration with its unit (us, ms, s, m or min, h, d), such as '500ms', or '0', or "
        "'unlimited'; got 'far'",
    ),
    (
        SYSTEM + 'max_cuts = "many"',
        (3, 1),
        '`max_cuts` must be a whole number from 1 to 137,438,953,472; got "many"',
    ),
    (
        SYSTEM + "max_waiting = false",
        (3, 1),
        "`max_waiting` must be a whole number from 0 to 1,000,000,000; got false",
    ),
    (SYSTEM + "never = 'p'", (3, 1), '`never` must be a list of strings; got "p"'),
    (SYSTEM + "variables = ['x']", (3, 1), '`variables` must be a table; got ["x"]'),
    (SYSTEM + "variables.text = 3", (3, 1), "`variables.text` must be a string or a list of strings; got 3"),
    (
        SYSTEM + "[variables]\nfields = { a = 3 }",
        (4, 12),
        "`variables.fields.a` must be a string; got 3",
    ),
    # What only the whole can tell.
    ('processes = ["a", "a"]\nwindow = 4', (1, 1), "process 'a' is listed twice in `processes`"),
    ('processes = ["a", "b"]\nwindow.a = 4', (2, 1), "`window` lacks a size for process 'b'"),
    (
        SYSTEM + "[states]\nany = 'phone.x'",
        (4, 1),
        "`states`: 'any' must be an identifier, and no keyword of properties",
    ),
    (SYSTEM + "[states]\nphone = 'phone.x'", (4, 1), "`states`: 'phone' is the name of a process"),
    (SYSTEM + "[roles]\nphone = 'p*'", (4, 1), "`roles`: 'phone' is the name of a process"),
    (
        SYSTEM + "[roles]\non = 'p*'\n[states]\non = 'phone.x'",
        (4, 1),
        "`roles`: 'on' is the name of a named state",
    ),
    (
        SYSTEM + "[roles]\n'my-role' = 'p*'",
        (4, 1),
        "`roles`: 'my-role' must be an identifier, and no keyword of properties",
    ),
    (SYSTEM + "[roles]\nscreen = 'tv*'", (4, 1), "`roles.screen`: no process matches 'tv*'"),
    (SYSTEM + "[roles]\nscreen = []", (4, 1), "`roles.screen` must name one or more processes; got none"),
    (
        SYSTEM + "[roles]\nscreen = 3",
        (4, 1),
        "`roles.screen` must be a string or a list of strings; got 3",
    ),
    (
        SYSTEM + "[variables]\ntext = ['term=']",
        (4, 1),
        "`variables.text`: an expression needs a named group, such as (?<term>\\d+); got term=",
    ),
]
