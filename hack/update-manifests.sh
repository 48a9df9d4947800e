#!/usr/bin/env bash
# Writes deploy/manifests from deploy/chart.
set -euo pipefail
cd "$(dirname "$0")/.."
hack/writeManifests.sh deploy/manifests || [ $? -eq 3 ]
