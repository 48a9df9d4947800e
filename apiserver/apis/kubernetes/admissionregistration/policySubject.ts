import { dyn } from '../../../cel/types/types.ts'
import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { conditionVariables, type AdmissionExpressions } from '../../../cel/admissionExpressions.ts'
import type { PatchTypes } from '../../../cel/types/patchTypes.ts'
import type { CelType } from '../../../cel/types/types.ts'
import { messageOf } from '../../../meta/messageOf.ts'
import type { MatchResources, Variable } from '../shapes/admissionregistrationV1.ts'
import { conditionCheck } from './matchConditionRules.ts'
import { matchErrors, paramKindErrors } from './matchResourcesRules.ts'
import type { PolicySpec } from './policyShapes.ts'

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/
const words = [
  ...['in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let'],
  ...['loop', 'package', 'namespace', 'return', 'var', 'void', 'while', 'true', 'false', 'null'],
]

/** Validates the fields common to all policies: the requests they match, and the variables of their expressions. */
export function subjectErrors(
  { paramKind, matchConstraints, matchConditions = [], variables: named = [] }: PolicySpec,
  cel: AdmissionExpressions,
  constraintErrors: (constraints: MatchResources) => FieldError[] = () => [],
): { known: Known; errors: FieldError[] } {
  const composed = new Map<string, CelType>()
  // Without a parameter kind there are no parameters.
  const ofConditions = paramKind === undefined ? withoutParams : conditionVariables
  const known: Known = { cel, composed, variables: [...ofConditions, 'variables'] }
  const path = 'spec.matchConstraints'
  const errors = [
    ...(paramKind === undefined ? [] : paramKindErrors('spec.paramKind', paramKind)),
    ...(matchConstraints === undefined
      ? [requiredField(path)]
      : [
          ...matchErrors(path, matchConstraints),
          ...((matchConstraints.resourceRules ?? []).length === 0
            ? [requiredField(`${path}.resourceRules`)]
            : []),
          ...constraintErrors(matchConstraints),
        ]),
    ...conditionCheck(cel, ofConditions)('spec.matchConditions', matchConditions),
    // A variable is unknown in the expressions before it.
    ...named.flatMap((one, at) => variableErrors(`spec.variables[${at}]`, one, known)),
  ]
  return { known, errors }
}

const withoutParams = conditionVariables.filter((name) => name !== 'params')

/** Variables and types that the expressions of a policy may use. */
export interface Known {
  cel: AdmissionExpressions
  /** Types of the variables declared so far. */
  composed: Map<string, CelType>
  /** Names that expressions may use. */
  variables: readonly string[]
  /** Named types of values; absent: none. */
  structs?: PatchTypes
}

function variableErrors(
  path: string,
  { name = '', expression = '' }: Variable,
  { cel, composed, variables }: Known,
): FieldError[] {
  const errors: FieldError[] = []
  if (name.trim() === '') errors.push(requiredField(`${path}.name`, 'name is not specified'))
  else if (!identifier.test(name) || words.includes(name)) {
    errors.push(invalidField(`${path}.name`, name, 'must be a valid CEL identifier'))
  }
  if (expression.trim() === '') {
    return [...errors, requiredField(`${path}.expression`, 'expression is not specified')]
  }
  try {
    composed.set(name, cel.typeOf(expression, variables, { composed }))
    return errors
  } catch (error) {
    // Other expressions may still use it, so that its error is reported only once.
    composed.set(name, dyn)
    const why = messageOf(error)
    return [...errors, invalidField(`${path}.expression`, expression, why)]
  }
}

/** Checks the type of an expression, which may create values of `structs`. */
export function typed(
  path: string,
  expression: string,
  types: readonly string[],
  { cel, composed, variables, structs }: Known,
): FieldError[] {
  const problem = cel.problem(expression, types, variables, { composed, structs })
  return problem === undefined ? [] : [invalidField(path, expression, problem)]
}
