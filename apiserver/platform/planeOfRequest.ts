import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Plane } from '../endpoints/exchange.ts'
import { belowPrefix } from '../http/serverPaths.ts'
import { isLoginPath } from './logins/pages/loginPaths.ts'

interface FoundPlane {
  plane: Plane
  path: string
}

interface RequestPlanes {
  management: Plane
  /** Prefix of the management API, which is also served at the root. */
  prefix: string
  logins: Plane
  console: (path: string, headers: IncomingHttpHeaders) => Plane | undefined
  /** Plane of a cluster, virtual cluster or space for a path with its prefix. */
  other: (path: string) => FoundPlane | undefined
}

/** Finds the plane of a request by its path: logins, the console, other planes, otherwise the management API. */
export function planeOfRequest({ management, prefix, logins, console, other }: RequestPlanes) {
  return (path: string, { headers }: IncomingMessage): FoundPlane => {
    if (isLoginPath(path)) return { plane: logins, path }
    const page = console(path, headers)
    if (page !== undefined) return { plane: page, path }
    const below = belowPrefix(path, prefix)
    // Paths without a plane's prefix belong to the management API, at the root.
    const found = below === path ? other(path) : undefined
    return found ?? { plane: management, path: below }
  }
}
