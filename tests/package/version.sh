#!/usr/bin/env bash
# Checks that the package managers' files and the inline namespace have the version that CMakeLists.txt has: they
# cannot read it there.
#
# usage: version.sh <version>
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

version=$1
IFS=. read -r major minor _ <<<"$version"
namespace="v${major}_$minor"
status=0
for file in vcpkg.json cmake/ports/inferwire/vcpkg.json; do
  grep -q "\"version\": \"$version\"" "$file" || { echo "$file has another version than $version"; status=1; }
done
strangers=$(grep -rnoE 'inferwire::inline v[0-9]+_[0-9]+' include src cmake | grep -v " $namespace\$" || true)
if [[ -n $strangers ]]; then
  printf 'not in the inline namespace %s:\n%s\n' "$namespace" "$strangers"
  status=1
fi
exit "$status"
