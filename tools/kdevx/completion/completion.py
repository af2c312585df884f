#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the completion for a shell: commands and options are those that --help tells.

usage: completion.py bash|zsh|fish KDEVX
"""

import re
import subprocess
import sys

BASH = r"""# bash completion for kdevx, made of its --help
_kdevx() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command= options i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case ${{COMP_WORDS[i]}} in
        {alternatives}) command=${{COMP_WORDS[i]}}; break ;;
        esac
    done
    case $before in
    --device) COMPREPLY=($(compgen -W "$(ls /sys/class/infiniband 2>/dev/null)" -- "$word")); return ;;
    esac
    case $command in
{cases}
    *) options="{commands} {general}" ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$word"))
}}
complete -o default -F _kdevx kdevx
"""

ZSH = r"""#compdef kdevx
# zsh completion for kdevx, made of its --help
_kdevx() {{
    local command= options word
    for word in ${{words[2,CURRENT-1]}}; do
        case $word in
        {alternatives}) command=$word; break ;;
        esac
    done
    if [[ ${{words[CURRENT-1]}} == --device ]]; then
        compadd -- /sys/class/infiniband/*(N:t)
        return
    fi
    case $command in
{cases}
    *) options="{commands} {general}" ;;
    esac
    compadd -- ${{=options}} || _files
}}
compdef _kdevx kdevx
"""

FISH = r"""# fish completion for kdevx, made of its --help
complete -c kdevx -f -n __fish_use_subcommand -a "{commands}"
{rules}
complete -c kdevx -l device -x -a "(command ls /sys/class/infiniband 2>/dev/null)"
"""


def help_of(*command):
    return subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout


def commands_of(text):
    part = text.partition("Subcommands:")[2].partition("\n\n")[0]
    return re.findall(r"^  (\w+) ", part, re.M)


def options_of(text):
    lines = re.findall(r"^ +((?:-\w,)?--[\w-]+)", text, re.M)
    return sorted({word for line in lines for word in re.findall(r"--[\w-]+", line)})


def cases(options):
    """For bash and zsh: what each command takes."""
    return "\n".join(f'    {command}) options="{" ".join(words)}" ;;'
                     for command, words in options.items())


def rules(options, general):
    """For fish: an option and where it is one. That of a device has a rule of its own."""
    of_command = [(f' -n "__fish_seen_subcommand_from {command}"', word)
                  for command, words in options.items() for word in words if word not in general]
    return "\n".join(f"complete -c kdevx{where} -l {word[2:]}"
                     for where, word in [*of_command, *(("", word) for word in general)]
                     if word != "--device")


def main(shell, tool):
    overview = help_of(tool)
    commands, general = commands_of(overview), options_of(overview)
    if not commands or not general:
        sys.exit(f"{tool} --help lists no commands or no options")
    options = {command: sorted({*options_of(help_of(tool, command)), *general})
               for command in commands}
    script = {"bash": BASH, "zsh": ZSH, "fish": FISH}[shell]
    print(script.format(alternatives=" | ".join(commands), cases=cases(options),
                        commands=" ".join(commands), general=" ".join(general),
                        rules=rules(options, general)), end="")


main(*sys.argv[1:])
