"""The committed figures: what is kept of a measurement, and whether another one is worse."""

from __future__ import annotations

import json
from typing import Any

from tools.environment import ROOT

FILE = ROOT / "tests" / "figures.json"
TOLERANCE = 0.1
SIZE_SLACK_BYTES = 128
"""A module may grow by this much whatever its size; all of them together only by TOLERANCE."""

_MORE_IS_BETTER = ("free", "largest", "_per_s", "_per_s_ratio")
_KEPT_TIMES = ("_ratio", "turns_per_s")


def of_device(found: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a Pico's figures (tools.benches.device.ratios): counts and bytes as they are, of times only the
    ratio to the calibration loop."""
    kept: dict[str, Any] = {}
    for name, value in found.items():
        if name in ("image", "calibration_us", "import_ms"):
            continue
        if isinstance(value, dict):
            kept[name] = of_device(value)
        elif name.endswith(_KEPT_TIMES) or (
            isinstance(value, int) and not name.endswith(("_ms", "_us", "_per_s", "_real"))
        ):
            kept[name] = value
    return kept


def _flat(figures: dict[str, Any], before: str = "") -> dict[str, float]:
    out: dict[str, float] = {}
    for name, value in figures.items():
        path = f"{before}{name}"
        out |= _flat(value, path + ": ") if isinstance(value, dict) else {path: value}
    return out


def worse(measured: dict[str, Any], committed: dict[str, Any], slack: float = 0) -> list[str]:
    """A line for each figure of `committed` that `measured` has and that is worse by more than TOLERANCE (and, where
    less is better, by more than `slack`). What is 0 stays 0."""
    now, before = _flat(measured), _flat(committed)
    out = []
    for name, kept in before.items():
        if name not in now:
            continue
        value = now[name]
        if name.endswith(_MORE_IS_BETTER):
            bad = value < kept * (1 - TOLERANCE)
        else:
            bad = value > max(kept * (1 + TOLERANCE), kept + slack)
        if bad:
            out.append(f"{name}: {value}, was {kept}")
    return out


def read() -> dict[str, Any]:
    """The committed figures."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def _merged(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """`now` with what only `before` has."""
    out = before | now
    for name in before.keys() & now.keys():
        if isinstance(before[name], dict) and isinstance(now[name], dict):
            out[name] = _merged(before[name], now[name])
    return out


def write(image: dict[str, int], screen: dict[str, Any], device: dict[str, Any], whole: bool = True) -> None:
    """Keep these figures: bytes by module, bytes of each game's screen, and a Pico's. If they are not `whole`, what is
    not among them stays as it was, but for the image."""
    kept = {"screen": screen, "device": of_device(device)}
    if not whole:
        kept = _merged(read(), kept)
    FILE.write_text(json.dumps(kept | {"image": image}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
