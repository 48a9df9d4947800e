import { expect } from 'chai'
import {
  isAllowedRedirect,
  type RedirectRules,
} from '../../../apiserver/platform/identityProvider/redirectUris.ts'

interface Case {
  name: string
  registered: string
  uri: string
  want: boolean
}

function table(title: string, rules: Omit<RedirectRules, 'registered'>, cases: readonly Case[]) {
  describe(title, () => {
    for (const { name, registered, uri, want } of cases) {
      it(`${name}: ${uri} for ${registered || 'nothing'}`, () => {
        const all = registered === '' ? [] : [registered]
        expect(isAllowedRedirect(uri, { ...rules, registered: all })).to.equal(want)
      })
    }
  })
}

const registered = 'https://app.test/callback'

describe('isAllowedRedirect', () => {
  table('for a client with a secret', { isPublic: false, hasWildcards: false }, [
    { name: 'the same', registered, uri: registered, want: true },
    { name: 'a slash more', registered, uri: `${registered}/`, want: false },
    { name: 'a part more', registered, uri: `${registered}/x`, want: false },
    { name: 'a query more', registered, uri: `${registered}?x=1`, want: false },
    { name: 'an empty query', registered, uri: `${registered}?`, want: false },
    { name: 'a fragment', registered, uri: `${registered}#x`, want: false },
    { name: 'an empty fragment', registered, uri: `${registered}#`, want: false },
    {
      name: 'a registered fragment',
      registered: `${registered}#x`,
      uri: `${registered}#x`,
      want: false,
    },
    { name: 'another path', registered, uri: 'https://app.test/Callback', want: false },
    {
      name: 'a host in capital letters',
      registered,
      uri: 'https://APP.test/callback',
      want: false,
    },
    {
      name: 'a scheme in capital letters',
      registered,
      uri: 'HTTPS://app.test/callback',
      want: false,
    },
    { name: 'plain HTTP', registered, uri: 'http://app.test/callback', want: false },
    {
      name: 'the port that it has anyway',
      registered,
      uri: 'https://app.test:443/callback',
      want: false,
    },
    { name: 'another port', registered, uri: 'https://app.test:8443/callback', want: false },
    { name: 'a host below', registered, uri: 'https://x.app.test/callback', want: false },
    {
      name: 'a host that begins like it',
      registered,
      uri: 'https://app.test.evil.test/callback',
      want: false,
    },
    {
      name: 'a dot at the end of the host',
      registered,
      uri: 'https://app.test./callback',
      want: false,
    },
    {
      name: 'a user before the host',
      registered,
      uri: 'https://app.test@evil.test/callback',
      want: false,
    },
    {
      name: 'a user and a password',
      registered,
      uri: 'https://a:b@app.test/callback',
      want: false,
    },
    {
      name: 'a registered user',
      registered: 'https://u@app.test/callback',
      uri: 'https://u@app.test/callback',
      want: false,
    },
    { name: 'a backslash', registered, uri: 'https://app.test\\@evil.test/callback', want: false },
    { name: 'a way up', registered, uri: 'https://app.test/x/../callback', want: false },
    { name: 'an escaped letter', registered, uri: 'https://app.test/%63allback', want: false },
    { name: 'a blank before it', registered, uri: ` ${registered}`, want: false },
    { name: 'a line break in it', registered, uri: 'https://app.test/call\nback', want: false },
    { name: 'a host of other letters', registered, uri: 'https://аpp.test/callback', want: false },
    { name: 'no scheme', registered, uri: '//app.test/callback', want: false },
    { name: 'nothing', registered, uri: '', want: false },
    {
      name: 'a scheme that runs code, registered',
      registered: 'javascript:alert(1)',
      uri: 'javascript:alert(1)',
      want: false,
    },
    {
      name: 'the same in capital letters',
      registered: 'JavaScript:alert(1)',
      uri: 'JavaScript:alert(1)',
      want: false,
    },
    {
      name: 'data, registered',
      registered: 'data:text/html,x',
      uri: 'data:text/html,x',
      want: false,
    },
    {
      name: 'a scheme of an app',
      registered: 'com.app.test:/cb',
      uri: 'com.app.test:/cb',
      want: true,
    },
    {
      name: 'a registered query',
      registered: `${registered}?a=1`,
      uri: `${registered}?a=1`,
      want: true,
    },
    {
      name: 'a star, which is none',
      registered: 'https://*.test/cb',
      uri: 'https://a.test/cb',
      want: false,
    },
    {
      name: 'a star, as it stands',
      registered: 'https://*.test/cb',
      uri: 'https://*.test/cb',
      want: false,
    },
    {
      name: 'the machine of the user, registered without a port',
      registered: 'http://127.0.0.1/cb',
      uri: 'http://127.0.0.1:5000/cb',
      want: false,
    },
    {
      name: 'the machine of the user, not registered',
      registered: '',
      uri: 'http://127.0.0.1:5000/cb',
      want: false,
    },
  ])

  const loopback = 'http://127.0.0.1/cb'
  table('for a public client', { isPublic: true, hasWildcards: false }, [
    { name: 'the same', registered, uri: registered, want: true },
    { name: 'another', registered, uri: 'https://app.test/other', want: false },
    {
      name: 'any port of the user’s machine',
      registered: loopback,
      uri: 'http://127.0.0.1:5000/cb',
      want: true,
    },
    {
      name: 'another path there',
      registered: loopback,
      uri: 'http://127.0.0.1:5000/other',
      want: false,
    },
    {
      name: 'another name of it',
      registered: loopback,
      uri: 'http://localhost:5000/cb',
      want: false,
    },
    { name: 'encrypted', registered: loopback, uri: 'https://127.0.0.1:5000/cb', want: false },
    {
      name: 'a registered port',
      registered: 'http://127.0.0.1:8000/cb',
      uri: 'http://127.0.0.1:8001/cb',
      want: false,
    },
    { name: 'IPv6', registered: 'http://[::1]/cb', uri: 'http://[::1]:5000/cb', want: true },
    {
      name: 'the machine, nothing registered',
      registered: '',
      uri: 'http://localhost:8000/any',
      want: true,
    },
    { name: 'another machine', registered: '', uri: 'http://10.0.0.1:8000/any', want: false },
    {
      name: 'a name that begins like it',
      registered: '',
      uri: 'http://localhost.evil.test/',
      want: false,
    },
    {
      name: 'a user before another host',
      registered: '',
      uri: 'http://localhost:80@evil.test/',
      want: false,
    },
    { name: 'another spelling of it', registered: '', uri: 'http://127.1:8000/', want: false },
    { name: 'a number', registered: '', uri: 'http://2130706433/', want: false },
    { name: 'all addresses', registered: '', uri: 'http://0.0.0.0:8000/', want: false },
    { name: 'a port that is none', registered: '', uri: 'http://localhost:99999/', want: false },
    {
      name: 'another site, nothing registered',
      registered: '',
      uri: 'https://app.test/cb',
      want: false,
    },
  ])

  const host = 'https://*.app.test/cb'
  table('with stars', { isPublic: false, hasWildcards: true }, [
    { name: 'a label', registered: host, uri: 'https://a-1.app.test/cb', want: true },
    { name: 'two labels', registered: host, uri: 'https://a.b.app.test/cb', want: false },
    { name: 'no label', registered: host, uri: 'https://.app.test/cb', want: false },
    { name: 'the host itself', registered: host, uri: 'https://app.test/cb', want: false },
    { name: 'the star', registered: host, uri: 'https://*.app.test/cb', want: false },
    {
      name: 'another host in the label',
      registered: host,
      uri: 'https://evil.test/x.app.test/cb',
      want: false,
    },
    {
      name: 'a query in the label',
      registered: host,
      uri: 'https://evil.test?.app.test/cb',
      want: false,
    },
    {
      name: 'a fragment in the label',
      registered: host,
      uri: 'https://evil.test#.app.test/cb',
      want: false,
    },
    {
      name: 'a user in the label',
      registered: host,
      uri: 'https://evil@x.app.test/cb',
      want: false,
    },
    {
      name: 'a port in the label',
      registered: host,
      uri: 'https://evil.test:1.app.test/cb',
      want: false,
    },
    {
      name: 'an escape in the label',
      registered: host,
      uri: 'https://evil%2e.app.test/cb',
      want: false,
    },
    {
      name: 'a part of a label',
      registered: 'https://app-*.test/cb',
      uri: 'https://app-7.test/cb',
      want: true,
    },
    {
      name: 'the end of a host',
      registered: 'https://app.test*/cb',
      uri: 'https://app.testing/cb',
      want: false,
    },
    { name: 'a whole host', registered: 'https://*/cb', uri: 'https://evil/cb', want: false },
    { name: 'everything', registered: '*', uri: 'https://evil.test/cb', want: false },
    { name: 'a scheme', registered: '*://app.test/cb', uri: 'http://app.test/cb', want: false },
    { name: 'a dot that is one', registered: host, uri: 'https://a.appxtest/cb', want: false },
    {
      name: 'a part of the path',
      registered: 'https://app.test/*/cb',
      uri: 'https://app.test/a_1/cb',
      want: true,
    },
    {
      name: 'two parts of the path',
      registered: 'https://app.test/*/cb',
      uri: 'https://app.test/a/b/cb',
      want: false,
    },
    {
      name: 'a way up',
      registered: 'https://app.test/*/cb',
      uri: 'https://app.test/../cb',
      want: false,
    },
    {
      name: 'an escaped way up',
      registered: 'https://app.test/*/cb',
      uri: 'https://app.test/%2e%2e/cb',
      want: false,
    },
    {
      name: 'the end of the path',
      registered: 'https://app.test/*',
      uri: 'https://app.test/cb',
      want: true,
    },
    {
      name: 'more than the path',
      registered: 'https://app.test/*',
      uri: 'https://app.test/cb?x=1',
      want: false,
    },
    {
      name: 'nothing in its place',
      registered: 'https://app.test/*',
      uri: 'https://app.test/',
      want: false,
    },
    {
      name: 'a value of the query',
      registered: `${registered}?a=*`,
      uri: `${registered}?a=1`,
      want: true,
    },
    {
      name: 'more of the query',
      registered: `${registered}?a=*`,
      uri: `${registered}?a=1&b=2`,
      want: false,
    },
    {
      name: 'a port',
      registered: 'http://localhost:*/cb',
      uri: 'http://localhost:8000/cb',
      want: true,
    },
    {
      name: 'a port that is a word',
      registered: 'http://localhost:*/cb',
      uri: 'http://localhost:x/cb',
      want: false,
    },
    {
      name: 'a user with a star',
      registered: 'https://*@app.test/cb',
      uri: 'https://a@app.test/cb',
      want: false,
    },
    { name: 'plain HTTP', registered: host, uri: 'http://a.app.test/cb', want: false },
    {
      name: 'letters of a pattern',
      registered: 'https://(a+)+.*.test/cb',
      uri: 'https://aa.b.test/cb',
      want: false,
    },
    { name: 'no star', registered, uri: registered, want: true },
  ])
})
