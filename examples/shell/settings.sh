#!/usr/bin/env bash
# The code under test: prints a setting that is kept in a config map.
set -euo pipefail
kubectl get configmap settings -o "jsonpath={.data.$1}"
