import { readScope, type ScopeSpec } from '../../../apiserver/meta/names/scopeWords.ts'
import { listAt, textAt } from '../../base/apiObject.ts'
import { usageError } from '../../base/cliError.ts'
import type { PlatformNames } from '../../context/platformNames.ts'

/** Scope for the words of `--scope`; undefined: not given. @throws CliError usage. */
export function scopeOf(words: readonly string[], names: PlatformNames): ScopeSpec | undefined {
  const read = readScope(words, names)
  if ('problem' in read) throw usageError(read.problem.message, read.problem.hint)
  return read.scope
}

/** Sentences that describe a scope, one per entry. */
export function scopeSentences(scope: unknown, { cliRole }: PlatformNames): string[] {
  const all = (name: string | undefined, what: string, every: string) =>
    name === '*' ? every : `${what} ${name}`
  return [
    ...listAt(scope, 'roles').map((entry) => roleSentence(entry, cliRole)),
    ...listAt(scope, 'projects').map(
      (entry) =>
        `everything in ${all(textAt(entry, 'project'), 'project', 'every project')}, its spaces and virtual clusters`,
    ),
    ...listAt(scope, 'spaces').map(
      (entry) =>
        `${all(textAt(entry, 'space'), 'space', 'every space')} of ${all(textAt(entry, 'project'), 'project', 'every project')}`,
    ),
    ...listAt(scope, 'virtualClusters').map(
      (entry) =>
        `${all(textAt(entry, 'virtualCluster'), 'virtual cluster', 'every virtual cluster')} of ${all(textAt(entry, 'project'), 'project', 'every project')}`,
    ),
    ...listAt(scope, 'clusters').map((entry) =>
      all(textAt(entry, 'cluster'), 'cluster', 'every cluster'),
    ),
    ...listAt(scope, 'rules').map((entry) => `requests that match ${JSON.stringify(entry)}`),
  ]
}

function roleSentence(entry: unknown, cliRole: string): string {
  const role = textAt(entry, 'role') ?? ''
  const projects = listAt(entry, 'projects')
  const what =
    role === cliRole ? 'the read-only commands of this program' : `the requests of the role ${role}`
  return projects.length === 0 ? what : `${what}, in ${projects.join(', ')} only`
}

/** Short description of a scope, for tables. */
export function scopeWords(scope: unknown): string {
  const words = [
    ...listAt(scope, 'roles').map((entry) => `role=${textAt(entry, 'role')}`),
    ...listAt(scope, 'projects').map((entry) => `project=${textAt(entry, 'project')}`),
    ...listAt(scope, 'spaces').map(
      (entry) => `space=${textAt(entry, 'project')}/${textAt(entry, 'space')}`,
    ),
    ...listAt(scope, 'virtualClusters').map(
      (entry) => `virtualcluster=${textAt(entry, 'project')}/${textAt(entry, 'virtualCluster')}`,
    ),
    ...listAt(scope, 'clusters').map((entry) => `cluster=${textAt(entry, 'cluster')}`),
    ...(listAt(scope, 'rules').length === 0 ? [] : ['rules']),
  ]
  return words.length === 0 ? '<none>' : words.join(',')
}
