import type { Container, PodSpec, Probe } from '../../apis/kubernetes/shapes/coreV1.ts'
import type { ObjectMeta } from '../../meta/types.ts'

/** Input of the checks. */
export interface CheckedPod {
  metadata: ObjectMeta
  spec: PodSpec
  /** All containers, including init and ephemeral ones. */
  containers: readonly Container[]
}

/** Reason why a pod is not allowed, and the invalid fields. */
export interface Violation {
  reason: string
  detail: string
}

/** A check of a level; undefined: allowed. Source: Kubernetes, "Pod Security Standards". */
export type PodCheck = (pod: CheckedPod) => Violation | undefined

/** Version of a check, used from a minor version of the standards on. */
export interface CheckVersion {
  since: number
  check: PodCheck
}

/** Quoted names: `"a", "b"`. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ')
}

export function plural(one: string, many: string, count: number): string {
  return count === 1 ? one : many
}

/** Containers in a message: `container "c"`, `containers "c", "d"`. */
export function containerWords(containers: readonly Container[]): string {
  const names = containers.map(({ name = '' }) => name)
  return `${plural('container', 'containers', names.length)} ${quoted(names)}`
}

/** Part of a pod that sets a forbidden value: `pod`, `container "c"`, or both. */
export function setterWords(isPod: boolean, containers: readonly Container[]): string {
  const words = containers.length === 0 ? [] : [containerWords(containers)]
  return [...(isPod ? ['pod'] : []), ...words].join(' and ')
}

export function unique(values: readonly string[]): string[] {
  return [...new Set(values)].sort()
}

/** Probes and hooks of a container. */
export function handlersOf(container: Container): Probe[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle = {} } = container
  const all = [livenessProbe, readinessProbe, startupProbe, lifecycle.postStart, lifecycle.preStop]
  return all.filter((one) => one !== undefined)
}
