import type { Schema } from '../../meta/schema.ts'
import type { SchemaProblem } from './schemaProblem.ts'

interface Checked {
  path: string
  /** The problems of the value by one branch. */
  branch: (schema: Schema) => SchemaProblem[]
}

/**
 * The problems of a value by the junctors of its schema: first the junctor's, then those of its best branch; for allOf
 * in reverse. Source: the messages of structural schema validation for custom resources.
 */
export function junctorProblems(schema: Schema, checked: Checked): SchemaProblem[] {
  const { allOf, anyOf, oneOf, not } = schema
  return [
    ...(anyOf === undefined ? [] : anyOfProblems(anyOf, checked)),
    ...(oneOf === undefined ? [] : oneOfProblems(oneOf, checked)),
    ...(allOf === undefined ? [] : allOfProblems(allOf, checked)),
    ...(not === undefined || checked.branch(not).length > 0 ? [] : [junctor('not', checked)]),
  ]
}

function anyOfProblems(branches: readonly Schema[], checked: Checked): SchemaProblem[] {
  const found = branches.map(checked.branch)
  if (found.some((problems) => problems.length === 0)) return []
  return [junctor('anyOf', checked), ...fewest(found)]
}

function oneOfProblems(branches: readonly Schema[], checked: Checked): SchemaProblem[] {
  const found = branches.map(checked.branch)
  const valid = found.filter((problems) => problems.length === 0).length
  if (valid === 1) return []
  if (valid === 0) return [junctor('oneOf', checked, 'Found none valid'), ...fewest(found)]
  return [junctor('oneOf', checked, `Found ${valid} valid alternatives`)]
}

function allOfProblems(branches: readonly Schema[], checked: Checked): SchemaProblem[] {
  const found = branches.map(checked.branch)
  const broken = found.filter((problems) => problems.length > 0)
  if (broken.length === 0) return []
  const none = broken.length === found.length ? '. None validated' : ''
  return [...broken.flat(), junctor('allOf', checked, none)]
}

function fewest(found: readonly SchemaProblem[][]): SchemaProblem[] {
  return found.reduce((best, problems) => (problems.length < best.length ? problems : best))
}

function junctor(keyword: string, { path }: Checked, found = ''): SchemaProblem {
  return { keyword, instancePath: path, data: '', params: { found } }
}
