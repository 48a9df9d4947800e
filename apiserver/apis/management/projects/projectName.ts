import { badRequest } from '../../../meta/statusErrors.ts'
import type { Platform } from '../platform.ts'

/** The project of a namespace. @throws StatusError BadRequest if it belongs to none. */
export function projectOfNamespace(platform: Platform, namespace: string): string {
  const prefix = platform.projectNamespacePrefix()
  if (namespace.startsWith(prefix)) return namespace.slice(prefix.length)
  throw badRequest(
    `namespace ${namespace} belongs to no project: its name does not begin with ${prefix}`,
  )
}
