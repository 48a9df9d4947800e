import type { PodSpec } from '../../apis/kubernetes/shapes/coreV1.ts'
import type { ObjectMeta } from '../../meta/types.ts'
import { baselineChecks, procMount } from './baselineChecks.ts'
import type { CheckedPod, CheckVersion, PodCheck, Violation } from './podChecks.ts'
import { restrictedChecks } from './restrictedChecks.ts'

export type Level = 'privileged' | 'baseline' | 'restricted'

/** Pod security level and its version. */
export interface LevelVersion {
  level: Level
  /** Version: `latest`, or `v1.31`. */
  version: string
}

/** Baseline checks by the name of the restricted check that replaces them once it is introduced. */
const replaced: Readonly<Record<string, string>> = {
  capabilities_restricted: 'capabilities_baseline',
  seccompProfile_restricted: 'seccompProfile_baseline',
  restrictedVolumes: 'hostPathVolumes',
}

/** Newest minor version with a change of the standards. */
const newestChange = 35

/** Checks of a level by minor version, in the order of reported violations. */
const byVersion = { baseline: versionsOf('baseline'), restricted: versionsOf('restricted') }

function versionsOf(level: Level): readonly (readonly PodCheck[])[] {
  return Array.from({ length: newestChange + 1 }, (_one, minor) => sortedChecks(level, minor))
}

function checksOf({ level, version }: LevelVersion): readonly PodCheck[] {
  if (level === 'privileged') return []
  const minor = version === 'latest' ? newestChange : Number(version.slice('v1.'.length))
  return byVersion[level][Math.min(minor, newestChange)] ?? []
}

/** Checks of a level, baseline checks first. */
function sortedChecks(level: Level, minor: number): readonly PodCheck[] {
  const base = atVersion(baselineChecks, minor)
  if (level === 'baseline') return sorted(base)
  const own = atVersion(restrictedChecks, minor)
  // At this level, user namespaces give no exemption.
  base.set('procMount', procMount)
  for (const name of own.keys()) base.delete(replaced[name] ?? '')
  return [...sorted(base), ...sorted(own)]
}

function sorted(checks: ReadonlyMap<string, PodCheck>): readonly PodCheck[] {
  return [...checks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, check]) => check)
}

/** Newest form of each check as of a version. */
function atVersion(
  checks: Readonly<Record<string, readonly CheckVersion[]>>,
  minor: number,
): Map<string, PodCheck> {
  const found = Object.entries(checks).flatMap(([name, versions]): [string, PodCheck][] => {
    const newest = versions.findLast(({ since }) => since <= minor)
    return newest === undefined ? [] : [[name, newest.check]]
  })
  return new Map(found)
}

/** Violations of a pod at its level. */
export function violationsOf(
  asked: LevelVersion,
  { metadata, spec }: { metadata: ObjectMeta; spec: PodSpec },
): Violation[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec
  const all = [...initContainers, ...(containers ?? []), ...ephemeralContainers]
  const pod: CheckedPod = { metadata, spec, containers: all }
  return checksOf(asked).flatMap((check) => check(pod) ?? [])
}

/** Level and version, such as `restricted:latest`. */
export function levelText({ level, version }: LevelVersion): string {
  return `${level}:${version}`
}

export function violationsText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')
}
