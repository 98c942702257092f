"""Write every made table: `python3 -m tools.tables`."""

from pathlib import Path

from tools.tables import goats, horses, kings

GAMES = Path(__file__).resolve().parents[2] / "games"
TABLES = {
    GAMES / "goats" / "tables.py": goats.source,
    GAMES / "horses" / "tables.py": horses.source,
    GAMES / "kings" / "tables.py": kings.source,
}

if __name__ == "__main__":
    for path, source in TABLES.items():
        path.write_text(source(), encoding="utf-8")
