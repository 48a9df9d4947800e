import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { refusedLabel } from '../fieldLabels.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { eventResource as coreEventResource } from '../core/event/event.ts'
import { eventChangeErrors, newEventErrors } from './eventRules.ts'

/** Fields with different names in the two versions: internal, external. */
const names: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
]

/**
 * Events of the core group with the field names of the newer API. Source: Kubernetes API reference, Event
 * (events.k8s.io/v1).
 */
export function eventResource(context: KindContext): ResourceDefinition {
  const core = coreEventResource(context)
  const columns = (core.columns ?? []).map((column) => ({
    ...column,
    cell: (object: ApiObject, nowMs: number) => column.cell(toCore(object), nowMs),
  }))
  const fields = Object.entries(core.selectableFields ?? {})
  return builtInKind(context.types, {
    group: 'events.k8s.io',
    version: 'v1',
    plural: 'events',
    kind: 'Event',
    namespaced: true,
    shortNames: ['ev'],
    description: 'Event reports something that happened in the cluster.',
    strategy: {
      generation: 'none',
      nameRule: 'pathSegment',
      // Its own rules report finalizers.
      metadata: { reportedFirst: false, qualifiedFinalizers: false },
      allowCreateOnUpdate: true,
      validate: (object) => newEventErrors(toCore(object)),
      validateUpdate: (next, old) => eventChangeErrors(toCore(next), toCore(old)),
    },
    storedAs: { resource: core, toStored: toCore, fromStored: fromCore },
    refusedField: refusedLabel,
    selectableFields: Object.fromEntries(
      fields.map(([path, valueOf]) => [newPath(path), (object) => valueOf(toCore(object))]),
    ),
    columns,
  })
}

function newPath(path: string): string {
  const [here] = names.find(([, there]) => there === path.split('.')[0]) ?? []
  return here === undefined ? path : [here, ...path.split('.').slice(1)].join('.')
}

function toCore(object: ApiObject): ApiObject {
  return { ...renamed(object, new Map(names)), apiVersion: 'v1' }
}

function fromCore(object: ApiObject): ApiObject {
  const back = new Map(names.map(([here, there]) => [there, here]))
  return { ...renamed(object, back), apiVersion: 'events.k8s.io/v1' }
}

function renamed(object: ApiObject, to: ReadonlyMap<string, string>): ApiObject {
  const members = Object.entries(object).map(([name, value]) => [to.get(name) ?? name, value])
  // kind, apiVersion and metadata keep their names.
  return Object.fromEntries(members) as ApiObject
}
