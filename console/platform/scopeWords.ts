import { listOf, mapOf, member, text } from '../api/objects.ts'

/** Sentences that describe the scope of an access key; a key without a scope has all rights of its user. */
export function scopeWords(scope: unknown): string[] {
  if (scope === undefined || scope === null || Object.keys(mapOf(scope)).length === 0)
    return ['Everything that its user may do.']
  const names = (field: string, key: string) =>
    listOf(scope, field).map((each) => text(each, key) || '?')
  const places = (field: string, key: string, word: string) => {
    const found = names(field, key)
    return found.length === 0 ? [] : [`${word} ${found.map(anyOf).join(', ')}.`]
  }
  const inProjects = (field: string, key: string, word: string) => {
    const found = listOf(scope, field).map(
      (each) => `${anyOf(text(each, key) || '?')} of project ${text(each, 'project') || '?'}`,
    )
    return found.length === 0 ? [] : [`${word} ${found.join(', ')}.`]
  }
  const sentences = [
    ...listOf(scope, 'roles').map((each) => roleWords(each)),
    ...places('projects', 'project', 'Projects:'),
    ...inProjects('virtualClusters', 'virtualCluster', 'Virtual clusters:'),
    ...inProjects('spaces', 'space', 'Spaces:'),
    ...places('clusters', 'cluster', 'Clusters:'),
    ...listOf(scope, 'rules').map(ruleWords),
  ]
  return sentences.length === 0 ? ['Nothing: its scope is empty.'] : sentences
}

function anyOf(name: string): string {
  return name === '*' ? 'any' : name
}

function roleWords(role: unknown): string {
  const projects = listOf(role, 'projects').map(String)
  const where = projects.length === 0 ? '' : ` in ${projects.map(anyOf).join(', ')}`
  return `The role ${text(role, 'role') || '?'}${where}.`
}

function ruleWords(rule: unknown): string {
  const list = (value: unknown, field: string) => listOf(value, field).map(String)
  const resources = listOf(rule, 'resources').flatMap((each) => {
    const group = text(each, 'group')
    const isPlain = group === '' || group === '*'
    return list(each, 'resources').map((name) => (isPlain ? name : `${name} of ${group}`))
  })
  const urls = list(rule, 'nonResourceURLs')
  const verbs = list(rule, 'verbs').map((verb) => (verb === '*' ? 'do anything with' : verb))
  const what = [
    ...resources.map((each) => (each === '*' ? 'every kind' : each)),
    ...urls.map((each) => (each === '*' ? 'every other path' : each)),
  ]
  const namespaces = list(rule, 'namespaces')
  const where = namespaces.length === 0 ? '' : ` in ${namespaces.map(anyOf).join(', ')}`
  return `${verbs.join(', ') || 'do anything with'} ${what.join(', ') || 'any resource'}${where}.`
}

/** Expiry of a key, in words. @param created RFC 3339. */
export function lifeWords(key: unknown): string {
  const seconds = member(key, 'spec', 'ttl')
  if (typeof seconds !== 'number' || seconds === 0) return 'does not expire'
  const isSliding = member(key, 'spec', 'ttlAfterLastActivity') === true
  const from = text(
    key,
    isSliding ? 'status' : 'metadata',
    isSliding ? 'lastActivity' : 'creationTimestamp',
  )
  const end = new Date(Date.parse(from) + seconds * 1000)
  const when = Number.isNaN(end.getTime()) ? '' : end.toLocaleString('en')
  return isSliding ? `until unused for ${hours(seconds)}` : `until ${when}`
}

function hours(seconds: number): string {
  return seconds >= 172_800
    ? `${Math.round(seconds / 86_400)} days`
    : `${Math.round(seconds / 3600)} h`
}
