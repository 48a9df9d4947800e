import type { PodSpec } from '../../apis/kubernetes/core/pod/podTypes.ts'
import type { ObjectMeta } from '../../meta/types.ts'
import { baselineChecks, procMount } from './baselineChecks.ts'
import type { CheckedPod, PodCheck, Violation } from './podChecks.ts'
import { restrictedChecks } from './restrictedChecks.ts'

export type Level = 'privileged' | 'baseline' | 'restricted'

/** Level of a namespace, and its version. */
export interface LevelVersion {
  level: Level
  /** `latest`, or `v1.31`. */
  version: string
}

/** Restricted checks that replace a baseline check. */
const replaced: Readonly<Record<string, string>> = {
  capabilities_baseline: 'capabilities_restricted',
  seccompProfile_baseline: 'seccompProfile_restricted',
  hostPathVolumes: 'restrictedVolumes',
}

const baseline = checksOf(Object.entries(baselineChecks))
const restricted = [
  ...checksOf(
    Object.entries({ ...baselineChecks, procMount }).filter(
      ([name]) => replaced[name] === undefined,
    ),
  ),
  ...checksOf(Object.entries(restrictedChecks)),
]

function checksOf(entries: [string, PodCheck][]): readonly PodCheck[] {
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, check]) => check)
}

/** Violations of a pod at its level. Every version uses the checks of the newest. */
export function violationsOf(
  { level }: LevelVersion,
  { metadata, spec }: { metadata: ObjectMeta; spec: PodSpec },
): Violation[] {
  if (level === 'privileged') return []
  const { containers, initContainers = [], ephemeralContainers = [] } = spec
  const all = [...initContainers, ...(containers ?? []), ...ephemeralContainers]
  const pod: CheckedPod = { metadata, spec, containers: all }
  const checks = level === 'baseline' ? baseline : restricted
  return checks.flatMap((check) => check(pod) ?? [])
}

/** `restricted:latest`. */
export function levelText({ level, version }: LevelVersion): string {
  return `${level}:${version}`
}

export function violationsText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')
}
