import type { Answers } from '../../../../registry/answers.ts'
import type { AnsweredSubresource } from '../../../../registry/resource.ts'

interface ProxiedKind {
  plural: string
  kind: string
  namespaced: boolean
}

/**
 * Subresource that proxies requests of every method to a server. Source: Kubernetes API reference,
 * "Proxy operations" of Pod, Service and Node v1.
 */
export function proxySubresource(
  { plural, kind, namespaced }: ProxiedKind,
  proxy: NonNullable<Answers['proxy']>,
): AnsweredSubresource {
  const singular = kind.toLowerCase()
  const options = `${kind}ProxyOptions`
  const description = `Path of the URL on the ${singular}.`
  return {
    name: 'proxy',
    verbs: ['get', 'create', 'update', 'patch', 'delete'],
    stream: { connects: true, parameters: [{ name: 'path', type: 'string', description }] },
    resource: {
      group: '',
      version: 'v1',
      plural,
      singular,
      kind: options,
      namespaced,
      verbs: [],
      schema: { type: 'object', definition: `io.k8s.api.core.v1.${options}` },
      strategy: {},
      answers: { proxy },
    },
  }
}
