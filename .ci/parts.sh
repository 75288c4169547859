# shellcheck shell=bash
# Sourced by the scripts that consist of parts.

# run_parts <prefix> <part>...: calls the function <prefix>_<part> of each, also after a failure of another. Says which
# failed, and then fails.
run_parts() {
  local prefix=$1 part
  local -a failed=()
  shift
  for part in "$@"; do
    printf '\n===== %s\n' "$part"
    # A shell of its own: a function on the left of || would go on after a failing line.
    (set -e; "${prefix}_$part") & wait $! || failed+=("$part")
  done
  if ((${#failed[@]} > 0)); then
    echo "failed: ${failed[*]}"
    return 1
  fi
}
