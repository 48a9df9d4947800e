import { isDeepStrictEqual } from 'node:util'
import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { dns1035Errors, subdomainErrors } from '../../../meta/names/nameValidation.ts'
import { approvalAnnotation, approvalOf } from '../../../customResources/approval.ts'
import type { CelLibrary } from '../../../cel/library.ts'
import {
  conditionIsTrue,
  type CustomResourceDefinition,
  type DefinitionNames,
  type DefinitionSpec,
  type DefinitionVersion,
} from '../../../customResources/definition.ts'
import { unchanged } from '../../fieldChecks.ts'
import { conversionErrors } from './conversionRules.ts'
import { patternsLengthErrors } from './patternBounds.ts'
import { expressionsOf, type RuleReading } from './validationRules.ts'
import { defaultLimits } from './defaultRules.ts'
import { sharedErrors, sharedParts, versionErrors } from './versionRules.ts'

/** Errors for a new definition. Source: apiextensions, ValidateCustomResourceDefinition. */
export function definitionErrors(
  definition: CustomResourceDefinition,
  cel: CelLibrary,
): FieldError[] {
  const { spec, status } = definition
  return [
    ...specErrors(spec, { cel, limits: defaultLimits() }),
    ...storedErrors(status?.storedVersions, spec),
    ...approvalErrors(definition),
  ]
}

/** Errors for names of a new definition, which consist of plural and group. */
export function definitionNameErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  const wanted = `${spec.names.plural}.${spec.group}`
  const wrong = (given: string, path: string) =>
    given === '' || given === wanted
      ? []
      : [invalidField(path, given, 'must be spec.names.plural+"."+spec.group')]
  const { name = '', generateName = '' } = metadata
  // A missing name is refused by the metadata rules.
  return [...wrong(generateName, 'metadata.generateName'), ...wrong(name, 'metadata.name')]
}

export function definitionUpdateErrors(
  next: CustomResourceDefinition,
  old: CustomResourceDefinition,
  cel: CelLibrary,
): FieldError[] {
  const fixed = conditionIsTrue(old, 'Established')
    ? [
        ...unchanged('spec.scope', next.spec.scope, old.spec.scope),
        ...unchanged('spec.names.kind', next.spec.names.kind, old.spec.names.kind),
      ]
    : []
  return [
    ...specErrors(next.spec, {
      cel,
      limits: defaultLimits(),
      known: expressionsOf(old.spec),
      unchanged: unchangedVersions(next.spec, old.spec),
    }),
    ...fixed,
    ...unchanged('spec.group', next.spec.group, old.spec.group),
    ...unchanged('spec.names.plural', next.spec.names.plural, old.spec.names.plural),
    ...storedErrors(next.status?.storedVersions, next.spec),
    ...approvalErrors(next, old),
  ]
}

/** Names of versions with an unchanged schema. */
function unchangedVersions(next: DefinitionSpec, old: DefinitionSpec): ReadonlySet<string> {
  const before = new Map(old.versions.map(({ name, schema }) => [name, schema]))
  const same = next.versions.filter(
    ({ name, schema }) => before.has(name) && isDeepStrictEqual(schema, before.get(name)),
  )
  return new Set(same.map(({ name }) => name))
}

const scopes = ['Cluster', 'Namespaced']

function specErrors(spec: DefinitionSpec, reading: RuleReading): FieldError[] {
  const tooLong = patternsLengthErrors(spec.versions)
  if (tooLong.length > 0) return tooLong
  const { group, scope, versions, names, preserveUnknownFields } = spec
  const shared = sharedParts(versions)
  const errors = groupErrors(group)
  if (scope === '') errors.push(requiredField('spec.scope'))
  else if (!scopes.includes(scope)) errors.push(notSupportedField('spec.scope', scope, scopes))
  versions.forEach((version, at) => {
    if (version.schema?.openAPIV3Schema === undefined)
      errors.push(requiredField(`spec.versions[${at}].schema.openAPIV3Schema`))
  })
  versions.forEach((version, at) => {
    errors.push(...versionErrors(version, reading, { path: `spec.versions[${at}]`, shared }))
  })
  errors.push(...versionListErrors(versions))
  if (preserveUnknownFields === true) {
    const why =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
    errors.push(invalidField('spec.preserveUnknownFields', true, why))
  }
  return [
    ...errors,
    ...namesErrors(names),
    ...sharedErrors(versions, reading, shared),
    ...conversionErrors(spec),
  ]
}

/** Versions of a definition without any, which errors show as null. */
export const missingVersions: DefinitionVersion[] = []

function versionListErrors(versions: readonly DefinitionVersion[]): FieldError[] {
  const errors: FieldError[] = []
  const told = versions === missingVersions ? undefined : versions.map(asTold)
  const known = versions.map(({ name }) => name)
  if (new Set(known).size < known.length)
    errors.push(invalidField('spec.versions', told, 'must contain unique version names'))
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const why = 'must have exactly one version marked as storage version'
    errors.push(invalidField('spec.versions', told, why))
  }
  // The first version represents the definition as a whole.
  const [first = ''] = known
  const texts = first === '' ? [] : dns1035Errors(first)
  if (texts.length > 0) errors.push(invalidField('spec.version', first, texts.join(',')))
  return errors
}

/** Version as error messages show it. */
function asTold({
  name,
  served,
  storage,
  deprecated = false,
  deprecationWarning = null,
}: TellableVersion) {
  return {
    ...{ Name: name, Served: served, Storage: storage },
    ...{ Deprecated: deprecated, DeprecationWarning: deprecationWarning },
    ...{ Schema: null, Subresources: null, AdditionalPrinterColumns: null, SelectableFields: null },
  }
}

type TellableVersion = Omit<DefinitionVersion, 'deprecationWarning'> & {
  deprecationWarning?: string | null
}

function groupErrors(group: string): FieldError[] {
  if (group === '') return [requiredField('spec.group')]
  const texts = subdomainErrors(group)
  if (texts.length > 0) return [invalidField('spec.group', group, texts.join(','))]
  return group.includes('.')
    ? []
    : [invalidField('spec.group', group, 'should be a domain with at least one dot')]
}

function namesErrors(names: DefinitionNames): FieldError[] {
  const missing = singleNames
    .filter((name) => (names[name] ?? '') === '')
    .map((name) => requiredField(`spec.names.${name}`))
  return [...missing, ...nameErrors(names, 'spec.names')]
}

/** Errors for accepted names, which may be missing. */
export function acceptedNamesErrors({ status }: CustomResourceDefinition): FieldError[] {
  return nameErrors(status?.acceptedNames ?? {}, 'status.acceptedNames')
}

const singleNames = ['plural', 'singular', 'kind', 'listKind'] as const

function nameErrors(names: Partial<DefinitionNames>, path: string): FieldError[] {
  const errors: FieldError[] = []
  const check = (name: string, value: string) => {
    const isKind = /kind$/i.test(name)
    const texts = dns1035Errors(isKind ? value.toLowerCase() : value).join(',')
    const prefix = isKind ? 'may have mixed case, but should otherwise match: ' : ''
    if (texts !== '') errors.push(invalidField(`${path}.${name}`, value, `${prefix}${texts}`))
  }
  for (const name of singleNames) {
    const value = names[name] ?? ''
    // Missing names are reported elsewhere.
    if (value !== '') check(name, value)
  }
  names.shortNames?.forEach((name, at) => check(`shortNames[${at}]`, name))
  if ((names.kind ?? '') !== '' && names.kind === names.listKind) {
    const why = 'kind and listKind may not be the same'
    errors.push(invalidField(`${path}.listKind`, names.listKind, why))
  }
  names.categories?.forEach((name, at) => check(`categories[${at}]`, name))
  return errors
}

function storedErrors(
  stored: readonly string[] | null | undefined,
  { versions }: DefinitionSpec,
): FieldError[] {
  const path = 'status.storedVersions'
  if (stored === undefined || stored === null || stored.length === 0)
    return [invalidField(path, stored ?? null, 'must have at least one stored version')]
  // A version listed twice counts once.
  const left = new Set(stored)
  const missing = versions.flatMap(({ name, storage }) =>
    left.delete(name) || !storage
      ? []
      : [invalidField(path, stored, `must have the storage version ${name}`)],
  )
  const gone = stored.flatMap((name, at) => {
    if (versions.some((version) => version.name === name)) return []
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`
    return [invalidField(`${path}[${at}]`, name, why)]
  })
  return [...missing, ...gone]
}

/** Errors for the API approval, unless an update leaves its state unchanged. */
function approvalErrors(
  next: CustomResourceDefinition,
  old?: CustomResourceDefinition,
): FieldError[] {
  const approval = approvalOf(next)
  if (approval === undefined || approval.state === (old && approvalOf(old))?.state) return []
  const { state, message, value } = approval
  const path = `metadata.annotations[${approvalAnnotation}]`
  if (state === 'Missing') return [requiredField(path, message)]
  return state === 'Invalid' ? [invalidField(path, value, message)] : []
}
