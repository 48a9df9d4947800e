/**
 * Model of the expected objects on both planes, computed directly from the steps without any part
 * of the syncer.
 */

export type Texts = Record<string, string>

export interface ServiceModel {
  labels: Texts
  annotations: Texts
  port: number
  /** True if the service has a selector: its Endpoints then belong to the host. */
  selects: boolean
  /** Status set by the host. */
  status: number
}

export interface EndpointsModel {
  labels: Texts
  annotations: Texts
  ip: number
}

export interface NaiveModel {
  services: Map<string, ServiceModel>
  endpoints: Map<string, EndpointsModel>
}

export function emptyModel(): NaiveModel {
  return { services: new Map(), endpoints: new Map() }
}

/** `namespace/name`. */
export type Key = string

export type Mode = 'one namespace' | 'several namespaces'

/**
 * Virtual namespaces that begin with `team-` are mapped to those of the host with the prefix `h-`,
 * if there are several.
 */
export function hostPlaceOf(key: Key, mode: Mode): { namespace: string; name: string } {
  const [namespace = '', name = ''] = key.split('/')
  return mode === 'several namespaces' && namespace.startsWith('team-')
    ? { namespace: `h-${namespace}`, name }
    : { namespace: 'host', name: `${name}-x-${namespace}-x-vc` }
}

/** Value of an annotation on the host, with the prefix `p-`. */
export const patched = (value: string) => `p-${value}`

export interface Side {
  labels: [string, string][]
  annotations: [string, string][]
  rest: unknown
}

export interface Seen {
  key: Key
  kind: 'Service' | 'Endpoints'
  virtual: Side | 'nothing'
  /** 'anything': the existing object is left unchanged. */
  host: Side | 'nothing' | 'anything'
}

/** Expected objects by kind and key. */
export function wantedOf({ services, endpoints }: NaiveModel): Seen[] {
  const ofServices = [...services].map(
    ([key, { labels, annotations, port, selects, status }]): Seen => {
      const [namespace = '', name = ''] = key.split('/')
      const marks = {
        'vcluster.platform/managed-by': 'vc',
        'vcluster.platform/namespace': namespace,
      }
      const rest = { port, status, address: 'of the host' }
      return {
        key,
        kind: 'Service',
        virtual: side(labels, annotations, { ...rest, selector: selects ? { app: name } : null }),
        host: side(labels, onHost(annotations), {
          ...rest,
          selector: selects ? { app: name, ...marks } : null,
        }),
      }
    },
  )
  const ofEndpoints = [...endpoints].map(([key, { labels, annotations, ip }]): Seen => {
    const service = services.get(key)
    const copy = side(labels, onHost(annotations), ip)
    return {
      key,
      kind: 'Endpoints',
      virtual: side(labels, annotations, ip),
      host: service === undefined ? 'anything' : service.selects ? 'nothing' : copy,
    }
  })
  return inOrder([...ofServices, ...ofEndpoints])
}

export function inOrder(seen: readonly Seen[]): Seen[] {
  const titled = seen.map((one): [string, Seen] => [`${one.kind} ${one.key}`, one])
  return titled.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

export function side(labels: Texts, annotations: Texts, rest: unknown): Side {
  return {
    labels: Object.entries(labels).sort(),
    annotations: Object.entries(annotations).sort(),
    rest,
  }
}

function onHost(annotations: Texts): Texts {
  return Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [key, patched(value)]),
  )
}
