import { numberedDigits, postRequest, type Address } from './sample.ts'

const management = '/apis/management.platform/v1'
const rbac = '/apis/rbac.authorization.k8s.io'
const role = 'bench-reader'
const subject = `bench-${numberedDigits}`

/** Bearer token of the user with a number. */
export function keyOf(number: number): string {
  return keyText(String(number).padStart(numberedDigits.length, '0'))
}

function keyText(digits: string): string {
  return `key-of-the-benchmark-with-the-number-${digits}`
}

/**
 * Requests that create users, a key for each, and bindings to one role, which allows reading shared
 * secrets.
 */
export function rightsRequests(address: Address) {
  const rules = [
    { verbs: ['get'], apiGroups: ['management.platform'], resources: ['sharedsecrets'] },
  ]
  const name = { name: subject }
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: subject }]
  const spec = { username: subject, subject }
  const key = { user: subject, key: keyText(numberedDigits) }
  const bindings = `${rbac}/v1/namespaces/default/rolebindings`
  return {
    role: postRequest(address, `${rbac}/v1/clusterroles`, { metadata: { name: role }, rules }),
    users: postRequest(address, `${management}/users`, { metadata: name, spec }),
    keys: postRequest(address, `${management}/ownedaccesskeys`, { metadata: name, spec: key }),
    bindings: postRequest(address, bindings, { metadata: name, subjects, roleRef }),
  }
}
