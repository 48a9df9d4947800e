import { goQuote } from '../../meta/goQuote.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceSet } from '../../registry/resourceSet.ts'

/**
 * Error if a patch changed the kind of an object; undefined: unchanged. Source: seen on
 * kube-apiserver 1.37.2.
 */
export function otherKindProblem(
  changed: Readonly<{ apiVersion?: unknown; kind?: unknown }>,
  object: ApiObject,
  resources: ResourceSet,
): string | undefined {
  const { apiVersion, kind } = changed
  // An object without a kind keeps the previous kind.
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined
  if (apiVersion === object.apiVersion && kind === object.kind) return undefined
  const { group, version } = typeOf(apiVersion)
  const isKnown = resources
    .all()
    .some((one) => one.kind === kind && one.version === version && one.group === group)
  if (!isKnown) {
    const scheme = '"pkg/runtime/scheme.go:111"'
    return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${scheme}`
  }
  const internal = typeOf(object.apiVersion).group.split('.')[0]
  const named = `${internal === undefined || internal === '' ? 'core' : internal}.${object.kind}`
  return `failed to convert object: converting (${version}.${kind}) to (${named}): unknown conversion`
}

function typeOf(apiVersion: string): { group: string; version: string } {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  return { group, version }
}
