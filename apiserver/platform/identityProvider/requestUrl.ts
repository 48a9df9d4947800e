import { identityProviderPath } from '../logins/pages/browserSession.ts'

/** The path and query relative to the provider; undefined: the URL is outside of it, or not spelt as published. */
export function ownUrl(url: string | undefined): string | undefined {
  return url?.startsWith(`${identityProviderPath}/`) === true
    ? url.slice(identityProviderPath.length)
    : undefined
}

/**
 * Adds the consent prompt for clients that request refresh tokens: consent is implied here, but the library follows the
 * standard and drops the scope without it. Source: OpenID Connect Core section 11, "other conditions".
 */
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
