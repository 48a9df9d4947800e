#!/usr/bin/env bash
# Fails if deploy/manifests differs from the output of hack/update-manifests.sh. Without helm 4 it checks nothing and says so.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
hack/writeManifests.sh "$copy" || { [ $? -eq 3 ] && exit 0; exit 1; }
diff -ru deploy/manifests "$copy" || {
  echo "deploy/manifests is out of date: run hack/update-manifests.sh" >&2
  exit 1
}
