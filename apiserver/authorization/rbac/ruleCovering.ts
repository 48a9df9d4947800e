import { goQuote } from '../../meta/goQuote.ts'
import { urlMatches } from './grantTable.ts'
import type { PolicyRule } from './policyRule.ts'

/**
 * Maximum number of parts into which the wanted rules are divided: a rule of 3 KB could have 10^8.
 * Beyond it, a single held rule has to cover the wanted rule.
 */
const maxParts = 50_000
/** Maximum number of comparisons between held rules and the values or parts of wanted rules. */
const maxComparisons = 3_000_000

/**
 * The parts of `wanted` that no rule of `held` covers. Each part has one verb and one resource or
 * path; a rule with too many parts or comparisons counts as one part.
 * Source: Kubernetes documentation, "Privilege escalation prevention"; reference 7.8.
 */
export function uncovered(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] {
  // The same role may be bound many times.
  const rules = [...new Set(held)].map(indexed)
  const left = { parts: maxParts, comparisons: maxComparisons }
  return wanted.flatMap((rule) => {
    const isCovered = (part: PolicyRule) => {
      left.comparisons -= rules.length * sizeOf(part)
      return left.comparisons >= 0 && rules.some((one) => covers(one, part))
    }
    if (isCovered(rule)) return []
    const count = partCount(rule)
    left.parts -= count
    if (left.parts >= 0) return parts(rule).filter((part) => !isCovered(part))
    return count === 0 ? [] : [rule]
  })
}

function sizeOf({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
}: PolicyRule): number {
  const lists = [verbs, apiGroups, resources, resourceNames, nonResourceURLs]
  return lists.reduce((sum, list = []) => sum + list.length, 0)
}

function partCount(rule: PolicyRule): number {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const names = Math.max(1, resourceNames.length)
  return verbs.length * (apiGroups.length * resources.length * names + nonResourceURLs.length)
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

/** A held rule with its values as sets. */
interface IndexedRule {
  verbs: ReadonlySet<string>
  apiGroups: ReadonlySet<string>
  resources: ReadonlySet<string>
  resourceNames: ReadonlySet<string>
  nonResourceURLs: readonly string[]
}

function indexed(rule: PolicyRule): IndexedRule {
  return {
    verbs: new Set(rule.verbs),
    apiGroups: new Set(rule.apiGroups),
    resources: new Set(rule.resources),
    resourceNames: new Set(rule.resourceNames),
    nonResourceURLs: rule.nonResourceURLs ?? [],
  }
}

function covers(rule: IndexedRule, part: PolicyRule): boolean {
  return (
    hasAll(rule.verbs, part.verbs) &&
    hasAll(rule.apiGroups, part.apiGroups) &&
    coversResources(rule.resources, part.resources ?? []) &&
    coversNames(rule.resourceNames, part.resourceNames ?? []) &&
    (part.nonResourceURLs ?? []).every((url) =>
      rule.nonResourceURLs.some((held) => urlMatches(held, url)),
    )
  )
}

function hasAll(held: ReadonlySet<string>, wanted: readonly string[] = []): boolean {
  return held.has('*') || wanted.every((text) => held.has(text))
}

function coversResources(held: ReadonlySet<string>, wanted: readonly string[]): boolean {
  if (hasAll(held, wanted)) return true
  return wanted.every((resource) => {
    if (held.has(resource)) return true
    const slash = resource.indexOf('/')
    return slash >= 0 && held.has(`*${resource.slice(slash)}`)
  })
}

/**
 * Reports whether names are covered. Only a rule without names covers a part without names; it also
 * covers all names.
 */
function coversNames(held: ReadonlySet<string>, wanted: readonly string[]): boolean {
  if (held.size === 0) return true
  return wanted.length > 0 && wanted.every((name) => held.has(name))
}

/** Sorted lines, one for each missing resource, with its verbs. */
export function ruleLines(rules: readonly PolicyRule[]): string[] {
  const byThing = new Map<string, PolicyRule>()
  for (const { verbs, ...thing } of rules) {
    const key = JSON.stringify(thing)
    // Rules for paths are not merged, so each verb gets its own line.
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
