#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the completion for bash: commands and options are those that --help tells.

usage: bash.py KDEVX
"""

import re
import subprocess
import sys

SCRIPT = r"""# bash completion for kdevx, made of its --help
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
    *) options="{commands} {options}" ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$word"))
}}
complete -o default -F _kdevx kdevx
"""


def help_of(*command):
    return subprocess.run([*command, "--help"], capture_output=True, text=True, check=True).stdout


def commands_of(text):
    part = text.partition("Subcommands:")[2].partition("\n\n")[0]
    return re.findall(r"^  (\w+) ", part, re.M)


def options_of(text):
    lines = re.findall(r"^ +((?:-\w,)?--[\w-]+)", text, re.M)
    return sorted({word for line in lines for word in re.findall(r"--[\w-]+", line)})


def main(tool):
    overview = help_of(tool)
    commands, general = commands_of(overview), options_of(overview)
    if not commands or not general:
        sys.exit(f"{tool} --help lists no commands or no options")
    cases = "\n".join(f'    {name}) options="{" ".join(sorted({*options_of(help_of(tool, name)), *general}))}" ;;'
                      for name in commands)
    print(SCRIPT.format(alternatives=" | ".join(commands), cases=cases, commands=" ".join(commands),
                        options=" ".join(general)), end="")


main(sys.argv[1])
