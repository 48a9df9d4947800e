import { badRequest } from '../../../meta/statusErrors.ts'
import type { Platform } from '../platform.ts'

/** Project of a namespace. @throws StatusError BadRequest if the namespace belongs to no project. */
export function projectOfNamespace(platform: Platform, namespace: string): string {
  const prefix = platform.projectNamespacePrefix()
  if (namespace.startsWith(prefix)) return namespace.slice(prefix.length)
  throw badRequest(
    `namespace ${namespace} belongs to no project: its name does not begin with ${prefix}`,
  )
}
