import type { NamesProfile } from './namesProfile.ts'

/** Scope of an access key, in the form of `spec.scope`. */
export interface ScopeSpec {
  roles?: { role: string; projects?: string[] }[]
  projects?: { project: string }[]
  spaces?: { project: string; space: string }[]
  virtualClusters?: { project: string; virtualCluster: string }[]
  clusters?: { cluster: string }[]
}

/** Unknown word, and the known words. */
export interface ScopeProblem {
  message: string
  hint: string
}

const help =
  'Give cli, role=NAME, project=P, space=P/S, virtualcluster=P/V or cluster=C; * stands for all.'

/** Parses words such as `project=shop` or `space=shop/web`. The scope is undefined if there are no words. */
export function readScope(
  words: readonly string[],
  { cliRole }: Pick<NamesProfile, 'cliRole'>,
): { scope: ScopeSpec | undefined } | { problem: ScopeProblem } {
  const scope: Required<ScopeSpec> = {
    ...{ roles: [], projects: [], spaces: [], virtualClusters: [], clusters: [] },
  }
  for (const word of words) {
    const problem = addWord(scope, word, cliRole)
    if (problem !== undefined) return { problem }
  }
  if (words.length === 0) return { scope: undefined }
  const named = Object.entries(scope).filter(([, entries]) => (entries as unknown[]).length > 0)
  return { scope: Object.fromEntries(named) }
}

function addWord(
  scope: Required<ScopeSpec>,
  word: string,
  cliRole: string,
): ScopeProblem | undefined {
  const [kind = '', value = ''] = word.split(/=(.*)/s)
  const unknown = { message: `unknown scope "${word}"`, hint: help }
  if (word === 'cli') scope.roles.push({ role: cliRole })
  else if (value === '') return unknown
  else if (kind === 'role') scope.roles.push(roleOf(value))
  else if (kind === 'project') scope.projects.push({ project: value })
  else if (kind === 'cluster') scope.clusters.push({ cluster: value })
  else if (!['space', 'virtualcluster', 'vcluster'].includes(kind)) return unknown
  else return addInstance(scope, { word, kind, value })
  return undefined
}

function addInstance(
  scope: Required<ScopeSpec>,
  { word, kind, value }: { word: string; kind: string; value: string },
): ScopeProblem | undefined {
  const [project = '', name = ''] = value.split('/')
  if (name === '')
    return {
      message: `the scope "${word}" has no project`,
      hint: 'Give PROJECT/NAME; */* stands for all.',
    }
  if (kind === 'space') scope.spaces.push({ project, space: name })
  else scope.virtualClusters.push({ project, virtualCluster: name })
  return undefined
}

/** Parses `NAME`, or `NAME@PROJECT` for one project. */
function roleOf(value: string): Required<ScopeSpec>['roles'][number] {
  const [role = '', project] = value.split('@')
  return { role, ...(project === undefined ? {} : { projects: [project] }) }
}
