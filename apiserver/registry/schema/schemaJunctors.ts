import type { Schema } from '../../meta/schema.ts'
import type { SchemaProblem } from './schemaProblem.ts'

interface Checked {
  path: string
  /** What is wrong with the value by one branch. */
  branch: (schema: Schema) => SchemaProblem[]
}

/** What is wrong with a value by the junctors of its schema: first what the junctor says, then what kept its best branch
 *  from holding; for allOf the other way round. Source: the texts of structural schema validation, as custom resources show them. */
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
