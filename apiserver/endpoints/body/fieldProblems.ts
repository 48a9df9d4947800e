import { goQuote } from '../../meta/goQuote.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { canonicalForm, objectSchema } from '../../registry/schema/canonicalForm.ts'

/** Unknown and repeated fields of a body, as messages for clients. */
export function fieldProblems(
  unknownFields: readonly string[],
  duplicates: readonly string[],
  isDecoded: boolean,
): readonly string[] {
  if (unknownFields.length === 0 && duplicates.length === 0) return noProblems
  const problems = isDecoded
    ? [...told(unknownFields.slice(0, maxProblems)), ...outside(unknownFields, duplicates)]
    : [...duplicates, ...told(pruningOrder(unknownFields).slice(0, maxProblems))]
  return problems.slice(0, maxProblems)
}

const maxProblems = 100
const noProblems: readonly string[] = []

function told(unknownFields: readonly string[]): string[] {
  return unknownFields.map((path) => `unknown field ${goQuote(path)}`)
}

export function isOfMetadata(path: string): boolean {
  return path.startsWith('metadata.')
}

/**
 * Sorts problems as for custom kinds: metadata first, each part alphabetically. Source: observed
 * answers.
 */
function pruningOrder(unknownFields: readonly string[]): string[] {
  const sorted = [...unknownFields].sort()
  return [...sorted.filter(isOfMetadata), ...sorted.filter((path) => !isOfMetadata(path))]
}

/**
 * Duplicates outside of unknown fields: the library does not look into unknown fields, except for custom kinds.
 * Source: observed answers.
 */
function outside(
  unknownFields: readonly string[],
  duplicates: readonly string[],
): readonly string[] {
  if (unknownFields.length === 0 || duplicates.length === 0) return duplicates
  const within = unknownFields.flatMap((path) => {
    const start = `duplicate field ${goQuote(path).slice(0, -1)}`
    return [`${start}"`, `${start}.`, `${start}[`]
  })
  return duplicates.filter((text) => !within.some((start) => text.startsWith(start)))
}

/**
 * Problems of a custom object of another version: the fields that `served`, the version's
 * definition, lacks; none if the version is not defined. Source: apiextensions,
 * schemaCoercingDecoder; seen on kube-apiserver 1.37.2.
 */
export function problemsOfVersion(
  value: Readonly<Record<string, unknown>>,
  served: ResourceDefinition | undefined,
): readonly string[] {
  const schema = objectSchema(served?.schema ?? { type: 'object' })
  return fieldProblems(canonicalForm(value, schema).unknownFields, [], false)
}

/** Problems of the metadata of a custom object of another kind. Source: seen on kube-apiserver 1.37.2. */
export function metadataProblems(value: Readonly<Record<string, unknown>>): readonly string[] {
  return problemsOfVersion({ metadata: value['metadata'] }, undefined)
}
