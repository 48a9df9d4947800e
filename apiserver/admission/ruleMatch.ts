import type {
  NamedRuleWithOperations,
  RuleWithOperations,
} from '../apis/kubernetes/shapes/admissionregistrationV1.ts'
import type { AdmissionTarget } from '../registry/admission.ts'
import { storedKind, type ResourceDefinition } from '../registry/resource.ts'

/** Rule that matches the target in another version of its resource. */
export interface RuleMatch<Rule> {
  rule: Rule
  /** Version of the resource named in the rule. */
  resource: ResourceDefinition
}

/**
 * First rule for a target. With `matchPolicy` Equivalent, rules for other versions of the resource
 * apply if no rule matches the target's own version. Source: Kubernetes, "Matching requests:
 * matchPolicy".
 */
export function matchingRule<Rule extends NamedRuleWithOperations>(
  rules: readonly Rule[],
  target: AdmissionTarget,
  matchPolicy: string | undefined,
  versions: readonly ResourceDefinition[],
): RuleMatch<Rule> | undefined {
  const { resource } = target
  const found = rules.find((rule) => ruleMatches(rule, target, resource))
  if (found !== undefined) return { rule: found, resource }
  if (matchPolicy === 'Exact') return undefined
  for (const other of versions) {
    if (other === resource || !isEquivalent(other, resource)) continue
    const rule = rules.find((one) => ruleMatches(one, target, other))
    if (rule !== undefined) return { rule, resource: other }
  }
  return undefined
}

function isEquivalent(a: ResourceDefinition, b: ResourceDefinition): boolean {
  const [first, second] = [storedKind(a), storedKind(b)]
  return first.group === second.group && first.plural === second.plural
}

function ruleMatches(
  rule: RuleWithOperations,
  { operation, subresource }: AdmissionTarget,
  resource: ResourceDefinition,
): boolean {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule
  return (
    isOneOf(operations, operation) &&
    isOneOf(apiGroups, resource.group) &&
    isOneOf(apiVersions, resource.version) &&
    inScope(scope, resource) &&
    resources.some((path) => pathMatches(path, resource.plural, subresource))
  )
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes('*') || names.includes(name)
}

function inScope(scope: string | undefined, { namespaced }: ResourceDefinition): boolean {
  return scope === 'Namespaced' ? namespaced : scope === 'Cluster' ? !namespaced : true
}

/** Reports whether a path of a rule matches; `pods/*` also matches `pods` itself. */
function pathMatches(path: string, plural: string, subresource: string): boolean {
  const slash = path.indexOf('/')
  const resource = slash < 0 ? path : path.slice(0, slash)
  const sub = slash < 0 ? '' : path.slice(slash + 1)
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource)
}
