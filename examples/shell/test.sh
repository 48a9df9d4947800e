#!/usr/bin/env bash
# Starts a server for the time of the test, and tries settings.sh against it.
set -euo pipefail
cd "$(dirname "$0")"

folder=$(mktemp -d)
mkfifo "$folder/out"
# shellcheck disable=SC2086 # a command and its arguments
${PLATFORM_APISERVER:-npx platform-apiserver} serve --storage memory --secure-port 0 --log-level warn \
  --kubeconfig-out "$folder/kubeconfig" > "$folder/out" &
server=$!
trap 'kill "$server"; wait "$server" || true; rm -r "$folder"' EXIT
# The line "serving https://…" is written when the server accepts requests.
read -r serving url < "$folder/out"
[ "$serving" = serving ]
export KUBECONFIG=$folder/kubeconfig

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

kubectl create configmap settings --from-literal color=blue > "$folder/created"
[ "$(./settings.sh color)" = blue ] || fail "settings.sh color"
if kubectl create configmap settings 2> "$folder/error"; then fail "a second config map was created"; fi
grep -q "already exists" "$folder/error" || fail "$(cat "$folder/error")"

# Without kubectl: a list over HTTPS, with the authority and the key of the kubeconfig.
kubectl config view --raw -o jsonpath='{.clusters[0].cluster.certificate-authority-data}' | base64 -d > "$folder/ca.crt"
key=$(kubectl config view --raw -o jsonpath='{.users[0].user.token}')
names=$(curl --silent --fail --cacert "$folder/ca.crt" -H "Authorization: Bearer $key" "$url/api/v1/namespaces")
grep -q '"name": *"default"' <<< "$names" || fail "$names"
echo passed
