import { isObject } from '../meta/json/isObject.ts'
import { admissionTypes } from './admissionTypes.ts'
import { CelLibrary, type CompiledExpression } from './library.ts'
import { dyn, objectType, typeText, type CelType } from './types/types.ts'

/** The variables of match conditions of webhooks. */
export const webhookVariables: readonly string[] = [
  ...['object', 'oldObject', 'request', 'namespaceObject', 'authorizer'],
]

/** The variables of match conditions of policies. */
export const conditionVariables: readonly string[] = [...webhookVariables, 'params']

/** The variables of the expressions of policies. */
export const policyVariables: readonly string[] = [...conditionVariables, 'variables']

/** Types of what earlier expressions of a policy are called. */
export type ComposedTypes = ReadonlyMap<string, CelType>

/** Expressions about a request that is admitted. The library is loaded with the first of them.
 *  Source: Kubernetes documentation, "Validating Admission Policy", "Validation Expression". */
export class AdmissionExpressions {
  readonly #library = new CelLibrary()

  load(): Promise<void> {
    return this.#library.load()
  }

  /** Why a string is not an expression of one of the types, by their names; undefined: it is. */
  problem(
    source: string,
    types: readonly string[],
    variables: readonly string[],
    composed: ComposedTypes = new Map(),
  ): string | undefined {
    try {
      const found = typeText(this.typeOf(source, variables, composed))
      const type = found === 'null' ? 'null_type' : found
      if (types.includes(type)) return undefined
      const wanted = types.length === 1 ? types[0] : `one of [${types.join(' ')}]`
      return `must evaluate to ${wanted} but got ${type}`
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  /** @throws Error that says what is wrong with the expression. */
  typeOf(source: string, variables: readonly string[], composed: ComposedTypes): CelType {
    const types = new Map(
      variables.map((name): [string, CelType] => [name, admissionTypes[name] ?? dyn]),
    )
    if (types.has('variables')) {
      types.set(
        'variables',
        objectType((name) => composed.get(name)),
      )
    }
    return this.#library.typeOf(source, types)
  }

  /** @throws Error that says what cannot be read. */
  compile(source: string, variables: readonly string[], limit?: number): CompiledExpression {
    return this.#library.expression(source, variables, limit)
  }
}

/** A JSON value as expressions see it: whole numbers are bigints. */
export function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(celValue)
  if (!isObject(value)) return value ?? null
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => {
    return [name, celValue(member)]
  })
  // The library knows a plain object by its constructor, which such a key hides.
  return Object.hasOwn(value, 'constructor') ? new Map(entries) : Object.fromEntries(entries)
}
