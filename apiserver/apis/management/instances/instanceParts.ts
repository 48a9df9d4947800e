import { isObject } from '../../../meta/json/isObject.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'

/** Namespace on the host that is unique to an instance. `prefix`: prefix of project namespaces. */
export function ownHostNamespace(
  instance: ApiObject,
  prefix: string,
  { platform }: NamesProfile,
): string {
  return `${platform}-${projectOf(instance, prefix)}-v-${instance.metadata.name ?? ''}`
}

/** Project of an instance by its namespace; empty: the namespace belongs to no project. */
export function projectOf({ metadata: { namespace = '' } }: ApiObject, prefix: string): string {
  return namespace.startsWith(prefix) ? namespace.slice(prefix.length) : ''
}

/** The Helm values of a template of virtual clusters, a YAML document; empty: none. */
export function templateValues(template: unknown): string {
  const values = memberAt(template, 'helmRelease', 'values')
  return typeof values === 'string' ? values : ''
}

/** Member of nested objects; undefined: a member is absent or not an object. */
export function memberAt(value: unknown, ...names: readonly string[]): unknown {
  let at = value
  for (const name of names) at = isObject(at) ? at[name] : undefined
  return at
}
