const instead = (since: string, name: string) => `deprecated since ${since}; use "${name}" instead`

/** Deprecated labels of nodes. */
const oldLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': instead('v1.14', 'kubernetes.io/arch'),
  'beta.kubernetes.io/os': instead('v1.14', 'kubernetes.io/os'),
  'failure-domain.beta.kubernetes.io/region': instead('v1.17', 'topology.kubernetes.io/region'),
  'failure-domain.beta.kubernetes.io/zone': instead('v1.17', 'topology.kubernetes.io/zone'),
  'beta.kubernetes.io/instance-type': instead('v1.17', 'node.kubernetes.io/instance-type'),
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods':
    'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
}

/** Warning about a node label; undefined: the label is not deprecated. */
export function deprecatedLabelWarning(key: string): string | undefined {
  return Object.hasOwn(oldLabels, key) ? oldLabels[key] : undefined
}

interface NodeSelector {
  matchExpressions?: readonly { key?: string }[]
  matchLabels?: Readonly<Record<string, string>>
}

/** Warnings about a node selector. */
export function selectorWarnings(
  path: string,
  { matchExpressions = [], matchLabels = {} }: NodeSelector,
): string[] {
  const ofExpressions = matchExpressions.flatMap(({ key = '' }, index) => {
    const text = deprecatedLabelWarning(key)
    return text === undefined ? [] : [`${path}.matchExpressions[${index}].key: ${key} is ${text}`]
  })
  const ofLabels = Object.keys(matchLabels).flatMap((key) => {
    const text = deprecatedLabelWarning(key)
    return text === undefined ? [] : [`${path}.matchLabels.${key}: ${text}`]
  })
  return [...ofExpressions, ...ofLabels]
}
