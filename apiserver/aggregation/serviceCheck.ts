import { goQuote } from '../meta/goQuote.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Endpoint } from '../webhooks/connectionProblem.ts'
import { placeOf, type ServiceObjects } from '../webhooks/webhookAddress.ts'
import type { AvailableCondition, RemoteService } from './remoteService.ts'

/** Address of a service, or the reason why it has none. */
export type Located = { endpoint: Endpoint } | { missing: AvailableCondition }

interface ServiceSpec {
  type?: string
  ports?: { name?: string; port?: number }[]
}

/** Finds the server behind an APIService. Source: seen on kube-apiserver 1.37.2. */
export async function locate(remote: RemoteService, objects: ServiceObjects): Promise<Located> {
  const { namespace, service: name, port } = remote
  const told = `service/${name} in ${goQuote(namespace)}`
  const object = objects.get({ group: '', resource: 'services' }, namespace, name)
  if (object === undefined) return missing('ServiceNotFound', `${told} is not present`)
  // Guaranteed by its schema.
  const { type = 'ClusterIP', ports = [] } = (object['spec'] ?? {}) as ServiceSpec
  if (type !== 'ExternalName') {
    const found = ports.find((one) => one.port === port)
    if (found === undefined) {
      return missing('ServicePortError', `${told} is not listening on port ${port}`)
    }
    const slices = await slicesOf(remote, objects)
    const isBare = slices.length === 0 && !hasEndpoints(remote, objects)
    if (isBare) return missing('EndpointsNotFound', `cannot find endpointslices for ${told}`)
    const place = await placeOf({ namespace, name }, port, objects)
    if (typeof place === 'string') {
      const why = `have no addresses with port name ${goQuote(found.name ?? '')}`
      return missing('MissingEndpoints', `endpointslices for ${told} ${why}`)
    }
    return { endpoint: { ...place, serverName: serverNameOf(remote) } }
  }
  const place = await placeOf({ namespace, name }, port, objects)
  if (typeof place === 'string') return missing('ServiceAccessError', place)
  return { endpoint: { ...place, serverName: serverNameOf(remote) } }
}

function serverNameOf({ service, namespace }: RemoteService): string {
  return `${service}.${namespace}.svc`
}

async function slicesOf(
  { namespace, service }: RemoteService,
  objects: ServiceObjects,
): Promise<ApiObject[]> {
  const kind = { group: 'discovery.k8s.io', resource: 'endpointslices' }
  const all = await objects.list(kind, namespace)
  return all.filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === service)
}

function hasEndpoints({ namespace, service }: RemoteService, objects: ServiceObjects): boolean {
  return objects.get({ group: '', resource: 'endpoints' }, namespace, service) !== undefined
}

function missing(reason: string, message: string): Located {
  return { missing: { type: 'Available', status: 'False', reason, message } }
}
