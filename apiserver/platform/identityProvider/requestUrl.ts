import { identityProviderPath } from '../logins/pages/browserSession.ts'

/** The path and query below the provider's own, as the library is to see them; undefined: the address is no such one, or
 *  is spelt in another way than it is published. */
export function ownUrl(url: string | undefined): string | undefined {
  return url?.startsWith(`${identityProviderPath}/`) === true
    ? url.slice(identityProviderPath.length)
    : undefined
}

/** A client that asks for refresh tokens needs no prompt for consent here: that is given. The library follows the standard
 *  in leaving the scope out without one. Source: OpenID Connect Core section 11, "other conditions". */
export function withConsent(url: string): string {
  const mark = url.indexOf('?')
  if (mark < 0 || url.slice(0, mark) !== '/authorize') return url
  const query = new URLSearchParams(url.slice(mark + 1))
  const wants = (query.get('scope') ?? '').split(' ').includes('offline_access')
  const prompts = (query.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== '')
  const isRepeated = query.getAll('prompt').length > 1 || query.getAll('scope').length > 1
  if (!wants || isRepeated || prompts.includes('none') || prompts.includes('consent')) return url
  query.set('prompt', [...prompts, 'consent'].join(' '))
  return `${url.slice(0, mark)}?${query.toString()}`
}
