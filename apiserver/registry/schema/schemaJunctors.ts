import type { Schema } from '../../meta/schema.ts'
import type { SchemaProblem } from './schemaProblem.ts'

/** Result of validating one branch of a junctor. */
export interface BranchResult {
  problems: readonly SchemaProblem[]
  /** Number of checks that passed in the branch: of several failing branches, the one with the most is reported. */
  matches: number
}

interface Checked {
  path: string
  branch: (schema: Schema) => BranchResult
}

const nothing: BranchResult = { problems: [], matches: 0 }

/**
 * Problems of a value with the junctors of its schema: first problems of the junctor itself, then
 * problems of its best branch; the reverse for allOf.
 * Source: kube-openapi, the validator of schema properties.
 */
export function junctorResult(schema: Schema, checked: Checked): BranchResult {
  const { allOf, anyOf, oneOf, not } = schema
  if (!allOf && !anyOf && !oneOf && !not) return nothing
  const results = [
    anyOf === undefined ? nothing : anyOfResult(anyOf, checked),
    oneOf === undefined ? nothing : oneOfResult(oneOf, checked),
    allOf === undefined ? nothing : allOfResult(allOf, checked),
    not === undefined || checked.branch(not).problems.length > 0
      ? nothing
      : told(checked, 'must not validate the schema (not)'),
  ]
  return joined(results)
}

function joined(results: readonly BranchResult[]): BranchResult {
  return {
    problems: results.flatMap(({ problems }) => problems),
    matches: results.reduce((sum, { matches }) => sum + matches, 0),
  }
}

/** Result of anyOf; branches after the first valid one are not validated. */
function anyOfResult(branches: readonly Schema[], checked: Checked): BranchResult {
  let best: BranchResult | undefined
  for (const branch of branches) {
    const result = checked.branch(branch)
    if (result.problems.length === 0) return result
    if (best === undefined || result.matches > best.matches) best = result
  }
  return joined([told(checked, 'must validate at least one schema (anyOf)'), best ?? nothing])
}

function oneOfResult(branches: readonly Schema[], checked: Checked): BranchResult {
  const results = branches.map(checked.branch)
  const valid = results.filter(({ problems }) => problems.length === 0)
  const [first] = valid
  if (valid.length === 1 && first !== undefined) return first
  const text = (found: string) =>
    told(checked, `must validate one and only one schema (oneOf). ${found}`)
  if (valid.length > 1) return text(`Found ${valid.length} valid alternatives`)
  const best = results.reduce((most, one) => (one.matches > most.matches ? one : most))
  return joined([text('Found none valid'), best])
}

function allOfResult(branches: readonly Schema[], checked: Checked): BranchResult {
  const results = branches.map(checked.branch)
  const broken = results.filter(({ problems }) => problems.length > 0)
  if (broken.length === 0) return joined(results)
  const none = broken.length === results.length ? '. None validated' : ''
  return joined([...results, told(checked, `must validate all the schemas (allOf)${none}`)])
}

function told({ path }: Checked, words: string): BranchResult {
  const text = `${JSON.stringify(path)} ${words}`
  return { problems: [{ keyword: 'text', path: '', data: '', params: { text } }], matches: 0 }
}
