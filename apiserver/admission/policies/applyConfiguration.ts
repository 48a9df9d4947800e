import { messageOf } from '../../meta/messageOf.ts'
import type { Schema } from '../../meta/schema.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { fieldType, type FieldType } from '../../patch/apply/typed/fieldType.ts'
import { mergeTyped } from '../../patch/apply/typed/mergeTyped.ts'
import { validateTyped } from '../../patch/apply/typed/validateTyped.ts'

/**
 * Merges a configuration into an object without removing anything. Neither argument is changed.
 * @throws Error for fields missing from the schema, and for parts that can only be replaced as a whole.
 * Source: Kubernetes, "Mutating Admission Policy", "ApplyConfiguration".
 */
export function appliedConfiguration(
  object: object,
  configuration: object,
  schema: Schema,
): object {
  const type = fieldType(schema)
  attempt('failed to convert patch object to typed object', () =>
    validateTyped(configuration, type),
  )
  const atomic = atomicParts(configuration, type, '')
  if (atomic.length > 0) {
    const places = atomic.join(', ')
    throw new Error(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${places}`,
    )
  }
  attempt('failed to convert original object to typed object', () =>
    validateTyped(object, type, { allowDuplicates: true }),
  )
  // mergeTyped() of two objects returns an object.
  return attempt('failed to merge patch', () => mergeTyped(object, configuration, type)) as object
}

function attempt<Result>(what: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    const why = messageOf(error)
    throw new Error(`${what}: ${why}`, { cause: error })
  }
}

/** Paths of the atomic lists, maps and structs of a configuration. */
function atomicParts(value: unknown, type: FieldType, path: string): string[] {
  if (isObject(value) && type.map !== undefined) {
    const { map } = type
    const own = map.isAtomic ? [path] : []
    return Object.entries(value).reduce((found, [name, member]) => {
      const field = map.fields.get(name)?.type
      return field === undefined
        ? found
        : [...found, ...atomicParts(member, field, `${path}.${name}`)]
    }, own)
  }
  if (!Array.isArray(value) || type.list === undefined) return []
  const { isAtomic, items } = type.list
  const own = isAtomic ? [path] : []
  return [...own, ...value.flatMap((item, at) => atomicParts(item, items, `${path}[${at}]`))]
}
