import type {
  ServiceReference,
  WebhookClientConfig,
} from '../../apis/kubernetes/admissionregistration/webhookShapes.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { ApiObject, GroupResource } from '../../meta/types.ts'
import { callFailed } from './webhookRefusals.ts'

/** Where a webhook is called. */
export interface WebhookAddress {
  /** As errors show it, with the query. */
  url: string
  /** Of the request line. */
  path: string
  /** What is connected to. */
  host: string
  port: number
  /** The name that the certificate is for, and the Host header. */
  serverName: string
}

/** The objects of a plane that a service stands for. */
export interface ServiceObjects {
  get(resource: GroupResource, namespace: string, name: string): ApiObject | undefined
  list(resource: GroupResource, namespace: string): Promise<readonly ApiObject[]>
}

/** @throws WebhookCallError if a service cannot be reached. */
export async function addressOf(
  { url, service }: WebhookClientConfig,
  timeoutSeconds: number,
  objects: ServiceObjects,
): Promise<WebhookAddress> {
  const query = `timeout=${timeoutSeconds}s`
  if (service !== undefined) return serviceAddress(service, query, objects)
  const { hostname, port, pathname } = new URL(url ?? '')
  const path = `${pathname}?${query}`
  const host = hostname.replace(/^\[|\]$/g, '')
  const authority = port === '' ? hostname : `${hostname}:${port}`
  return {
    url: `https://${authority}${path}`,
    path,
    host,
    port: Number(port === '' ? 443 : port),
    serverName: host,
  }
}

interface ServicePort {
  name?: string
  port?: number
  targetPort?: number | string
}

interface ServiceSpec {
  type?: string
  clusterIP?: string
  externalName?: string
  ports?: ServicePort[]
}

async function serviceAddress(
  { name = '', namespace = '', port = 443, path: given = '' }: ServiceReference,
  query: string,
  objects: ServiceObjects,
): Promise<WebhookAddress> {
  const serverName = `${name}.${namespace}.svc`
  const path = `${given.startsWith('/') ? given : `/${given}`}?${query}`
  const url = `https://${serverName}:${port}${path}`
  const failed = (why: string) => callFailed(`Post ${JSON.stringify(url)}: ${why}`)
  const service = objects.get({ group: '', resource: 'services' }, namespace, name)
  if (service === undefined) throw failed(`service ${JSON.stringify(name)} not found`)
  const spec = (isObject(service['spec']) ? service['spec'] : {}) as ServiceSpec // by its schema
  if (spec.type === 'ExternalName') {
    return { url, path, host: spec.externalName ?? '', port, serverName }
  }
  if (spec.clusterIP === 'None') {
    throw failed('cannot route to service with ClusterIP "None"')
  }
  const found = spec.ports?.find((one) => one.port === port)
  if (found === undefined) throw failed(`service ${JSON.stringify(name)} not found`)
  const endpoint = await readyEndpoint({ namespace, name }, found.name ?? '', objects)
  if (endpoint === undefined) {
    throw failed(`no endpoints available for service ${JSON.stringify(name)}`)
  }
  return { url, path, ...endpoint, serverName }
}

interface Slice {
  endpoints?: { addresses?: string[]; conditions?: { ready?: boolean } }[] | null
  ports?: { name?: string; port?: number }[] | null
}

interface EndpointsSubset {
  addresses?: { ip?: string }[]
  ports?: { name?: string; port?: number }[]
}

async function readyEndpoint(
  { namespace, name }: { namespace: string; name: string },
  portName: string,
  objects: ServiceObjects,
): Promise<{ host: string; port: number } | undefined> {
  const all = await objects.list(
    { group: 'discovery.k8s.io', resource: 'endpointslices' },
    namespace,
  )
  const slices = all.filter(
    ({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name,
  )
  for (const slice of slices) {
    const { endpoints, ports } = slice as Slice // by its schema
    const port = ports?.find((one) => (one.name ?? '') === portName)?.port
    const ready = endpoints?.find(({ conditions }) => conditions?.ready !== false)
    const host = ready?.addresses?.[0]
    if (host !== undefined && port !== undefined) return { host, port }
  }
  const endpoints = objects.get({ group: '', resource: 'endpoints' }, namespace, name)
  const subsets = (endpoints?.['subsets'] ?? []) as EndpointsSubset[] // by its schema
  for (const { addresses = [], ports = [] } of subsets) {
    const host = addresses[0]?.ip
    const port = ports.find((one) => (one.name ?? '') === portName)?.port
    if (host !== undefined && port !== undefined) return { host, port }
  }
  return undefined
}
