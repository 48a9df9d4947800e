import type { ApiObject } from '../../../apiserver/meta/types.ts'
import type { PlaneResource } from '../../../syncer/client/planeClient.ts'
import { endpointsRules } from '../../../syncer/rules/endpointsRules.ts'
import { servicesRules } from '../../../syncer/rules/servicesRules.ts'
import { patched, side, type Key, type Side, type Texts } from './naiveModel.ts'
import type { HostStep, Kind, Text } from './worldSteps.ts'

export const endpoints = endpointsRules.resource
export const services = servicesRules.resource

export function resourceOf(kind: Kind): PlaneResource {
  return kind === 'services' ? services : endpoints
}

export function placeOf(key: Key): { namespace: string; name: string } {
  const [namespace = '', name = ''] = key.split('/')
  return { namespace, name }
}

export function keyOf({ metadata }: ApiObject): Key {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
}

export function specOf({ spec }: ApiObject): Record<string, unknown> {
  // The tests use no other kinds.
  return (spec ?? {}) as Record<string, unknown>
}

export function selectorOf(key: Key, selects: boolean): object {
  return selects ? { selector: { app: placeOf(key).name } } : {}
}

export function edited(
  object: ApiObject,
  step: { key: Key } & ({ do: string; value: number } | { do: 'select'; selects: boolean }),
): ApiObject {
  const spec = specOf(object)
  if ('selects' in step) {
    const { selector: _, ...rest } = spec
    return { ...object, spec: { ...rest, ...selectorOf(step.key, step.selects) } }
  }
  if (step.do === 'ip') return { ...object, subsets: subsetsOf(step.value) }
  if (step.do === 'status on host') return { ...object, status: { value: step.value } }
  return { ...object, spec: { ...spec, ports: [{ port: step.value }] } }
}

/** Copy after a step on the host; undefined: deleted. */
export function editedOnHost(copy: ApiObject, step: HostStep): ApiObject | undefined {
  switch (step.do) {
    case 'delete on host':
      return undefined
    case 'spoil on host':
      return step.kind === 'endpoints'
        ? { ...copy, subsets: [] }
        : { ...copy, spec: { ...specOf(copy), selector: {} } }
    case 'text on host': {
      const { field, value } = step
      const isPatched = field === 'annotations' && value !== null
      return withText(copy, { ...step, value: isPatched ? patched(value) : value })
    }
    case 'port on host':
    case 'status on host':
      return edited(copy, step)
  }
}

export function described(
  object: ApiObject | undefined,
  copy: ApiObject | undefined,
): Side | 'nothing' {
  if (object === undefined) return 'nothing'
  const own = (texts: Texts = {}) =>
    Object.fromEntries(Object.entries(texts).filter(([key]) => !key.includes('/')))
  const { annotations, labels } = object.metadata
  return side(own(labels), own(annotations), restOf(object, copy))
}

function restOf(object: ApiObject, copy: ApiObject | undefined): unknown {
  if (object.kind === 'Endpoints') {
    const [subset] = (object.subsets ?? []) as { addresses: { ip: string }[] }[]
    return Number(subset?.addresses[0]?.ip.split('.')[3])
  }
  const { ports, selector, clusterIP } = specOf(object) as {
    ports?: { port: number }[]
    selector?: Texts
    clusterIP?: string
  }
  const { value } = (object.status ?? {}) as { value?: number }
  const isOfHost = copy !== undefined && clusterIP === specOf(copy).clusterIP
  return {
    port: ports?.[0]?.port,
    status: value ?? 0,
    address: isOfHost ? 'of the host' : clusterIP,
    selector: selector ?? null,
  }
}

export function subsetsOf(ip: number) {
  return [{ addresses: [{ ip: `10.0.0.${ip}` }], ports: [{ port: 1 }] }]
}

export function withText(
  object: ApiObject,
  { field, name, value }: Pick<Text, 'field' | 'name' | 'value'>,
): ApiObject {
  const texts = { ...object.metadata[field] }
  set(texts, name, value)
  return { ...object, metadata: { ...object.metadata, [field]: texts } }
}

export function set(texts: Texts, key: string, value: string | null): void {
  if (value === null) Reflect.deleteProperty(texts, key)
  else texts[key] = value
}
