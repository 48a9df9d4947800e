#!/usr/bin/env bash
# Writes the plain manifests of deploy/chart into a folder: hack/writeManifests.sh DIR. Exit code 3: there is no helm 4.
set -euo pipefail
out=$1
chart=$(dirname "$0")/../deploy/chart

helm=${HELM:-${XDG_CACHE_HOME:-$HOME/.cache}/platform-apiserver/helm/helm-$(< "$(dirname "$0")/helm-version")}
[ -x "$helm" ] || helm=$(command -v helm || true)
if [ -z "$helm" ] || [[ "$("$helm" version --short 2>/dev/null)" != v4* ]]; then
  echo 'there is no helm 4: name it with HELM, or build it with hack/build-helm.sh' >&2
  exit 3
fi

for mode in standalone aggregated; do
  {
    echo "# Written by hack/update-manifests.sh from deploy/chart: change it there."
    "$helm" template platform "$chart" --namespace platform --set mode=$mode |
      # These lines are about releases.
      sed -e '/^# Source: /d' -e '/managed-by: Helm$/d' -e '/^  annotations:$/{N;/helm.sh\/resource-policy/d}'
  } > "$out/$mode.yaml"
done
