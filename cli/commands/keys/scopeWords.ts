import { listAt, textAt } from '../../base/apiObject.ts'
import { usageError } from '../../base/cliError.ts'
import type { PlatformNames } from '../../context/platformNames.ts'

interface Scope {
  roles: { role: string; projects?: string[] }[]
  projects: { project: string }[]
  spaces: { project: string; space: string }[]
  virtualClusters: { project: string; virtualCluster: string }[]
  clusters: { cluster: string }[]
}

const help =
  'Give cli, role=NAME, project=P, space=P/S, virtualcluster=P/V or cluster=C; * stands for all.'

/** The scope of `--scope` words; undefined: none is given. @throws CliError usage. */
export function scopeOf(
  words: readonly string[],
  { cliRole }: PlatformNames,
): Partial<Scope> | undefined {
  if (words.length === 0) return undefined
  const scope: Scope = { roles: [], projects: [], spaces: [], virtualClusters: [], clusters: [] }
  for (const word of words) addWord(scope, word, cliRole)
  return Object.fromEntries(
    Object.entries(scope).filter(([, entries]) => (entries as unknown[]).length > 0),
  )
}

function addWord(scope: Scope, word: string, cliRole: string): void {
  const at = word.indexOf('=')
  const kind = at < 0 ? word : word.slice(0, at)
  const value = at < 0 ? '' : word.slice(at + 1)
  if (word === 'cli') scope.roles.push({ role: cliRole })
  else if (value === '') throw usageError(`unknown scope "${word}"`, help)
  else if (kind === 'role') scope.roles.push(roleOf(value))
  else if (kind === 'project') scope.projects.push({ project: value })
  else if (kind === 'cluster') scope.clusters.push({ cluster: value })
  else addInstance(scope, word, kind, value)
}

function addInstance(scope: Scope, word: string, kind: string, value: string): void {
  const [project = '', name = ''] = value.split('/')
  if (kind === 'space') scope.spaces.push({ project, space: inProject(word, name) })
  else if (kind === 'virtualcluster' || kind === 'vcluster')
    scope.virtualClusters.push({ project, virtualCluster: inProject(word, name) })
  else throw usageError(`unknown scope "${word}"`, help)
}

/** `NAME`, or `NAME@PROJECT` for one project. */
function roleOf(value: string): Scope['roles'][number] {
  const [role = '', project] = value.split('@')
  return { role, ...(project === undefined ? {} : { projects: [project] }) }
}

function inProject(word: string, name: string): string {
  if (name !== '') return name
  throw usageError(`the scope "${word}" has no project`, 'Give PROJECT/NAME; */* stands for all.')
}

/** A scope in sentences, one for each entry. */
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

/** A scope in few words, for tables. */
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
