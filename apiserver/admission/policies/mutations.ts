import type { Mutation } from '../../apis/kubernetes/shapes/admissionregistrationV1.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { formOf } from '../../registry/objectForm.ts'
import type { CompiledExpression, Variables } from '../../cel/library.ts'
import { configurationValue } from './configurationValue.ts'
import { nativeValue } from '../../cel/values/nativeValue.ts'
import { itemsOf } from '../../cel/values/lists.ts'
import { StructValue } from '../../cel/values/structValue.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { StatusError } from '../../meta/status.ts'
import { internalError } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { applyJsonPatch } from '../../patch/jsonPatch.ts'
import { canonicalForm, objectSchema } from '../../registry/schema/canonicalForm.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { patchWords } from '../patchWords.ts'
import { appliedConfiguration } from './applyConfiguration.ts'
import { ExpressionScope, outOfBudget } from './expressionScope.ts'
import type { ReadPolicy } from './registeredPolicies.ts'
import { typeNameProblems } from './structNames.ts'

/** Reports type errors of an object in the wording of a decoder; undefined: the types are valid. */
export type TypeProblem = (
  object: object,
  resource: ResourceDefinition,
  decoder: 'json' | 'map',
) => string | undefined

/** Reports a changed kind of an object; undefined: unchanged. */
export type KindProblem = (changed: object, object: ApiObject) => string | undefined

/** Input of one mutation. */
export interface MutationInput {
  policy: ReadPolicy
  mutation: Mutation
  /** Variables of the request, with the object after earlier mutations. */
  base: Variables
  param: ApiObject | null
  /** Object in the version of `kind`. */
  object: ApiObject
  kind: ResourceDefinition
  typeProblem: TypeProblem
  kindProblem: KindProblem
}

/**
 * Object after a mutation, with defaults set. @throws Error with the reason why the policy cannot
 * be applied; StatusError InternalError for a patch that does not result in an object of the kind.
 * Source: Kubernetes, "Mutating Admission Policy", "Patch types"; messages of kube-apiserver
 * 1.37.2.
 */
export function mutated(input: MutationInput): ApiObject {
  const { mutation, kind } = input
  const patched =
    mutation.patchType === 'JSONPatch'
      ? patchedByJson(input, mutation.jsonPatch?.expression ?? '')
      : patchedByApply(input, mutation.applyConfiguration?.expression ?? '')
  kind.strategy.setDefaults?.(patched)
  return patched
}

function evaluated(input: MutationInput, expression: string): unknown {
  const { policy, base, param } = input
  const { variables = [] } = policy.spec
  const scope = new ExpressionScope({ base, param, variables, compiled: policy.compiled })
  let compiled: CompiledExpression
  try {
    compiled = policy.compiledPatch(expression)
    return scope.evaluate(compiled)
  } catch (error) {
    const why = messageOf(error)
    if (why === outOfBudget) throw error
    throw new Error(`expression '${expression}' resulted in error: ${why}`, { cause: error })
  }
}

function checkNames(value: unknown): void {
  if (!(value instanceof StructValue)) return
  const problems = typeNameProblems(value)
  if (problems.length > 0) throw new Error(`type mismatch: ${problems.join('\n')}`)
}

function patchedByApply(input: MutationInput, expression: string): ApiObject {
  const value = evaluated(input, expression)
  checkNames(value)
  const { object, kind, typeProblem } = input
  const configuration = { ...(configurationValue(value) as object), ...typeOf(object) } // checked to be a struct
  const merged = mergedWith(object, configuration, kind)
  const problem = typeProblem(merged, kind, 'map')
  if (problem === undefined) return canonical(merged, kind, object).object
  const { group, version } = kind
  const named = `${group}/${version}, Kind=${kind.kind}`
  throw new Error(`unable to convert unstructured object to ${named}: ${problem}`)
}

function mergedWith(object: ApiObject, configuration: object, kind: ResourceDefinition): object {
  try {
    return appliedConfiguration(object, configuration, objectSchema(kind.schema))
  } catch (error) {
    const why = messageOf(error)
    throw new Error(`error applying patch: ${why}`, { cause: error })
  }
}

function patchedByJson(input: MutationInput, expression: string): ApiObject {
  const steps = (itemsOf(evaluated(input, expression)) ?? []).map(patchStep)
  const { object, kind, typeProblem } = input
  const result = applied(object, steps)
  if (result === undefined) return object
  if (!isObject(result)) throw internalError(`the result of the policy's patch is not an object`)
  const foreign = input.kindProblem(result, object)
  if (foreign !== undefined) throw internalError(foreign)
  const problem = typeProblem(result, kind, 'json')
  if (problem !== undefined) throw internalError(problem)
  const made = canonical(result, kind, object)
  // Unknown fields of custom objects stay until the schema prunes them.
  if (made.unknownFields.length > 0 && formOf(kind).isDecoded) {
    const told = made.unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`)
    throw internalError(`strict decoding error: ${told.join(', ')}`)
  }
  return made.object
}

/** Step of a patch as JSON. */
function patchStep(step: unknown): Record<string, unknown> {
  if (!(step instanceof StructValue)) {
    throw new Error('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch')
  }
  // Guaranteed by its type.
  const text = (field: string) => (step.find(field) as string | undefined) ?? ''
  const from = text('from')
  const value = step.has('value') ? step.find('value') : undefined
  checkNames(value)
  return {
    op: text('op'),
    path: text('path'),
    ...(from === '' ? {} : { from }),
    ...(value === undefined ? {} : { value: asJson(value) }),
  }
}

function asJson(value: unknown): unknown {
  try {
    return nativeValue(value)
  } catch (error) {
    const why = messageOf(error)
    const problem = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON'
    throw new Error(`${problem}: ${why}`, { cause: error })
  }
}

/** Object after the patch; undefined: a `test` step failed, and the object is unchanged. */
function applied(object: ApiObject, steps: readonly object[]): unknown {
  try {
    return applyJsonPatch(object, steps)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    const why = error.cause instanceof Error ? error.cause.message : error.message
    if (why.endsWith('test failed')) return undefined
    throw new Error(`JSON Patch: ${patchWords(why, steps)}`, { cause: error })
  }
}

function canonical(
  value: object,
  kind: ResourceDefinition,
  object: ApiObject,
): { object: ApiObject; unknownFields: string[] } {
  const { value: form, unknownFields } = canonicalForm(value, objectSchema(kind.schema))
  const made = form as Partial<ApiObject> // canonicalForm returns an object for an object
  return { object: { ...made, metadata: made.metadata ?? {}, ...typeOf(object) }, unknownFields }
}

function typeOf({ apiVersion, kind }: ApiObject): Pick<ApiObject, 'apiVersion' | 'kind'> {
  return { apiVersion, kind }
}
