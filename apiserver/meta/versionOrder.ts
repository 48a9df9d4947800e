/**
 * Compares API versions by priority: stable before beta before alpha, higher numbers first, and other names last,
 * alphabetically. Source: Kubernetes documentation, "Version priority".
 */
export function compareVersions(a: string, b: string): number {
  const left = rankOf(a)
  const right = rankOf(b)
  if (left === undefined || right === undefined) return compareUnranked(a, b, left, right)
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor
}

interface Rank {
  stage: number
  major: number
  minor: number
}

const stages = ['alpha', 'beta', '']

function rankOf(version: string): Rank | undefined {
  const match = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(version)
  if (match === null) return undefined
  const [, major, stage = '', minor = '0'] = match
  return { stage: stages.indexOf(stage), major: Number(major), minor: Number(minor) }
}

function compareUnranked(a: string, b: string, left?: Rank, right?: Rank): number {
  if (left !== undefined) return -1
  if (right !== undefined) return 1
  return a < b ? -1 : Number(a > b)
}
