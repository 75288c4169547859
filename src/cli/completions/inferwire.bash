# Completions of inferwire for bash. What can follow is read from the program's own help, so that this never grows old.
# In a Turkish locale, sed's [a-z] does not match an i: hence LC_ALL=C.
# shellcheck shell=bash

_inferwire() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} help
  local -a asked=("${COMP_WORDS[0]}")
  ((COMP_CWORD > 1)) && asked+=("$command")
  [[ $command == auth ]] && ((COMP_CWORD > 2)) && asked+=("${COMP_WORDS[2]}")
  COMPREPLY=()
  # bash makes three words of --provider=name.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $previous in
    --file | --npy | --checkpoint | --rules | --gguf | --cassette)
      compopt -o filenames 2>/dev/null # escapes names, and ends directories with a slash
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    --provider)
      help=$("${asked[@]}" --help 2>/dev/null | sed -n 's/.*--provider TEXT:{\([^}]*\)}.*/\1/p')
      mapfile -t COMPREPLY < <(compgen -W "${help//,/ }" -- "$current")
      return
      ;;
  esac
  if [[ $command == batch && $current != -* ]] && ((COMP_CWORD > 1)); then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  if [[ $current != -* ]] && { ((COMP_CWORD == 1)) || [[ $command == auth && $COMP_CWORD == 2 ]]; }; then
    # CLI11 2.5 and later writes the headings in capitals, and breaks long lines.
    help=$("${asked[@]}" --help 2>/dev/null | LC_ALL=C sed -nE '/^S(ubcommands|UBCOMMANDS):/,$s/^  ([a-z]+) .*/\1/p')
  else
    help=$("${asked[@]}" --help 2>/dev/null | LC_ALL=C grep -oE -- '--[a-z0-9][a-z0-9-]*' | sort -u)
  fi
  mapfile -t COMPREPLY < <(compgen -W "$help" -- "$current")
}
complete -F _inferwire inferwire
