import type { ApiObject } from '../../../../meta/types.ts'
import type { AnsweredSubresource } from '../../../../registry/resource.ts'
import type { KindContext } from '../../builtInKind.ts'
import { namedTarget } from './namedTarget.ts'
import { checkProxyable } from './proxyAddress.ts'
import { proxySubresource } from './proxySubresource.ts'

interface ProxiedPod {
  spec?: { containers?: { ports?: { containerPort?: number }[] }[] }
  status?: { podIPs?: { ip?: string }[] }
}

/** Proxies requests to a pod: to the given port, or to the first port of its containers. */
export function podProxySubresource({ access }: KindContext): AnsweredSubresource {
  return proxySubresource({ plural: 'pods', kind: 'Pod', namespaced: true }, async (request) => {
    const { scheme, name, port } = namedTarget(request.name, 'pod')
    const pods = access.of(request).store({ group: '', resource: 'pods' })
    const pod = await pods.durable({ namespace: request.namespace, name })
    const address = podAddresses(pod)[0] ?? ''
    checkProxyable(address)
    return {
      ...{ scheme: scheme || 'http', address, host: address },
      port: port || firstPort(pod),
    }
  })
}

/** Addresses of a pod, the primary one first. */
export function podAddresses(pod: ApiObject): string[] {
  // Guaranteed by the schema.
  return ((pod as ProxiedPod).status?.podIPs ?? []).map(({ ip = '' }) => ip)
}

function firstPort(pod: ApiObject): string {
  // Guaranteed by the schema.
  const { containers = [] } = (pod as ProxiedPod).spec ?? {}
  const first = containers.flatMap(({ ports = [] }) => ports)[0]
  return first === undefined ? '' : String(first.containerPort ?? 0)
}
