import { addToGroup } from '../../meta/collections/groupBy.ts'
import { managementGroup, type NamesProfile } from '../../meta/names/namesProfile.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { Strategy } from '../../registry/strategy.ts'
import type { PlaneAccess } from '../planeAccess.ts'

/**
 * Spec fields that name a cluster-scoped object, as paths without indexes, and the kind they refer
 * to. A function determines the kind from neighbouring fields, or from the kind of the whole
 * object.
 */
export const referenceFields: Readonly<Record<string, Target>> = {
  'spec.user': 'users',
  'spec.team': 'teams',
  'spec.users': 'users',
  'spec.owner.user': 'users',
  'spec.owner.team': 'teams',
  'spec.access.users': 'users',
  'spec.access.teams': 'teams',
  'spec.extraAccessRules.users': 'users',
  'spec.extraAccessRules.teams': 'teams',
  'spec.clusterRoles.name': 'clusterroles',
  'spec.members.name': ({ kind }) => byKind(kind),
  'spec.members.clusterRole': 'clusterroles',
  'spec.allowedClusters.name': 'clusters',
  'spec.allowedTemplates.name': ({ kind }) => byKind(kind),
  'spec.clusterRef.cluster': 'clusters',
  'spec.templateRef.name': (_, { kind }) => byKind(kind.replace(/Instance$/, 'Template')),
}

type Target =
  string | ((parent: Readonly<Record<string, unknown>>, whole: ApiObject) => string | undefined)

const pluralOf: Readonly<Record<string, string>> = {
  User: 'users',
  Team: 'teams',
  VirtualClusterTemplate: 'virtualclustertemplates',
  SpaceTemplate: 'spacetemplates',
}

function byKind(kind: unknown): string | undefined {
  return typeof kind === 'string' && Object.hasOwn(pluralOf, kind) ? pluralOf[kind] : undefined
}

interface Reference {
  /** Path with indexes. */
  path: string
  plural: string
  name: string
}

/** Maximum number of warnings, limited by the size of headers. */
const maxWarnings = 10

/** Adds warnings to the kinds of the management group. */
export function warningKinds<Kinds extends object>(
  kinds: Kinds,
  names: NamesProfile,
  access: PlaneAccess,
): Kinds {
  const group = managementGroup(names)
  const entries = Object.entries(kinds as Record<string, ResourceDefinition>).map(
    ([key, kind]) =>
      [
        key,
        kind.group === group && kind.answers === undefined
          ? warnsOfMissing(kind, { group, access })
          : kind,
      ] as const,
  )
  // Type-safe: the same keys, each with a definition.
  return Object.fromEntries(entries) as Kinds
}

/**
 * A kind that warns of references to missing objects: they are accepted, since the objects may be
 * created later. On updates, only new names are checked.
 */
function warnsOfMissing(resource: ResourceDefinition, world: World): ResourceDefinition {
  const { strategy } = resource
  const warnings = (next: ApiObject, old?: ApiObject) => missing(next, old, world)
  const wrapped: Strategy = {
    ...strategy,
    warningsOnCreate: (object, context) => {
      const own = strategy.warningsOnCreate?.(object, context)
      return joined(own, warnings(object))
    },
    warningsOnUpdate: (next, old, context) => {
      const own = strategy.warningsOnUpdate?.(next, old, context)
      return joined(own, warnings(next, old))
    },
  }
  return { ...resource, strategy: wrapped }
}

function joined(own: readonly string[] | undefined, found: readonly string[]): readonly string[] {
  return own === undefined || own.length === 0 ? found : [...own, ...found]
}

interface World {
  /** The management group. */
  group: string
  access: PlaneAccess
}

function missing(next: ApiObject, old: ApiObject | undefined, world: World): readonly string[] {
  const references = referencesIn(next)
  // Nearly always, nothing is missing.
  if (references.every((one) => exists(one, world))) return noWarnings
  const key = ({ plural, name }: Reference) => `${plural}/${name}`
  const before = old && new Set(referencesIn(old).map(key))
  const isNew = (one: Reference) => before?.has(key(one)) !== true
  const found = references.filter((one) => isNew(one) && !exists(one, world))
  if (found.length === 0) return noWarnings
  const told = found
    .slice(0, maxWarnings)
    .map(
      ({ path, plural, name }) =>
        `${path}: there is no object ${JSON.stringify(name)} of ${plural}`,
    )
  const left = found.length - told.length
  return left === 0 ? told : [...told, `${left} more objects that are named do not exist`]
}

const noWarnings: readonly string[] = []

function exists({ plural, name }: Reference, { group, access }: World): boolean {
  const ofKind = plural === 'clusterroles' ? 'rbac.authorization.k8s.io' : group
  const resource = access.resources().get({ group: ofKind, version: 'v1' }, plural)
  // Objects of a kind that is not served cannot be checked.
  return resource === undefined || access.storeOf(resource).holds({ namespace: '', name })
}

interface ReferenceField {
  steps: readonly string[]
  target: Target
}

/** Fields by the first member of their path in the spec. */
const fieldsByMember = new Map<string, ReferenceField[]>()
for (const [path, target] of Object.entries(referenceFields)) {
  const [, member = '', ...steps] = path.split('.')
  addToGroup(fieldsByMember, member, { steps: [member, ...steps], target })
}

function referencesIn(object: ApiObject): readonly Reference[] {
  const { spec } = object
  if (!isObject(spec)) return noReferences
  let found: Reference[] | undefined
  for (const member in spec) {
    const fields = fieldsByMember.get(member)
    if (fields === undefined) continue
    found ??= []
    for (const field of fields) collect(spec, { field, depth: 0, at: 'spec' }, object, found)
  }
  return found ?? noReferences
}

const noReferences: readonly Reference[] = []

/** Position on the way to a field, after `depth` of its steps. */
interface Place {
  field: ReferenceField
  depth: number
  /** Path with indexes. */
  at: string
}

/** Adds the references of the field below `parent`, traversing every item of lists. */
function collect(
  parent: Readonly<Record<string, unknown>>,
  { field, depth, at }: Place,
  object: ApiObject,
  found: Reference[],
): void {
  const step = field.steps[depth] ?? ''
  const value = Object.hasOwn(parent, step) ? parent[step] : undefined
  if (value === undefined) return
  const path = `${at}.${step}`
  const take = (item: unknown, path: string): void => {
    if (depth + 1 === field.steps.length) {
      const reference = referenceTo(item, path, field.target, { parent, object })
      if (reference !== undefined) found.push(reference)
    } else if (isObject(item)) {
      collect(item, { field, depth: depth + 1, at: path }, object, found)
    }
  }
  if (Array.isArray(value)) value.forEach((item, index) => take(item, `${path}[${index}]`))
  else take(value, path)
}

/** Reference in a value; undefined: none, or `*`, which refers to all objects of the kind. */
function referenceTo(
  value: unknown,
  path: string,
  target: Target,
  { parent, object }: { parent: Readonly<Record<string, unknown>>; object: ApiObject },
): Reference | undefined {
  if (typeof value !== 'string' || value === '' || value === '*') return undefined
  const plural = typeof target === 'string' ? target : target(parent, object)
  return plural === undefined ? undefined : { path, plural, name: value }
}
