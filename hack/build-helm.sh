#!/usr/bin/env bash
# Builds helm from its published Go module, once for each version and machine, and prints its path. Needs Go; the first build
# takes some minutes. Exits with 3 if the machine has no Go: everything that needs helm is then skipped.
set -euo pipefail

version=$(< "$(dirname "$0")/helm-version")
folder=${XDG_CACHE_HOME:-$HOME/.cache}/platform-apiserver/helm
program=$folder/helm-$version
if [ ! -x "$program" ]; then
  command -v go > /dev/null || { echo "no go on PATH to build helm $version" >&2; exit 3; }
  mkdir -p "$folder"
  # A half-built one is never seen.
  new=$(mktemp -d "$folder/new.XXXXXX")
  trap 'rm -rf "$new"' EXIT
  GOBIN=$new GOTOOLCHAIN=local GOFLAGS="${GOFLAGS:-}" nice -n 19 go install -trimpath "helm.sh/helm/v4/cmd/helm@v$version" >&2
  mv "$new/helm" "$program"
fi
echo "$program"
