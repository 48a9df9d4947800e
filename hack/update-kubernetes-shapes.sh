#!/usr/bin/env bash
# Writes the types of the built-in kinds' parts into apiserver/apis/kubernetes/shapes, from the data that
# update-kubernetes.sh writes. Usage: update-kubernetes-shapes.sh [directory], the directory of the written files.
set -euo pipefail
cd "$(dirname "$0")/.."

node_modules/.bin/tsx hack/kubernetes/kubernetesShapes.ts "${1:-apiserver/apis/kubernetes/shapes}"
