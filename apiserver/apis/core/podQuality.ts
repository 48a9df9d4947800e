import type { Container, PodSpec } from './podTypes.ts'

/** Source: Kubernetes documentation, "Pod Quality of Service Classes". */
export function qualityOf(spec: PodSpec): string {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  const hasNone = ({ resources: { limits = {}, requests = {} } = {} }: Container) =>
    Object.keys({ ...pick(limits), ...pick(requests) }).length === 0
  if (containers.every(hasNone)) return 'BestEffort'
  const isGuaranteed = ({ resources: { limits = {}, requests = {} } = {} }: Container) =>
    counted.every((name) => limits[name] !== undefined && limits[name] === requests[name])
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable'
}

const counted = ['cpu', 'memory'] as const

function pick(amounts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(amounts).filter(([name]) => counted.some((one) => one === name)),
  )
}
