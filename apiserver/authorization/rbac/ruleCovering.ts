import { goQuote } from '../../meta/goQuote.ts'
import { urlMatches } from './grantTable.ts'
import type { PolicyRule } from './policyRule.ts'

/**
 * The parts of `wanted` that no rule of `held` covers, each with one verb and one resource or path.
 * Source: Kubernetes documentation, "Privilege escalation prevention"; reference 7.8.
 */
export function uncovered(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] {
  return wanted.flatMap(parts).filter((part) => !held.some((rule) => covers(rule, part)))
}

function parts(rule: PolicyRule): PolicyRule[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const things: Omit<PolicyRule, 'verbs'>[] = apiGroups.flatMap((group) =>
    resources.flatMap((resource) => {
      const thing = { apiGroups: [group], resources: [resource] }
      if (resourceNames.length === 0) return [thing]
      return resourceNames.map((name) => ({ ...thing, resourceNames: [name] }))
    }),
  )
  const paths = nonResourceURLs.map((url) => ({ nonResourceURLs: [url] }))
  return [...things, ...paths].flatMap((thing) =>
    verbs.map((verb) => ({ ...thing, verbs: [verb] })),
  )
}

function covers(rule: PolicyRule, part: PolicyRule): boolean {
  return (
    hasAll(rule.verbs, part.verbs) &&
    hasAll(rule.apiGroups, part.apiGroups) &&
    coversResources(rule.resources ?? [], part.resources ?? []) &&
    coversNames(rule.resourceNames ?? [], part.resourceNames ?? []) &&
    (part.nonResourceURLs ?? []).every((url) =>
      (rule.nonResourceURLs ?? []).some((held) => urlMatches(held, url)),
    )
  )
}

function hasAll(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return held.includes('*') || wanted.every((text) => held.includes(text))
}

function coversResources(held: readonly string[], wanted: readonly string[]): boolean {
  if (hasAll(held, wanted)) return true
  return wanted.every((resource) => {
    if (held.includes(resource)) return true
    const slash = resource.indexOf('/')
    return slash >= 0 && held.includes(`*${resource.slice(slash)}`)
  })
}

/**
 * Reports whether names are covered. A rule without names covers all of them; a part without names needs such a rule.
 */
function coversNames(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.length === 0) return true
  return wanted.length > 0 && wanted.every((name) => held.includes(name))
}

/** Sorted lines, one per missing resource with its verbs. */
export function ruleLines(rules: readonly PolicyRule[]): string[] {
  const byThing = new Map<string, PolicyRule>()
  for (const { verbs, ...thing } of rules) {
    const key = JSON.stringify(thing)
    // Rules for paths are not merged and get one line per verb.
    const place = thing.resources === undefined ? `${key}${verbs.join(' ')}` : key
    const known = byThing.get(place)
    byThing.set(place, { ...thing, verbs: [...(known?.verbs ?? []), ...verbs] })
  }
  return [...new Set([...byThing.values()].map(ruleText))].sort()
}

function ruleText(rule: PolicyRule): string {
  const fields: [string, readonly string[] | undefined][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ]
  const shown = fields.flatMap(([name, values = []]) =>
    values.length === 0 ? [] : [`${name}:${quotedList(values)}`],
  )
  return `{${shown.join(', ')}}`
}

/** Formats values as `["a" "b"]`. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`
}
