import type { ApiObject } from '../../../meta/types.ts'

const kubeletLabels = new Set([
  ...['kubernetes.io/hostname', 'kubernetes.io/os', 'kubernetes.io/arch'],
  ...['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'],
  ...['failure-domain.beta.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/region'],
  ...['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
  ...['beta.kubernetes.io/os', 'beta.kubernetes.io/arch'],
])
const kubeletDomains = ['kubelet.kubernetes.io', 'node.kubernetes.io']
const restricted = 'node-restriction.kubernetes.io'
const kubernetes = ['kubernetes.io', 'k8s.io']

/** Changed labels that a node may not change, sorted. Source: Kubernetes, "NodeRestriction". */
export function forbiddenLabels(next: ApiObject, old: ApiObject | undefined): string[] {
  const [now, before] = [next.metadata.labels ?? {}, old?.metadata.labels ?? {}]
  const names = new Set([...Object.keys(now), ...Object.keys(before)])
  return [...names].filter((name) => now[name] !== before[name] && isForbidden(name)).toSorted()
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf('/')
  const domain = slash < 0 ? '' : label.slice(0, slash)
  const isWithin = (parent: string) => domain === parent || domain.endsWith(`.${parent}`)
  if (isWithin(restricted)) return true
  return kubernetes.some(isWithin) && !kubeletLabels.has(label) && !kubeletDomains.some(isWithin)
}
