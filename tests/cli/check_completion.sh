#!/bin/bash
# SPDX-License-Identifier: MIT
# What bash would offer: check_completion.sh SCRIPT
set -euo pipefail
source "$1"
complete -p kdevx >/dev/null
failed=0

# offers "WORDS" EXPECTED...: the last word is the one to complete
offers() {
    read -ra COMP_WORDS <<<"$1"
    [[ $1 = *' ' ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    shift
    _kdevx || true # compgen says 1 when nothing fits
    [ "$(printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd ' ')" = "$*" ] ||
        { echo "${COMP_WORDS[*]}: ${COMPREPLY[*]}, wanted $*"; failed=1; }
}

offers "kdevx pro" probe
offers "kdevx ex" explain
offers "kdevx --js" --json
offers "kdevx probe --js" --json
offers "kdevx --device nosuchdevice"
offers "kdevx caps --hel" --help
[ "$failed" = 0 ] && echo "6 completions"
exit "$failed"
