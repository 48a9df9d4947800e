#!/usr/bin/env bash
# Writes apiserver/discovery/kubernetesVersion.ts from hack/kubernetes-version. Usage: update-kubernetes-version.sh [file].
set -euo pipefail
cd "$(dirname "$0")/.."

cat > "${1:-apiserver/discovery/kubernetesVersion.ts}" << MODULE
/* Written by hack/update-kubernetes-version.sh; not to be edited. */

/** The Kubernetes version whose API is served: clients compute their version skew from it. */
export const kubernetesVersion = '$(cat hack/kubernetes-version)'
MODULE
