"""docs/server.md lists every setting and metric, and names commands and options that exist."""

from __future__ import annotations

import json
import re

from docs.make_server import PAGE, page
from holecard.cli.app import _Commands
from holecard.server.audit.audit import Audit
from holecard.server.settings import ServerSettings

SERVER = PAGE.parents[1] / "src" / "holecard" / "server"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_tables_are_up_to_date() -> None:
    """This fails if a setting or a metric was changed without running `make docs`."""
    assert page() == TEXT


def test_settings_options_and_page_are_the_same() -> None:
    rows = re.findall(r"^\| `--([a-z-]+)` \| `(HOLECARD_[A-Z_]+)` \|", TEXT, flags=re.MULTILINE)
    options = {option.name: option for option in _Commands()["serve"].params if option.name != "no_open"}
    assert [name.replace("-", "_") for name, _ in rows] == list(ServerSettings.model_fields) == list(options)
    for name, variable in rows:
        assert options[name.replace("-", "_")].envvar == variable
        assert f"--{name}" in options[name.replace("-", "_")].opts


def test_every_command_and_option_on_the_page_exists() -> None:
    commands = _Commands()
    shown = "\n".join(re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL))
    found = re.findall(r"^holecard ([a-z-]+)(.*)$", shown, re.MULTILINE)
    assert {name for name, _ in found} == {"serve", "audit", "backup", "operator", "close-tables"}
    for name, words in found:
        known = {option for parameter in commands[name].params for option in parameter.opts}
        assert set(re.findall(r"--[a-z-]+", words.partition("#")[0])) <= known, f"{name}{words}"
    inline = set(re.findall(r"`(--[a-z-]+)`", TEXT))
    known = {option for name in commands for parameter in commands[name].params for option in parameter.opts}
    assert inline <= known


def test_every_event_of_the_log_is_listed_with_its_level() -> None:
    """The sources say what is logged."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in SERVER.rglob("*.py"))
    logged = {(event, level) for level, event in re.findall(r'\b_log\.(\w+)\(\s*"([^"]+)"', sources)}
    section = TEXT.partition("## Logs")[2].partition("\n## ")[0]
    assert logged == set(re.findall(r"^\| `([^`]+)` \| (\w+) \|", section, flags=re.MULTILINE))
    assert len(logged) == len(set(re.findall(r'_log\.\w+\(\s*"([^"]+)"', sources)))


def test_every_key_of_the_audit_is_documented() -> None:
    """In docs/json.md, in the order they are printed."""
    section = (PAGE.parent / "json.md").read_text(encoding="utf-8").partition("## `holecard audit --json`")[2]
    rows = re.findall(r"^\| (`.*?) \|", section, flags=re.MULTILINE)
    keys = [key for row in rows for key in re.findall(r"`(\w+)`", row)]
    assert keys == list(json.loads(Audit().to_json()))


def test_files_on_the_page_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+)", TEXT):
        assert (PAGE.parent / target).exists(), target


def test_every_test_that_the_security_page_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE.with_name("security.md").read_text(encoding="utf-8")))
    assert named - {path.stem for path in (PAGE.parents[1] / "tests").rglob("test_*.py")} == set()
    assert len(named) > 20
