import { badRequest } from '../../../meta/statusErrors.ts'
import type { Platform } from '../platform.ts'

/** The project whose namespace it is. @throws StatusError BadRequest where it is none's. */
export function projectOfNamespace(platform: Platform, namespace: string): string {
  const prefix = platform.projectNamespacePrefix()
  if (namespace.startsWith(prefix)) return namespace.slice(prefix.length)
  throw badRequest(
    `namespace ${namespace} belongs to no project: its name does not begin with ${prefix}`,
  )
}
