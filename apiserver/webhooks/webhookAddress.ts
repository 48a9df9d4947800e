import type { ApiObject, GroupResource } from '../meta/types.ts'
import { CallProblem } from './callProblem.ts'

export interface ServiceReference {
  namespace?: string
  name?: string
  path?: string
  port?: number
}

/** Location of a webhook: `url` or `service`. */
export interface WebhookClientConfig {
  url?: string
  service?: ServiceReference
  /** PEM of the CAs in base64. Absent: the system's CAs. */
  caBundle?: string
}

export interface WebhookAddress {
  /** Address with the query, for error messages. */
  url: string
  /** Path of the request line. */
  path: string
  /** Host of the connection. */
  host: string
  port: number
  /** Name in the certificate, and the Host header. */
  serverName: string
}

/** Objects of a plane that describe services. */
export interface ServiceObjects {
  get(resource: GroupResource, namespace: string, name: string): ApiObject | undefined
  list(resource: GroupResource, namespace: string): Promise<readonly ApiObject[]>
}

/** Address of a webhook. @throws CallProblem if a service cannot be reached. */
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
  const found = await placeOf({ namespace, name }, port, objects)
  if (typeof found === 'string') throw new CallProblem(`Post ${JSON.stringify(url)}: ${found}`)
  return { url, path, ...found, serverName }
}

export interface Place {
  host: string
  port: number
}

export interface Named {
  namespace: string
  name: string
}

/** Address of the endpoint behind a service port; a string is the reason why it has none. */
export async function placeOf(
  { namespace, name }: Named,
  port: number,
  objects: ServiceObjects,
): Promise<Place | string> {
  const quoted = JSON.stringify(name)
  const service = objects.get({ group: '', resource: 'services' }, namespace, name)
  const spec: ServiceSpec | undefined = service && (service['spec'] ?? {}) // sound by its schema
  if (spec === undefined) return `service ${quoted} not found`
  const { type, externalName: host = '', clusterIP, ports = [] } = spec
  if (type === 'ExternalName') return { host, port }
  if (clusterIP === 'None') return 'cannot route to service with ClusterIP "None"'
  const found = ports.find((one) => one.port === port)
  if (found === undefined) return `service ${quoted} not found`
  const portName = found.name ?? ''
  const place =
    (await slicePlace({ namespace, name }, portName, objects)) ??
    endpointsPlace({ namespace, name }, portName, objects)
  return place ?? `no endpoints available for service ${quoted}`
}

interface Slice {
  endpoints?: { addresses?: string[]; conditions?: { ready?: boolean } }[] | null
  ports?: EndpointPort[] | null
}

interface EndpointPort {
  name?: string
  port?: number
}

interface EndpointsSubset {
  addresses?: { ip?: string }[]
  ports?: EndpointPort[]
}

async function slicePlace(
  { namespace, name }: Named,
  portName: string,
  objects: ServiceObjects,
): Promise<Place | undefined> {
  const kind = { group: 'discovery.k8s.io', resource: 'endpointslices' }
  for (const slice of await objects.list(kind, namespace)) {
    if (slice.metadata.labels?.['kubernetes.io/service-name'] !== name) continue
    const { endpoints, ports } = slice as Slice // sound by its schema
    const ready = endpoints?.find(({ conditions }) => conditions?.ready !== false)
    const place = placeAt(ready?.addresses?.[0], portOf(ports ?? [], portName))
    if (place !== undefined) return place
  }
  return undefined
}

function endpointsPlace(
  { namespace, name }: Named,
  portName: string,
  objects: ServiceObjects,
): Place | undefined {
  const endpoints = objects.get({ group: '', resource: 'endpoints' }, namespace, name)
  const subsets = (endpoints?.['subsets'] ?? []) as EndpointsSubset[] // sound by its schema
  for (const { addresses = [], ports = [] } of subsets) {
    const place = placeAt(addresses[0]?.ip, portOf(ports, portName))
    if (place !== undefined) return place
  }
  return undefined
}

function portOf(ports: readonly EndpointPort[], portName: string): number | undefined {
  return ports.find(({ name = '' }) => name === portName)?.port
}

function placeAt(host: string | undefined, port: number | undefined): Place | undefined {
  return host === undefined || port === undefined ? undefined : { host, port }
}
