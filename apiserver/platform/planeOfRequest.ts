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
  /** Prefix of the management API, which answers at the root too. */
  prefix: string
  logins: Plane
  console: (path: string, headers: IncomingHttpHeaders) => Plane | undefined
  /** The plane of a cluster, virtual cluster or space whose prefix the path has. */
  other: (path: string) => FoundPlane | undefined
}

/** Finds the plane of a request by its path: logins, the console, other planes, else the management API. */
export function planeOfRequest({ management, prefix, logins, console, other }: RequestPlanes) {
  return (path: string, { headers }: IncomingMessage): FoundPlane => {
    if (isLoginPath(path)) return { plane: logins, path }
    const page = console(path, headers)
    if (page !== undefined) return { plane: page, path }
    const below = belowPrefix(path, prefix)
    // Paths below no plane's prefix belong to the management API, at the root.
    const found = below === path ? other(path) : undefined
    return found ?? { plane: management, path: below }
  }
}
