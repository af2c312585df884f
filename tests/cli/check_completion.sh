#!/bin/bash
# SPDX-License-Identifier: MIT
# What a shell would offer: check_completion.sh bash|zsh|fish SCRIPT
set -euo pipefail
shell=$1 script=$2
failed=0

in_bash() {
    local word
    source "$script"
    complete -p kdevx >/dev/null
    read -ra COMP_WORDS <<<"$1"
    [[ $1 = *' ' ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _kdevx || true # compgen says 1 when nothing fits
    printf '%s\n' "${COMPREPLY[@]}"
}

# The completion system's part is to take those that begin like the word.
in_zsh() {
    zsh -f -c '
        compdef() { [[ "$*" = "_kdevx kdevx" ]] || print "compdef $*" }
        compadd() { shift; print -rl -- ${(M)@:#$words[CURRENT]*} }
        source $1
        words=(${(z)2}) CURRENT=${#words}
        _kdevx' zsh "$script" "$1"
}

in_fish() { fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$script" "$1"; }

# offers "WORDS" EXPECTED...: the last word is the one to complete
offers() {
    local words=$1 offered
    shift
    offered=$("in_$shell" "$words" | cut -f1 | sort | paste -sd ' ')
    [ "$offered" = "$*" ] || { echo "$words: $offered, wanted $*"; failed=1; }
}

offers "kdevx pro" probe
offers "kdevx ex" explain
offers "kdevx --js" --json
offers "kdevx probe --js" --json
offers "kdevx --device nosuchdevice"
offers "kdevx caps --hel" --help
[ "$failed" = 0 ] && echo "6 completions in $shell"
exit "$failed"
