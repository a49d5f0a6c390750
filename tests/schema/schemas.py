"""JSON Schema, as much of it as share/schemas uses: an unknown keyword is an error."""

from collections.abc import Iterator
from typing import Any

TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}
IGNORED = {"$schema", "$id", "$defs", "title", "description"}


class Schemas:
    """A schema with those that it holds."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.root = schema
        self._by_id = {schema["$id"]: schema}
        for part in schema.get("$defs", {}).values():
            if "$id" in part:
                self._by_id[part["$id"]] = part

    def complaints(self, value: Any) -> list[str]:
        """What is wrong with a value; each begins with its place."""
        return list(self._check(value, self.root, self.root, "$"))

    def _check(
        self, value: Any, schema: dict[str, Any], root: dict[str, Any], at: str
    ) -> Iterator[str]:
        if "$id" in schema:
            root = schema
        for keyword, wanted in schema.items():
            if keyword not in IGNORED:
                rule = getattr(self, "_" + keyword.removeprefix("$"))
                yield from rule(value, wanted, schema, root, at)

    def _ref(self, value: Any, target: str, _: Any, root: dict[str, Any], at: str) -> Iterator[str]:
        if target in self._by_id:
            yield from self._check(value, self._by_id[target], root, at)
        else:
            name = target.removeprefix("#/$defs/")
            yield from self._check(value, root["$defs"][name], root, at)

    def _type(self, value: Any, wanted: Any, *rest: Any) -> Iterator[str]:
        names = [wanted] if isinstance(wanted, str) else wanted
        if isinstance(value, bool):
            fits = "boolean" in names
        else:
            fits = any(isinstance(value, TYPES[name]) for name in names)
        if not fits:
            yield f"{rest[-1]}: {value!r:.60} is no {wanted}"

    def _const(self, value: Any, wanted: Any, *rest: Any) -> Iterator[str]:
        if value != wanted:
            yield f"{rest[-1]}: {value!r:.60} is not {wanted!r}"

    def _enum(self, value: Any, wanted: list[Any], *rest: Any) -> Iterator[str]:
        if value not in wanted:
            yield f"{rest[-1]}: {value!r:.60} is none of {wanted}"

    def _anyOf(self, value: Any, choices: Any, _: Any, root: Any, at: str) -> Iterator[str]:
        failed = [list(self._check(value, choice, root, at)) for choice in choices]
        if all(failed):
            yield failed[0][0]

    def _properties(self, value: Any, wanted: Any, schema: Any, root: Any, at: str) -> Iterator[str]:
        if not isinstance(value, dict):
            return
        others = schema.get("additionalProperties", True)
        for name, part in value.items():
            if name in wanted:
                yield from self._check(part, wanted[name], root, f"{at}.{name}")
            elif others is False:
                yield f"{at}: the schema has no {name!r}"

    def _additionalProperties(
        self, value: Any, wanted: Any, schema: Any, root: Any, at: str
    ) -> Iterator[str]:
        if isinstance(wanted, dict):
            for name in value.keys() - schema.get("properties", {}).keys():
                yield from self._check(value[name], wanted, root, f"{at}.{name}")

    def _required(self, value: Any, names: list[str], *rest: Any) -> Iterator[str]:
        for name in names:
            if isinstance(value, dict) and name not in value:
                yield f"{rest[-1]}: {name!r} is missing"

    def _items(self, value: Any, wanted: Any, _: Any, root: Any, at: str) -> Iterator[str]:
        for index, item in enumerate(value if isinstance(value, list) else []):
            yield from self._check(item, wanted, root, f"{at}[{index}]")
