import { expect } from 'chai'
import { ownUrl, withConsent } from '../../../apiserver/platform/identityProvider/requestUrl.ts'

describe('addresses of the OpenID provider', () => {
  const own: { url: string | undefined; want: string | undefined }[] = [
    { url: '/oidc/jwks', want: '/jwks' },
    { url: '/oidc/authorize?a=%2F', want: '/authorize?a=%2F' },
    { url: '/oidc/', want: '/' },
    { url: '/oidc', want: undefined },
    { url: '/oidcx/jwks', want: undefined },
    { url: '/OIDC/jwks', want: undefined },
    { url: '//oidc/jwks', want: undefined },
    { url: 'https://evil.test/oidc/jwks', want: undefined },
    { url: undefined, want: undefined },
  ]
  for (const { url, want } of own) {
    it(`${url} is ${want ?? 'invalid'}`, () => {
      expect(ownUrl(url)).to.equal(want)
    })
  }

  const consents: { name: string; query: string; want?: string }[] = [
    { name: 'no offline access', query: 'scope=openid' },
    { name: 'a scope like it', query: 'scope=offline_accessx' },
    { name: 'offline access', query: 'scope=openid+offline_access', want: 'consent' },
    { name: 'with a login', query: 'scope=offline_access&prompt=login', want: 'login consent' },
    { name: 'with consent', query: 'scope=offline_access&prompt=consent', want: 'consent' },
    { name: 'without a page', query: 'scope=offline_access&prompt=none', want: 'none' },
  ]
  for (const { name, query, want = null } of consents) {
    it(`the prompt for ${name} is ${want}`, () => {
      const url = new URL(withConsent(`/authorize?x=a%20b&${query}`), 'http://server')
      expect(url.searchParams.get('prompt')).to.equal(want)
      expect(url.searchParams.get('x')).to.equal('a b')
    })
  }

  it('leaves repeated parameters, which are refused later, and other paths unchanged', () => {
    for (const url of [
      '/authorize?scope=offline_access&prompt=login&prompt=none',
      '/authorize?scope=offline_access&scope=openid',
      '/token?scope=offline_access',
      '/authorize',
    ]) {
      expect(withConsent(url)).to.equal(url)
    }
  })
})
