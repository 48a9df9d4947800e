import { continuationOf } from './pages/browserSession.ts'

/** Where a login goes on when it has succeeded. */
export interface LoginTarget {
  /** At a command-line client that waits. */
  isCli: boolean
  /** At what the platform, as an OpenID provider, was asked for: its id, which may stand in an address. */
  oidc?: string
}

/** As the login page was told, and its forms and links tell on. */
export function loginTarget(fields: URLSearchParams): LoginTarget {
  const oidc = fields.get('oidc')
  return {
    isCli: fields.get('cli') === 'true',
    ...(oidc === null || continuationOf(oidc) === undefined ? {} : { oidc }),
  }
}

/** The query that tells it on; empty: there is nothing to tell. */
export function targetQuery({ isCli, oidc }: LoginTarget): string {
  const query = new URLSearchParams({
    ...(isCli ? { cli: 'true' } : {}),
    ...(oidc === undefined ? {} : { oidc }),
  }).toString()
  return query === '' ? '' : `?${query}`
}
