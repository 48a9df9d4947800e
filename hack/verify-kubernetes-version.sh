#!/usr/bin/env bash
# Fails when apiserver/discovery/kubernetesVersion.ts does not name the version in hack/kubernetes-version.
set -euo pipefail
cd "$(dirname "$0")/.."

fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
hack/update-kubernetes-version.sh "$fresh"
diff -u apiserver/discovery/kubernetesVersion.ts "$fresh" || {
  echo 'the served version is out of date: run hack/update-kubernetes-version.sh' >&2
  exit 1
}
