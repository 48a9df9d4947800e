import { randomInt } from 'node:crypto'
import { goQuote } from '../../../../meta/goQuote.ts'
import type { StatusError } from '../../../../meta/status.ts'
import { serviceUnavailable } from '../../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { AnswerRequest } from '../../../../registry/answers.ts'
import { ignoreNotFound } from '../../../../registry/ignoring.ts'
import type { AnsweredSubresource } from '../../../../registry/resource.ts'
import type { PlaneAccess } from '../../../planeAccess.ts'
import type { KindContext } from '../../builtInKind.ts'
import type { Endpoint } from '../../shapes/discoveryV1.ts'
import { specOf } from '../service/serviceSpec.ts'
import { namedTarget } from './namedTarget.ts'
import { podAddresses } from './podProxy.ts'
import { isProxyable } from './proxyAddress.ts'
import { proxySubresource } from './proxySubresource.ts'

interface Slice {
  addressType?: string
  endpoints?: Endpoint[] | null
  ports?: { name?: string; port?: number }[] | null
}

const kind = { plural: 'services', kind: 'Service', namespaced: true }

/**
 * Proxies requests to one of the pods behind a service. Only addresses of pods in its namespace are
 * used, so that a user who writes an EndpointSlice cannot direct requests elsewhere.
 */
export function serviceProxySubresource({ access }: KindContext): AnsweredSubresource {
  return proxySubresource(kind, async (request) => {
    const plane = access.of(request)
    const { scheme, name, port } = namedTarget(request.name, 'service')
    const target = { namespace: request.namespace, name }
    const portName = isNumber(port) ? await declaredName(plane, target, Number(port)) : port
    const found = await endpointOf(plane, target, portName)
    if (found === undefined) throw noEndpoints(name)
    return { scheme: scheme || 'http', host: found.address, ...found }
  })
}

type Target = Pick<AnswerRequest, 'namespace' | 'name'>

function isNumber(port: string): boolean {
  return /^[+-]?\d+$/.test(port)
}

function noEndpoints(name: string): StatusError {
  return serviceUnavailable(`no endpoints available for service ${goQuote(name)}`)
}

/** Name of the service port with a number. @throws StatusError 404, 503. */
async function declaredName(plane: PlaneAccess, target: Target, port: number): Promise<string> {
  const service = await plane.store({ group: '', resource: 'services' }).durable(target)
  const found = specOf(service).ports?.find((one) => one.port === port)
  if (found === undefined) {
    throw serviceUnavailable(`no service port ${port} found for service ${goQuote(target.name)}`)
  }
  return found.name ?? ''
}

async function endpointOf(plane: PlaneAccess, target: Target, portName: string) {
  for (const { endpoints, ports } of await slicesOf(plane, target)) {
    const port = ports?.find((one) => (one.name ?? '') === portName && one.port !== undefined)
    if (port === undefined) continue
    for (const endpoint of fromRandom(endpoints ?? [])) {
      const [address = ''] = endpoint.addresses ?? []
      const isUsed = endpoint.conditions?.ready !== false && isProxyable(address)
      if (isUsed && (await isOfPod(plane, target.namespace, endpoint, address)))
        return { address, port: String(port.port) }
    }
  }
  return undefined
}

/** Items in cyclic order from a random start, which spreads requests over them. */
function fromRandom<T>(items: readonly T[]): readonly T[] {
  const first = items.length < 2 ? 0 : randomInt(items.length)
  return [...items.slice(first), ...items.slice(0, first)]
}

/** Slices of a service, IPv4 slices first. */
async function slicesOf(plane: PlaneAccess, { namespace, name }: Target): Promise<Slice[]> {
  const store = plane.store({ group: 'discovery.k8s.io', resource: 'endpointslices' })
  await store.cache.warm()
  const all = [...store.cache.all(`${store.keyPrefix}${namespace}/`)].map((entry) => entry.object())
  return all
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name)
    .map((slice: ApiObject & Slice) => slice)
    .sort((a, b) => Number(b.addressType === 'IPv4') - Number(a.addressType === 'IPv4'))
}

async function isOfPod(
  plane: PlaneAccess,
  namespace: string,
  { targetRef }: Endpoint,
  address: string,
): Promise<boolean> {
  if (targetRef?.namespace !== namespace) return false
  const pods = plane.store({ group: '', resource: 'pods' })
  const pod = await pods.durable({ namespace, name: targetRef.name ?? '' }).catch(ignoreNotFound)
  return pod !== undefined && podAddresses(pod).includes(address)
}
