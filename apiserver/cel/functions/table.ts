import type { Cost } from '../cost/actualCosts.ts'
import type { CallCost, CostedCall } from '../cost/estimates.ts'
import { fixed } from '../cost/ranges.ts'
import { signature, type Overload } from '../types/signatures.ts'
import { addresses } from './addresses.ts'
import { authorizerFunctions } from './authorizer.ts'
import { conversions } from './conversions.ts'
import { formatFunctions } from './formats.ts'
import { jsonPatchFunctions } from './jsonPatch.ts'
import { lists } from './lists.ts'
import { operators } from './operators.ts'
import { optionals } from './optionals.ts'
import { quantities } from './quantities.ts'
import type { FunctionRow, FunctionTable, Run } from './row.ts'
import { versions } from './semver.ts'
import { strings } from './strings.ts'
import { times } from './times.ts'
import { urls } from './urls.ts'

/**
 * Functions and operators of the language and of the libraries that the API server loads.
 * Source: the language's definition, "List of standard definitions"; Kubernetes documentation, "CEL in Kubernetes".
 */
const table: FunctionTable = {
  ...operators,
  ...conversions,
  ...strings,
  ...times,
  ...lists,
  ...optionals,
  ...urls,
  ...addresses,
  ...quantities,
  ...versions,
  ...formatFunctions,
  ...authorizerFunctions,
  ...jsonPatchFunctions,
}

/** Names of all functions and operators. */
export const functionNames: readonly string[] = Object.keys(table)

/** An overload of a function with its evaluation and cost. */
export interface RunnableForm extends Overload {
  run: (...args: unknown[]) => unknown
  cost: Cost
}

const nominal: Cost = () => 1

const known = new Map<string, readonly RunnableForm[]>()

/** Overloads of a function, in order; undefined: unknown function. */
export function formsOf(name: string): readonly RunnableForm[] | undefined {
  const found = known.get(name)
  if (found !== undefined) return found
  const row = rowOf(name)
  if (row === undefined) return undefined
  const made = Object.keys(row.forms).map((text) => runnable(text, row))
  known.set(name, made)
  return made
}

function rowOf(name: string): FunctionRow | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function runnable(text: string, row: FunctionRow): RunnableForm {
  const form = row.forms[text]
  const run = typeof form === 'function' ? form : form?.run
  const own = typeof form === 'function' ? undefined : form?.cost
  return {
    ...signature(text),
    run: run as RunnableForm['run'] & Run, // the signature ensures the types
    cost: own ?? row.cost ?? nominal,
  }
}

/** Estimated maximum cost of a call. */
export function callCost(name: string, call: CostedCall): CallCost {
  const row = rowOf(name)
  const form = row?.forms[call.overload.text]
  const estimate = (typeof form === 'function' ? undefined : form?.estimate) ?? row?.estimate
  return estimate?.(call) ?? { cost: fixed(1) }
}
