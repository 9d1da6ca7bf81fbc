"""One kernel that calls another through its address, so that neither contains the other's machine code.

Numba copies all that a kernel calls into its machine code, and optimises it there again. The kernel for runs of
slides would contain the engines of all kinds of questions, and everybody would wait for all of them to be compiled.
It is given their addresses instead (`address_of`), all of functions with the same parameters: `QUESTION`. A kind
that no property asks for is not compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import config, types
from numba.core.errors import TypingError
from numba.extending import intrinsic


def _array(element: Any, dimensions: int) -> Any:
    return types.Array(element, dimensions, "C")


def _group(*members: Any) -> Any:
    make: Any = types.BaseTuple.from_types
    return make(members)


_INT64S, _TABLE, _CUBE = (_array(types.int64, dimensions) for dimensions in (1, 2, 3))
_INT32S = _array(types.int32, 2)
_WORDS = _array(types.uint64, 1)
_ATOMS = _group(
    _array(types.uint8, 3),
    _TABLE,
    _INT64S,
    _array(types.uint8, 2),
    _TABLE,
    _array(types.uint8, 3),
    _array(types.float64, 3),
    _INT64S,
    _array(types.float64, 1),
)
_SUMS = _group(_TABLE, _TABLE, _TABLE)
#: what a function that answers a question takes; see `answers`
QUESTION: Any = types.int64(
    _CUBE,  # clocks
    _TABLE,  # ends
    _ATOMS,
    _SUMS,
    _group(  # Lattice
        _TABLE, _INT64S, _INT64S, _array(types.uint64, 2), _INT32S, _INT32S, _INT64S, _WORDS, _INT32S, _INT64S
    ),
    _INT64S,  # members
    _INT64S,  # data
    types.int64,  # wants_final
)
#: what the function takes that asks all of them; see `through`
QUESTIONS: Any = types.int64(
    _CUBE,  # clocks
    _TABLE,  # ends
    _ATOMS,
    _TABLE,  # questions
    _INT64S,  # data
    _SUMS,
    types.int64,  # max_cuts
    _array(types.uint8, 1),  # wanted
    _INT64S,  # answers
)

_IS_INTERPRETED = bool(vars(config)["DISABLE_JIT"])
_interpreted: list[Callable[..., int]] = []


def address_of(function: Any, signature: Any = QUESTION) -> int:
    """Where the machine code of a kernel with the parameters of `signature` begins; it is compiled if need be.

    Where nothing is compiled, a number that `call` knows it by; never 0.
    """
    if _IS_INTERPRETED:
        if function not in _interpreted:
            _interpreted.append(function)
        return _interpreted.index(function) + 1
    function.compile(signature.args)
    compiled = function.get_compile_result(signature)
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name))


def _caller(signature: Any) -> Any:
    """What calls the function at an address; the arguments must have exactly the types of `signature`."""
    if _IS_INTERPRETED:
        return lambda address, arguments: _interpreted[address - 1](*arguments)

    @intrinsic
    def call(typing_context: Any, address: Any, arguments: Any) -> Any:
        del typing_context
        given = tuple(arguments.types)
        wrong = [f"{one} for {other}" for one, other in zip(given, signature.args, strict=True) if one != other]
        if wrong:
            raise TypingError(f"a kernel is called through its address with other types: {', '.join(wrong)}")

        def generate(context: Any, builder: Any, own: Any, values: Any) -> Any:
            del own
            parameters = [context.get_value_type(each) for each in given]
            kind = ir.FunctionType(context.get_value_type(signature.return_type), parameters)
            function = builder.inttoptr(values[0], kind.as_pointer())
            return builder.call(function, [builder.extract_value(values[1], at) for at in range(len(given))])

        return signature.return_type(address, arguments), generate

    return call


call, call_for_all = _caller(QUESTION), _caller(QUESTIONS)
