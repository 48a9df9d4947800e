#!/usr/bin/env node
// Writes the roles and bindings that the real kube-apiserver creates at its start, as bootstrapRoles.ts reads them.
// Give the
// kubeconfig of a real server without a controller manager, which would fill in aggregated roles:
// hack/real-server/bootstrapRoles.mjs KUBECONFIG
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const [kubeconfig = ''] = process.argv.slice(2)
const file = 'apiserver/kubeApiserver/roles/bootstrapRoles.json'
const bootstrapping = 'kubernetes.io/bootstrapping'

/** Objects of a resource without the fields common to all. */
function objectsOf(resource) {
  const args = ['get', resource, '--all-namespaces', '-o', 'json', '--kubeconfig', kubeconfig]
  const { items } = JSON.parse(execFileSync('kubectl', args, { maxBuffer: 1e8 }))
  return items.map(({ metadata, rules, aggregationRule, roleRef, subjects }) => {
    const { [bootstrapping]: mark, ...labels } = metadata.labels
    if (mark !== 'rbac-defaults') throw new Error(`${metadata.name} is none of the server's own`)
    return {
      ...(metadata.namespace && { namespace: metadata.namespace }),
      name: metadata.name,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(rules && { rules }),
      ...(aggregationRule && { aggregationRule }),
      ...(roleRef && { roleRef }),
      ...(subjects && { subjects }),
    }
  })
}

const kinds = {
  roles: 'clusterroles',
  bindings: 'clusterrolebindings',
  namespaceRoles: 'roles',
  namespaceBindings: 'rolebindings',
}
const contents = Object.entries(kinds).map(([name, resource]) => {
  const lines = objectsOf(resource).map((object) => `    ${JSON.stringify(object)}`)
  return `  ${JSON.stringify(name)}: [\n${lines.join(',\n')}\n  ]`
})
writeFileSync(file, `{\n${contents.join(',\n')}\n}\n`)
