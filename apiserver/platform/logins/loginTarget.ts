import { continuationOf } from './pages/browserSession.ts'

/** The continuation of a successful login. */
export interface LoginTarget {
  /** Whether a command-line client waits for it. */
  isCli: boolean
  /** Id of the pending request to the platform's OpenID provider; it is safe in a URL. */
  oidc?: string
}

/** The continuation in the parameters of the login page, which its forms and links pass on. */
export function loginTarget(fields: URLSearchParams): LoginTarget {
  const oidc = fields.get('oidc')
  return {
    isCli: fields.get('cli') === 'true',
    ...(oidc === null || continuationOf(oidc) === undefined ? {} : { oidc }),
  }
}

/** The query that passes it on; empty: none. */
export function targetQuery({ isCli, oidc }: LoginTarget): string {
  const query = new URLSearchParams({
    ...(isCli ? { cli: 'true' } : {}),
    ...(oidc === undefined ? {} : { oidc }),
  }).toString()
  return query === '' ? '' : `?${query}`
}
