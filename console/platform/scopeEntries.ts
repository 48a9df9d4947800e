/** Reach of a credential: everything that its user may do, read access, or the chosen entries. */
export type Reach = 'everything' | 'read' | 'chosen'

export const entryTypes = {
  project: 'Project',
  virtualCluster: 'Virtual cluster',
  space: 'Space',
  cluster: 'Connected cluster',
  role: 'Role',
  rule: 'Requests',
} as const
export type EntryType = keyof typeof entryTypes

/** Entry of a scope, as it is being chosen. */
export interface ScopeEntry {
  type: EntryType
  /** Project of a virtual cluster or space. */
  project: string
  /** Name of the project, instance, cluster or role; `*` for all. */
  name: string
  /** Verbs of a rule; empty: every verb. */
  verbs: readonly string[]
  /** Group and plural of a rule's kind, such as `apps/deployments`; empty: every kind. */
  resource: string
  /** Names of namespaces of a rule, separated by commas; empty: every namespace. */
  namespaces: string
}

export interface ScopeChoice {
  reach: Reach
  entries: readonly ScopeEntry[]
}

export const wholeScope: ScopeChoice = { reach: 'everything', entries: [] }

export function newEntry(type: EntryType): ScopeEntry {
  const verbs = type === 'rule' ? readVerbs : []
  return { type, project: '', name: '', verbs, resource: '', namespaces: '' }
}

const readVerbs = ['get', 'list', 'watch']
export const ruleVerbs = [...readVerbs, 'create', 'update', 'patch', 'delete']

/** Reports whether a choice has everything that the scope needs. */
export function isComplete({ reach, entries }: ScopeChoice): boolean {
  if (reach !== 'chosen') return true
  return entries.length > 0 && entries.every(isFilled)
}

function isFilled({ type, project, name }: ScopeEntry): boolean {
  if (type === 'rule') return true
  return name.trim() !== '' && (!isInProject(type) || project.trim() !== '')
}

export function isInProject(type: EntryType): type is 'virtualCluster' | 'space' {
  return type === 'virtualCluster' || type === 'space'
}

/** Scope in the form of the API; undefined: no limit. */
export function scopeOf({ reach, entries }: ScopeChoice): Record<string, unknown[]> | undefined {
  if (reach === 'everything') return undefined
  if (reach === 'read') {
    const all = { resources: [{ group: '*', resources: ['*'] }], verbs: readVerbs }
    return { rules: [all, { nonResourceURLs: ['*'], verbs: ['get'] }] }
  }
  const scope: Record<string, unknown[]> = {}
  for (const entry of entries) (scope[`${entry.type}s`] ??= []).push(memberOf(entry))
  return scope
}

function memberOf(entry: ScopeEntry): object {
  const { type } = entry
  const [project, name] = [entry.project.trim(), entry.name.trim()]
  if (type === 'rule') return ruleOf(entry)
  return isInProject(type) ? { project, [type]: name } : { [type]: name }
}

function ruleOf({ verbs, resource, namespaces }: ScopeEntry): object {
  const at = resource.indexOf('/')
  const [group, plural] = [resource.slice(0, at), resource.slice(at + 1)]
  const resources = resource === '' ? { group: '*', plural: '*' } : { group, plural }
  const names = namespaces.split(/[\s,]+/).filter(Boolean)
  return {
    verbs,
    resources: [{ group: resources.group, resources: [resources.plural] }],
    ...(names.length === 0 ? {} : { namespaces: names }),
  }
}
