import { messageOf } from '../meta/messageOf.ts'
import { admissionTypes } from './admissionTypes.ts'
import { CelLibrary, type CompiledExpression, type ExpressionOptions } from './library.ts'
import type { PatchTypes } from './types/patchTypes.ts'
import { dyn, objectType, typeText, type CelType } from './types/types.ts'

/** Variables in match conditions of webhooks. */
export const webhookVariables: readonly string[] = [
  ...['object', 'oldObject', 'request', 'namespaceObject', 'authorizer'],
]

/** Variables in match conditions of policies. */
export const conditionVariables: readonly string[] = [...webhookVariables, 'params']

/** Variables in the other expressions of policies. */
export const policyVariables: readonly string[] = [...conditionVariables, 'variables']

/** Result types of earlier expressions of a policy. */
export type ComposedTypes = ReadonlyMap<string, CelType>

/** Additional names that an expression may use. */
export interface TypeOptions {
  composed?: ComposedTypes | undefined
  /** Named types that the expression may create. Default: none. */
  structs?: PatchTypes | undefined
}

/**
 * Expressions about a request in admission.
 * Source: Kubernetes documentation, "Validating Admission Policy", "Validation Expression".
 */
export class AdmissionExpressions {
  readonly #library = new CelLibrary()

  /** Reports why a string is not an expression of one of the named types; undefined: it is one. */
  problem(
    source: string,
    types: readonly string[],
    variables: readonly string[],
    { composed, structs }: TypeOptions = {},
  ): string | undefined {
    try {
      const found = typeText(this.typeOf(source, variables, { composed, structs }))
      const type = found === 'null' ? 'null_type' : found
      if (types.includes(type)) return undefined
      const wanted = types.length === 1 ? types[0] : `one of [${types.join(' ')}]`
      return `must evaluate to ${wanted} but got ${type}`
    } catch (error) {
      return messageOf(error)
    }
  }

  /** Type of an expression. @throws Error with the problem of the expression. */
  typeOf(
    source: string,
    variables: readonly string[],
    { composed = new Map(), structs }: TypeOptions,
  ): CelType {
    const types = new Map(
      variables.map((name): [string, CelType] => [name, admissionTypes[name] ?? dyn]),
    )
    if (types.has('variables')) {
      types.set(
        'variables',
        objectType((name) => composed.get(name)),
      )
    }
    return this.#library.typeOf(source, types, structs)
  }

  /** Compiles an expression. @throws Error that names the part that cannot be parsed. */
  compile(
    source: string,
    variables: readonly string[],
    options?: ExpressionOptions,
  ): CompiledExpression {
    return this.#library.expression(source, variables, options)
  }
}
