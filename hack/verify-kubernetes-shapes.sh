#!/usr/bin/env bash
# Fails if a type of the built-in kinds' parts differs from the output of update-kubernetes-shapes.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
hack/update-kubernetes-shapes.sh "$fresh"
if ! diff -ru apiserver/apis/kubernetes/shapes "$fresh"; then
  echo 'the types of the built-in kinds are out of date: run hack/update-kubernetes-shapes.sh' >&2
  exit 1
fi
