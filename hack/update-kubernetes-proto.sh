#!/usr/bin/env bash
# Writes apiserver/encoding/protobuf/descriptors/ from the types that Kubernetes' Go clients are built with.
# Usage: update-kubernetes-proto.sh [directory]. Needs Go, whose module proxy the types come from.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed "s/^v1/v0/" hack/kubernetes-version)
directory=${1:-apiserver/encoding/protobuf/descriptors}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp hack/kubernetesProto.go "$work/main.go"
(
  cd "$work"
  export GOFLAGS=-mod=mod GOWORK=off
  {
    echo 'module kubernetesproto'
    echo 'go 1.25.0'
    for module in api apiextensions-apiserver apimachinery client-go kube-aggregator; do
      echo "require k8s.io/$module $version"
    done
  } > go.mod
  go run . > structure.json
)
mkdir -p "$directory"
rm -f "$directory"/*.ts
node --import tsx hack/kubernetesProto.ts "$directory" < "$work/structure.json"
