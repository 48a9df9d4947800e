import {
  addError,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import { goQuote } from '../../meta/goQuote.ts'
import {
  dns1035Errors,
  labelErrors,
  labelKeyErrors,
  labelValueErrors,
  longNameErrors,
  pathPrefixErrors,
  pathSegmentErrors,
  subdomainErrors,
} from '../../meta/names/nameValidation.ts'
import type { ObjectMeta, OwnerReference } from '../../meta/types.ts'
import type { NameRule } from '../strategy.ts'

const maxAnnotationBytes = 256 * 1024

const nameRules: Readonly<Record<NameRule, (name: string) => string[]>> = {
  subdomain: subdomainErrors,
  longName: longNameErrors,
  label: labelErrors,
  dns1035: dns1035Errors,
  pathSegment: pathSegmentErrors,
  own: () => [],
}

export interface MetadataRules {
  namespaced: boolean
  nameRule: NameRule
}

/** Validates metadata, for every kind. Source: reference 3.10. */
export function validateMetadata(meta: ObjectMeta, rules: MetadataRules): FieldError[] {
  return joined(
    nameErrors(meta, rules.nameRule),
    namespaceErrors(meta.namespace ?? '', rules.namespaced),
    generationErrors(meta.generation ?? 0),
    meta.labels === undefined ? none : labelsErrors('metadata.labels', meta.labels),
    meta.annotations === undefined
      ? none
      : annotationsErrors('metadata.annotations', meta.annotations),
    meta.ownerReferences === undefined ? none : ownerErrors(meta.ownerReferences),
    meta.finalizers === undefined ? none : finalizerErrors(meta.finalizers),
    meta.managedFields === undefined ? none : managedFieldsErrors(meta.managedFields),
  )
}

const none: readonly FieldError[] = []

/** Joins lists of errors; they are nearly always empty, and every write calls it. */
function joined(...lists: readonly (readonly FieldError[])[]): FieldError[] {
  return lists.every((list) => list.length === 0) ? [] : lists.flat()
}

/** Validates changes of metadata. Source: reference 3.10, "Update only". */
export function validateMetadataUpdate(next: ObjectMeta, old: ObjectMeta): FieldError[] {
  return [
    ...immutable.flatMap((field) =>
      next[field] === old[field]
        ? []
        : [invalidField(`metadata.${field}`, shownValue(next[field]), 'field is immutable')],
    ),
    ...((next.resourceVersion ?? '') === ''
      ? [invalidField('metadata.resourceVersion', '', 'must be specified for an update')]
      : []),
    ...((next.generation ?? 0) < (old.generation ?? 0)
      ? [invalidField('metadata.generation', next.generation ?? 0, 'must not be decremented')]
      : []),
    ...newFinalizerErrors(next, old),
    // In addition to `validateMetadata`, so that an update reports each of them twice, like the library.
    ...labelsErrors('metadata.labels', next.labels ?? {}),
    ...annotationsErrors('metadata.annotations', next.annotations ?? {}),
    ...ownerErrors(next.ownerReferences ?? []),
    ...managedFieldsErrors(next.managedFields ?? []),
  ]
}

/** Time with whole seconds: finer parts are lost when it is parsed. */
function shownValue(value: string | number | undefined): string | number {
  if (typeof value !== 'string') return value ?? ''
  return value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/, '$1Z')
}

const immutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const

function newFinalizerErrors(next: ObjectMeta, old: ObjectMeta): FieldError[] {
  if (old.deletionTimestamp === undefined) return []
  const added = new Set(next.finalizers ?? [])
  for (const name of old.finalizers ?? []) added.delete(name)
  if (added.size === 0) return []
  const list = [...added].sort().map(goQuote).join(', ')
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
  return [forbiddenField('metadata.finalizers', detail)]
}

function nameErrors(meta: ObjectMeta, rule: NameRule): FieldError[] {
  const { name = '', generateName = '' } = meta
  const errors: FieldError[] = []
  if (generateName !== '') {
    const prefix = generateName.replace(/-$/, 'a')
    errors.push(
      ...nameRules[rule](prefix).map((text) =>
        invalidField('metadata.generateName', generateName, text),
      ),
    )
  }
  if (name === '')
    return [...errors, requiredField('metadata.name', 'name or generateName is required')]
  return [
    ...errors,
    ...nameRules[rule](name).map((text) => invalidField('metadata.name', name, text)),
  ]
}

/**
 * Errors of `generateName` as part of a path, which an update reports before the rules of the kind.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function prefixErrors({ generateName = '' }: ObjectMeta): readonly FieldError[] {
  if (generateName === '') return none
  return pathPrefixErrors(generateName).map((text) =>
    invalidField('metadata.generateName', generateName, text),
  )
}

function namespaceErrors(namespace: string, namespaced: boolean): FieldError[] {
  if (!namespaced) {
    return namespace === ''
      ? []
      : [forbiddenField('metadata.namespace', 'not allowed on this type')]
  }
  if (namespace === '') return [requiredField('metadata.namespace')]
  return labelErrors(namespace).map((text) => invalidField('metadata.namespace', namespace, text))
}

function generationErrors(generation: number): FieldError[] {
  if (generation >= 0) return []
  return [invalidField('metadata.generation', generation, 'must be greater than or equal to 0')]
}

/** Validates labels. Source: apimachinery, ValidateLabels. */
export function labelsErrors(path: string, labels: Readonly<Record<string, string>>): FieldError[] {
  const errors: FieldError[] = []
  for (const [key, value] of Object.entries(labels)) {
    for (const text of labelKeyErrors(key)) addError(errors, () => invalidField(path, key, text))
    for (const text of labelValueErrors(value))
      addError(errors, () => invalidField(path, value, text))
  }
  return errors
}

/** Validates annotations. Source: apimachinery, ValidateAnnotations. */
export function annotationsErrors(
  path: string,
  annotations: Readonly<Record<string, string>>,
): FieldError[] {
  const errors: FieldError[] = []
  let bytes = 0
  for (const [key, value] of Object.entries(annotations)) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
    for (const text of labelKeyErrors(key.toLowerCase())) {
      addError(errors, () => invalidField(path, key, text))
    }
  }
  return bytes > maxAnnotationBytes ? [...errors, tooLongField(path, maxAnnotationBytes)] : errors
}

function ownerErrors(owners: readonly OwnerReference[]): FieldError[] {
  const path = 'metadata.ownerReferences'
  const errors = owners.flatMap((owner, index) => oneOwnerErrors(owner, `${path}[${index}]`))
  const [first, ...others] = owners
    .filter((owner) => owner.controller === true)
    .map(({ kind, name }) => `${kind}/${name}`)
  if (others.length === 0) return errors
  // Each error contains the whole list, so it is formatted once.
  const shown = invalidField(path, owners)
  const tooMany = others.map((other) => {
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${other}`
    return { ...shown, message: `${shown.message}: ${detail}` }
  })
  return [...errors, ...tooMany]
}

function oneOwnerErrors(owner: OwnerReference, path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const) {
    if (owner[field] === '') errors.push(requiredField(`${path}.${field}`, 'must not be empty'))
    else if (field === 'apiVersion' && !isGroupVersion(owner.apiVersion)) {
      const detail = 'must be <group>/<version> or <version>'
      errors.push(invalidField(`${path}.apiVersion`, owner.apiVersion, detail))
    }
  }
  if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
    errors.push(invalidField(path, owner, '/v1, Kind=Event is disallowed from being an owner'))
  }
  return errors
}

function isGroupVersion(apiVersion: string): boolean {
  const parts = apiVersion.split('/')
  return parts.length <= 2 && parts.at(-1) !== ''
}

function finalizerErrors(finalizers: readonly string[]): FieldError[] {
  const path = 'metadata.finalizers'
  const errors: FieldError[] = []
  for (const name of finalizers) {
    for (const text of labelKeyErrors(name)) addError(errors, () => invalidField(path, name, text))
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    const detail = 'finalizer orphan and foregroundDeletion cannot be both set'
    errors.push(invalidField(path, finalizers, detail))
  }
  return errors
}

const standardFinalizers = ['orphan', 'foregroundDeletion', 'kubernetes']

/** Reports whether a finalizer has a prefix with its owner, or is a standard one. */
export function isUsualFinalizer(name: string): boolean {
  return name.includes('/') || standardFinalizers.includes(name)
}

/** Additional errors of finalizers for core kinds, each with its index. Source: observed answers. */
export function qualifiedFinalizerErrors({ finalizers = [] }: ObjectMeta): FieldError[] {
  const detail = 'name is neither a standard finalizer name nor is it fully qualified'
  return finalizers.flatMap((name, index) =>
    isUsualFinalizer(name) ? [] : [invalidField(`metadata.finalizers[${index}]`, name, detail)],
  )
}

function managedFieldsErrors(entries: NonNullable<ObjectMeta['managedFields']>): FieldError[] {
  return entries.flatMap((entry, index) => {
    const path = `metadata.managedFields[${index}]`
    const errors: FieldError[] = []
    if (entry.operation !== 'Apply' && entry.operation !== 'Update') {
      errors.push(
        invalidField(`${path}.operation`, entry.operation ?? '', 'must be `Apply` or `Update`'),
      )
    }
    if (entry.fieldsType !== 'FieldsV1') {
      errors.push(invalidField(`${path}.fieldsType`, entry.fieldsType ?? '', 'must be `FieldsV1`'))
    }
    if (Buffer.byteLength(entry.manager ?? '') > 128)
      errors.push(tooLongField(`${path}.manager`, 128))
    if (Buffer.byteLength(entry.subresource ?? '') > 256)
      errors.push(tooLongField(`${path}.subresource`, 256))
    return errors
  })
}
