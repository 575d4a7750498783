"""Makes the completion of bash, zsh and fish from the program's own parser: it offers what can be typed.

.venv/bin/python .ci/completion.py docs/completion
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from typed_words import Entry, commands, entries

from tunewiz.catalogue import recommendations
from tunewiz.commands.options import whole_parser
from tunewiz.knowledge.peers import peer_names
from tunewiz.knowledge.profiles import demo_names
from tunewiz.knowledge.studies import load_studies

BY_HAND = "# Made from the program's parser (make docs), not by hand.\n"
FILES, FOLDERS = ("FILE", "PLAN", "PROOF", "BEFORE", "AFTER"), ("DIR", "BUNDLE", "HOST")
TIMES = "60s 10min 1h"
LISTS = {
    "--demo": f"printf '%s\\n' {' '.join(demo_names())}",
    "--remove": "tunewiz sessions 2>/dev/null | sed -n 's/^\\([^ ][^ ]*\\) .*/\\1/p'",
    "--with": f"printf '%s\\n' {' '.join(peer_names())}",
    "STUDY": f"printf '%s\\n' {' '.join(load_studies())}",
    "ID": f"printf '%s\\n' {' '.join(recommendation.id for recommendation in recommendations())}",
}
"""Commands that list the values, one a line. What comes with the program is listed here, as its options are:
nobody waits for a program that starts. Only sessions are asked of it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """What a command takes; the wizard's own has no name."""

    command: str
    about: str
    entries: tuple[Entry, ...]

    @property
    def options(self) -> tuple[str, ...]:
        """All names of options."""
        return tuple(name for entry in self.entries for name in entry.names)


def taken(parser: ArgumentParser) -> tuple[Taken, ...]:
    """The wizard, then the commands."""
    result = {"": parser, **commands(parser)}
    return tuple(
        Taken(command=name, about=(entry.description or "").removesuffix("."), entries=entries(entry))
        for name, entry in result.items()
    )


def listed(entry: Entry) -> str:
    """The command that lists the values of an entry; empty where there is none."""
    return next((LISTS[key] for key in (*entry.names, entry.takes) if key in LISTS), "")


# bash


def bash(known: Sequence[Taken]) -> Iterator[str]:
    """A function that bash calls for `tunewiz`."""
    names = " | ".join(_typed_after(item) for item in known if item.command)
    valued = " | ".join(sorted({name for item in known for e in item.entries if e.takes for name in e.names}))
    yield f"# shellcheck shell=bash\n{BY_HAND}"
    yield "_tunewiz() {"
    yield "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}"
    yield "    local command='' value='' each"
    yield '    for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do'
    yield '        if [[ -n $value ]]; then value="" && continue; fi'
    yield "        case $each in"
    yield f"            {valued}) value=$each && continue ;;"
    yield "        esac"
    yield '        case "$command $each" in'
    yield f'            {names}) command="${{command:+$command }}$each" ;;'
    yield "        esac"
    yield "    done"
    yield "    case $command:$before in"
    for entry in known:
        yield from _bash_values(entry)
    yield "    esac"
    yield "    case $command in"
    for entry in known:
        yield from _bash_words(entry, " ".join(_below(entry.command, known)))
    yield "    esac"
    yield "}"
    yield "complete -F _tunewiz tunewiz"


def _typed_after(entry: Taken) -> str:
    """As a pattern: the command before, a blank, the word."""
    before, _, word = entry.command.rpartition(" ")
    return f"'{before} {word}'"


def _below(command: str, known: Sequence[Taken]) -> Iterator[str]:
    """The words of the commands directly below one."""
    for entry in known:
        before, _, word = entry.command.rpartition(" ")
        if word and before == command:
            yield word


def _bash_values(item: Taken) -> Iterator[str]:
    for entry in item.entries:
        if entry.takes and entry.names:
            pattern = " | ".join(f"'{item.command}:{name}'" for name in entry.names)
            yield f"        {pattern}) {_bash_reply(entry)} && return ;;"


def _bash_words(item: Taken, names: str) -> Iterator[str]:
    unnamed = [_bash_reply(entry) for entry in item.entries if not entry.names]
    words = " ".join((*item.options, *filter(None, (names,))))
    offered = f"mapfile -t COMPREPLY < <(compgen -W '{words}' -- \"$word\")"
    yield f"        '{item.command}')"
    if unnamed:
        yield f"            if [[ $word != -* ]]; then {unnamed[0]} && return; fi"
    yield f"            {offered} ;;"


def _bash_reply(entry: Entry) -> str:
    if command := listed(entry):
        how = f'-W "$({command})"'
    elif entry.takes in FILES:
        how = "-f"
    elif entry.takes in FOLDERS:
        how = "-d"
    else:
        how = f"-W '{TIMES if entry.takes == 'TIME' else ''}'"
    names = "compopt -o filenames && " if how in {"-f", "-d"} else ""
    return f'{names}mapfile -t COMPREPLY < <(compgen {how} -- "$word")'


# zsh


def zsh(known: Sequence[Taken]) -> Iterator[str]:
    """A function that zsh finds by its file's name."""
    wizard, *others = known
    yield f"#compdef tunewiz\n{BY_HAND}"
    yield "_tunewiz_listed() {"
    yield '    local -a found=(${(f)"$(eval $1)"})'
    yield "    compadd -a found"
    yield "}"
    yield "_tunewiz() {"
    yield "    local curcontext=$curcontext state line"
    yield "    _arguments -C \\"
    yield from _zsh_entries(wizard, "        ")
    yield "        '1:command:->command' '*::argument:->argument'"
    yield "    case $state in"
    yield "        command)"
    yield "            local -a known=("
    top = [other for other in others if " " not in other.command]
    yield from (f"                {_quoted(f'{other.command}:{other.about}')}" for other in top)
    yield "            )"
    yield "            _describe command known ;;"
    yield "        argument)"
    yield "            case $line[1] in"
    for other in top:
        yield f"                {other.command})"
        yield from _zsh_command(other, known)
    yield "            esac ;;"
    yield "    esac"
    yield "}"
    yield '_tunewiz "$@"'


def _zsh_command(entry: Taken, known: Sequence[Taken]) -> Iterator[str]:
    below = [other for other in known if other.command.startswith(f"{entry.command} ")]
    yield f"                    _arguments {'-C ' if below else ''}\\"
    yield from _zsh_entries(entry, "                        ")
    if not below:
        yield "                        && return ;;"
        return
    words = " ".join(other.command.rpartition(" ")[2] for other in below)
    yield f"                        '1:command:({words})' '*::argument:->below'"
    yield "                    case $line[1] in"
    for other in below:
        yield f"                        {other.command.rpartition(' ')[2]})"
        yield "                            _arguments \\"
        yield from _zsh_entries(other, "                                ")
        yield "                                && return ;;"
    yield "                    esac ;;"


def _zsh_entries(item: Taken, indent: str) -> Iterator[str]:
    for entry in item.entries:
        value = f":{entry.takes}:{_zsh_values(entry)}" if entry.takes else ""
        about = entry.about.replace("[", r"\[").replace("]", r"\]").replace(":", r"\:")
        for name in entry.names:
            yield f"{indent}{_quoted(f'{name}[{about}]{value}')} \\"
        if not entry.names:
            yield f"{indent}{_quoted(f'*{value}')} \\"


def _zsh_values(entry: Entry) -> str:
    if command := listed(entry):
        # In an action of _arguments a colon ends nothing, and quotes are taken off once.
        return f"{{_tunewiz_listed {_quoted(command)}}}"
    if entry.takes in FOLDERS:
        return "_files -/"
    if entry.takes in FILES:
        return "_files"
    return f"({TIMES})" if entry.takes == "TIME" else " "


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# fish


def fish(known: Sequence[Taken]) -> Iterator[str]:
    """A line for each word."""
    yield BY_HAND + "complete -c tunewiz -f"
    for item in known:
        when = _fish_when(item.command)
        if item.command:
            before, _, word = item.command.rpartition(" ")
            first = _fish_first(before, known)
            yield f"complete -c tunewiz -n {first} -a {word} -d {_for_fish(item.about)}"
        for entry in item.entries:
            parts = [f"-{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in entry.names]
            values = [_fish_values(entry)] if entry.takes else []
            about = [f"-d {_for_fish(entry.about)}"] if entry.names else []
            yield " ".join(("complete -c tunewiz -n", _for_fish(when), *parts, *values, *about))


def _fish_when(command: str) -> str:
    """The condition under which a command's options are offered."""
    observation = [f"__fish_seen_subcommand_from {word}" for word in command.split()]
    return "; and ".join(observation) or "__fish_use_subcommand"


def _fish_first(before: str, known: Sequence[Taken]) -> str:
    """The condition under which a word is offered as the next command."""
    if not before:
        return "__fish_use_subcommand"
    return _for_fish(
        f"{_fish_when(before)}; and not __fish_seen_subcommand_from {' '.join(_below(before, known))}"
    )


def _fish_values(entry: Entry) -> str:
    takes = "-x " if entry.names else ""
    if command := listed(entry):
        return f"{takes}-a {_for_fish(f'({command})')}"
    if entry.takes in FOLDERS:
        return f"{takes}-a '(__fish_complete_directories)'"
    if entry.takes in FILES:
        return "-r -F"
    return f"{takes}-a '{TIMES}'" if entry.takes == "TIME" else takes.strip()


def _for_fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def main() -> None:
    """Write the three files."""
    folder, known = Path(sys.argv[1]), taken(whole_parser())
    for name, lines in (("tunewiz", bash(known)), ("_tunewiz", zsh(known)), ("tunewiz.fish", fish(known))):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
