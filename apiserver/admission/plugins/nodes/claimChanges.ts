import { unifiedDiff } from './unifiedDiff.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import type { ApiObject } from '../../../meta/types.ts'

/**
 * Changes of a claim that a node may not make, as a unified diff of its fields; empty: none.
 * Source: seen on kube-apiserver 1.37.2, whose diff shows the fields in Go's spelling.
 */
export function claimChanges(old: ApiObject, next: ApiObject): string {
  return unifiedDiff(shown(old), shown(next))
}

function shown(claim: ApiObject): string {
  const { metadata } = claim
  const kept = metadataFields.flatMap((name) => {
    const value: unknown = metadata[name] ?? (name === 'creationTimestamp' ? null : undefined)
    return value === undefined ? [] : [[name, value] as const]
  })
  const object = {
    ...Object.fromEntries(kept),
    Spec: fieldsOf(claim['spec'], specFields),
    Status: fieldsOf(claim['status'], statusFields),
  }
  return JSON.stringify(object, undefined, 1)
}

const metadataFields = [
  ...['name', 'generateName', 'namespace', 'selfLink', 'uid', 'generation', 'creationTimestamp'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds', 'labels', 'annotations'],
  ...['ownerReferences', 'finalizers'],
] as (keyof ApiObject['metadata'])[]

/** Fields in Go's order, with the value of an absent field. */
type Fields = readonly (readonly [name: string, absent: unknown])[]

const specFields: Fields = [
  ['AccessModes', null],
  ['Selector', null],
  ['Resources', { Limits: null, Requests: null }],
  ['VolumeName', ''],
  ['StorageClassName', null],
  ['VolumeMode', null],
  ['DataSource', null],
  ['DataSourceRef', null],
  ['VolumeAttributesClassName', null],
]

const statusFields: Fields = [
  ['Phase', ''],
  ['AccessModes', null],
  ['Capacity', null],
  ['Conditions', null],
  ['AllocatedResources', null],
  ['AllocatedResourceStatuses', null],
  ['CurrentVolumeAttributesClassName', null],
  ['ModifyVolumeStatus', null],
  ['HealthStatus', null],
]
/** Fields that a node may change. */
const ofNodes = ['Capacity', 'Conditions', 'AllocatedResources', 'AllocatedResourceStatuses']

function fieldsOf(value: unknown, fields: Fields): Record<string, unknown> {
  const own = isObject(value) ? value : {}
  return Object.fromEntries(
    fields.map(([name, absent]) => {
      const given = ofNodes.includes(name) ? undefined : own[lowerCamel(name)]
      return [name, given === undefined ? absent : spelt(name, given, absent)]
    }),
  )
}

/** Value with its fields in Go's spelling; selector fields are spelt as in the API. */
function spelt(name: string, value: unknown, absent: unknown): unknown {
  if (!isObject(value) || name === 'Selector') return value
  const given = Object.entries(value).map(([field, inner]) => [upperCamel(field), inner])
  return { ...(isObject(absent) ? absent : {}), ...Object.fromEntries(given) }
}

function lowerCamel(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

function upperCamel(name: string): string {
  return name === 'apiGroup' ? 'APIGroup' : name.slice(0, 1).toUpperCase() + name.slice(1)
}
