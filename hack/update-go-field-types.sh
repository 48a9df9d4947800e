#!/usr/bin/env bash
# Writes the names of Go types that the decoder's refusals mention, from the published Go types of the built-in kinds.
# Usage: update-go-field-types.sh [file]. Needs Go, whose module proxy the types come from.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed s/^v1/v0/ hack/kubernetes-version)
file=${1:-apiserver/endpoints/body/goFieldTypes.ts}

directory_of() { go mod download -json "k8s.io/$1@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'; }
api=$(directory_of api)
machinery=$(directory_of apimachinery)
extensions=$(directory_of apiextensions-apiserver)
aggregator=$(directory_of kube-aggregator)

packages=("$machinery/pkg/apis/meta/v1=meta.v1" "$extensions/pkg/apis/apiextensions/v1=apiextensions.v1"
  "$aggregator/pkg/apis/apiregistration/v1=apiregistration.v1")
for name in admissionregistration/v1 apps/v1 authentication/v1 authorization/v1 autoscaling/v1 autoscaling/v2 batch/v1 \
  certificates/v1 coordination/v1 core/v1 discovery/v1 events/v1 flowcontrol/v1 networking/v1 node/v1 policy/v1 rbac/v1 resource/v1 \
  scheduling/v1 storage/v1; do
  packages+=("$api/$name=${name//\//.}")
done
{
  echo '/* Written by hack/update-go-field-types.sh; not to be edited. */'
  echo '// prettier-ignore'
  echo 'export const goFieldTypes = `'
  go run hack/goFieldTypes.go "${packages[@]}"
  echo '`'
} > "$file"
