export const webs = (version: string, name?: string, namespace = 'default') =>
  `/apis/g.example.com/${version}/namespaces/${namespace}/webs${name === undefined ? '' : `/${name}`}`

/** Web in a version: v1 with a size, v2 with a count. */
export function web(version: 'v1' | 'v2', name: string, amount: number, metadata: object = {}) {
  const spec = version === 'v1' ? { size: amount } : { count: amount }
  return {
    apiVersion: `g.example.com/${version}`,
    kind: 'Web',
    metadata: { name, ...metadata },
    spec,
  }
}

/** Definition of Webs in two versions that a webhook converts; `stored` is the storage version. */
export function webDefinition(clientConfig: object, stored: 'v1' | 'v2' = 'v1') {
  const version = (name: string, field: string) => ({
    name,
    served: true,
    storage: name === stored,
    subresources: { status: {} },
    selectableFields: [{ jsonPath: `.spec.${field}` }],
    additionalPrinterColumns: [{ name: field, type: 'integer', jsonPath: `.spec.${field}` }],
    schema: { openAPIV3Schema: { type: 'object', properties: properties(field) } },
  })
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'webs.g.example.com' },
    spec: {
      group: 'g.example.com',
      scope: 'Namespaced',
      names: { plural: 'webs', kind: 'Web' },
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig },
      },
      versions: [version('v1', 'size'), version('v2', 'count')],
    },
  }
}

function properties(field: string) {
  const amount = { type: 'integer', maximum: 100 }
  const spec = { type: 'object', properties: { [field]: amount, name: { type: 'string' } } }
  const status = { type: 'object', properties: { ready: { type: 'boolean' } } }
  return { spec, status }
}
