import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { harmlessHtml } from '../../../../apiserver/platform/logins/pages/legalText.ts'
import { page, pageHeaders } from '../../../../apiserver/platform/logins/pages/loginPages.ts'
import { cssColor, textColorOn } from '../../../../apiserver/platform/logins/pages/pageColor.ts'
import { pageLook } from '../../../../apiserver/platform/logins/pages/pageLook.ts'
import {
  management,
  openTestServer,
  type TestServer,
} from '../../../endpoints/support/testServer.ts'
import { deadline } from '../../../support/deadlines.ts'

describe('harmlessHtml', () => {
  const kept: [string, string][] = [
    [
      'By logging in you accept our <a href="https://x.example/terms?a=1&amp;b=2">terms</a>.',
      'By logging in you accept our <a href="https://x.example/terms?a=1&amp;b=2" rel="noopener noreferrer">terms</a>.',
    ],
    ['<p class="x" onclick="alert(1)" style="color:red">a<br/>b</P>', '<p>a<br>b</p>'],
    ['&copy; 2026 &#169; A & B < C', '&copy; 2026 &#169; A &amp; B &lt; C'],
    ['<ul><li>one<li>two</ul></div>', '<ul><li>one<li>two</li></li></ul>'],
    [
      '<a href=/imprint>i</a><a href="mailto:a@b.example">m</a>',
      '<a href="/imprint" rel="noopener noreferrer">i</a><a href="mailto:a@b.example" rel="noopener noreferrer">m</a>',
    ],
  ]
  for (const [html, want] of kept)
    it(`writes ${html}`, () => expect(harmlessHtml(html)).to.equal(want))

  const attacks = [
    '<script>alert(1)</script>',
    '<SCRIPT SRC=//evil></SCRIPT >x',
    '<scr<script>ipt>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<svg><a xlink:href="javascript:alert(1)">x</a></svg>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java&#115;cript:alert(1)">x</a>',
    '<a href=" \tjava\nscript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="vbscript:x">x</a>',
    '<a href="//evil.example">x</a>',
    '<a href="/\\evil.example">x</a>',
    '<a data-href="https://a" href=\'javascript:1\'>x</a>',
    '<a href="https://a" onclick=alert(1)>x</a>',
    '<a title="><script>alert(1)</script>" href="https://a">x</a>',
    '<style>@import "//evil"</style>',
    '<p style="background:url(//evil)">x',
    '<link rel=stylesheet href=//evil>',
    '<meta http-equiv=refresh content="0;url=//evil">',
    '<base href=//evil>',
    '<form action=//evil><input name=password></form>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data=//evil></object>',
    '<embed src=//evil>',
    '<!--><script>alert(1)</script>-->',
    '<!-- --!><img src=x onerror=alert(1)>',
    '<math><mtext><style><img src=x onerror=alert(1)></style></math>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<template><script>alert(1)</script></template>',
    '<p/onclick=alert(1)>',
    '<p "onclick=alert(1) x="">',
    '<b <i onclick=alert(1)>>',
    '</main></body><script>alert(1)</script>',
    '<a href="https://a&quot; onclick=&quot;alert(1)">x</a>',
    '<plaintext><script>',
    '<textarea></textarea><script>alert(1)</script>',
    '\u0000<scr\u0000ipt>alert(1)</scr\u0000ipt>',
    '<ſcript>alert(1)</ſcript>',
    '<a href="https://a"><a href="javascript:1">x',
    '<!DOCTYPE x [<!ENTITY a "<script>">]>',
    '<?xml-stylesheet href="javascript:1"?>',
    '<![CDATA[<script>alert(1)</script>]]>',
  ]
  const element = /<\/?([a-z0-9]+)((?:\s[^<>]*)?)>/g
  for (const attack of attacks) {
    it(`makes ${JSON.stringify(attack)} harmless`, () => {
      const html = harmlessHtml(attack)
      for (const [, name, attributes = ''] of html.matchAll(element)) {
        expect(name).to.match(
          /^(a|abbr|b|blockquote|br|code|d[dlt]|div|em|h[2-6r]|i|li|[ou]l|p|pre|s|small|span|strong|su[bp]|u)$/,
        )
        if (attributes !== '')
          expect(attributes).to.match(
            /^ href="(https?:\/\/[a-z]|\/[a-z]|mailto:)[^"<>]*" rel="noopener noreferrer"$/,
          )
      }
      expect(html.replace(element, '')).to.not.match(/[<>]/)
    })
  }

  it('takes time linear in the text', () => {
    for (const part of [
      '<a "',
      '<',
      '<!--',
      "<a href='",
      '<script>',
      '<b>',
      '&',
      '<a '.padEnd(60, 'x'),
    ]) {
      const started = performance.now()
      harmlessHtml(part.repeat(100_000))
      expect(performance.now() - started, part).to.be.lessThan(deadline(250))
    }
  })
})

describe('cssColor', () => {
  for (const good of [
    '#fff',
    '#1d4ed8',
    '#1d4ed880',
    'navy',
    'rgb(1, 2, 3)',
    'rgba(1,2,3,.5)'.replace('.5', '0.5'),
    'hsl(120deg 50% 50%)',
  ])
    it(`accepts ${good}`, () => expect(cssColor(good)).to.equal(good))
  for (const bad of [
    'red;}*{display:none',
    'url(//evil)',
    '#12345',
    'expression(alert(1))',
    'rgb(1,2,3',
    'var(--x)',
    'a/**/b',
    '</style>',
    '\\75rl(x)',
    '',
    'red\n;',
    1,
  ])
    it(`refuses ${JSON.stringify(bad)}`, () => expect(cssColor(bad)).to.equal(undefined))
  it('chooses a readable text color', () => {
    expect(['#fff', '#ff0', '#000', '#1d4ed8', '#123456aa', 'navy'].map(textColorOn)).to.deep.equal(
      ['#000', '#000', '#fff', '#fff', '#fff', '#fff'],
    )
  })
})

describe('the look of the login pages', () => {
  const policy = (headers: Readonly<Record<string, string>>) =>
    headers['Content-Security-Policy'] ?? ''

  it('is plain without settings', () => {
    const look = pageLook({ uiSettings: {}, host: '' })
    expect(look.dressed(page('T', '<p>m</p>'))).to.equal(page('T', '<p>m</p>'))
    expect(look.headers).to.deep.equal(pageHeaders)
  })

  it('allows the logo image only', () => {
    const { headers } = pageLook({
      uiSettings: { logoURL: 'https://cdn.example/a.svg', faviconURL: '/f.ico' },
      host: '',
    })
    expect(policy(headers))
      .to.include("; img-src https://cdn.example 'self';")
      .and.include("default-src 'none'")
  })

  it('keeps hostile settings inside their place in page and policy', () => {
    const evil =
      '"><script>alert(1)</script></style></title></main>;}*{x:url(//evil)}; script-src *'
    for (const name of [
      'logoURL',
      'smallLogoURL',
      'faviconURL',
      'logoBackgroundColor',
      'primaryColor',
      'sidebarColor',
      'accentColor',
      'legalTemplate',
    ])
      for (const value of [
        evil,
        `https://a.example/${evil}`,
        `https://a;script-src'self'/x`,
        `javascript:${evil}`,
        `$&$1${evil}`,
        'data:image/svg+xml,<svg onload=alert(1)>',
      ]) {
        const look = pageLook({ uiSettings: { [name]: value }, host: evil })
        const html = look.dressed(page('T', '<p>m</p>'))
        expect(html, `${name} ${value}`).to.not.match(/<script|="(javascript|data):/i)
        expect(html.match(/<style>/g)).to.have.length(1)
        const [, style = ''] = /<style>([^]*?)<\/style>/.exec(html) ?? []
        expect(policy(look.headers)).to.include(
          `sha256-${createHash('sha256').update(style).digest('base64')}`,
        )
        expect(policy(look.headers)).to.not.match(/script-src|\*/)
        expect(style).to.not.match(/evil|</)
      }
  })
})

describe('public uiSettings', () => {
  let server: TestServer
  before(async () => {
    server = await openTestServer()
  })
  after(() => server.running.stop())
  const path = '/auth/ui-settings'
  const set = (config: object) =>
    server.admin.post(`${management}/configs`, {
      spec: { raw: Buffer.from(JSON.stringify(config)).toString('base64') },
    })

  it('are readable without a login, and cached by their ETag', async () => {
    const look = {
      logoURL: 'https://cdn.example/l.svg',
      primaryColor: '#123456',
      legalTemplate: '<p onclick=x>Hi<script>1</script></p>',
    }
    const more = {
      platformVersion: 'v9',
      navBarButtons: [{ text: 't', link: '/l' }],
      accentColor: 'red;}',
    }
    await set({ auth: { oidc: { clientSecret: 'hunter2' } }, uiSettings: { ...look, ...more } })
    const anonymous = server.admin.with({ authorization: '' })
    const answer = await anonymous.get(path)
    expect([answer.status, answer.json]).to.deep.equal([
      200,
      { ...look, legalTemplate: '<p>Hi</p>' },
    ])
    const { etag = '', 'cache-control': cache } = answer.headers
    expect(cache).to.equal('public, max-age=60')
    const again = await anonymous.get(path, { 'if-none-match': `W/${etag}` })
    expect([again.status, again.text, again.headers.etag]).to.deep.equal([304, '', etag])
    await set({ uiSettings: { primaryColor: 'navy' } })
    const changed = await anonymous.get(path, { 'if-none-match': etag })
    expect([changed.status, changed.json]).to.deep.equal([200, { primaryColor: 'navy' }])
    expect((await anonymous.post(path, {})).status).to.equal(405)
  })

  it('shows the buttons of the navigation bar to users alone, without links that run scripts', async () => {
    const button = { position: 'TopEnd', text: 'Handbook', link: 'https://docs.example/h' }
    await set({
      uiSettings: { navBarButtons: [button, { text: 'Mail', link: 'mailto:a@b.example' }] },
    })
    const { json, headers } = await server.admin.get(path)
    expect(json).to.deep.equal({
      navBarButtons: [button, { position: 'BottomEnd', text: 'Mail', link: 'mailto:a@b.example' }],
    })
    expect([headers['cache-control'], headers.vary]).to.deep.equal([
      'private, max-age=60',
      'Authorization',
    ])
    expect((await server.admin.with({ authorization: '' }).get(path)).json).to.deep.equal({})
    expect(
      (await server.admin.with({ authorization: 'Bearer no-such-key' }).get(path)).json,
    ).to.deep.equal({})
    const unsafe = await set({
      uiSettings: { navBarButtons: [{ text: 'x', link: 'javascript:alert(1)' }] },
    })
    expect(unsafe.status).to.equal(422)
  })

  it('appear on login and error pages as soon as they are set', async () => {
    await set({
      platformHost: 'p.example.com',
      uiSettings: { logoURL: '/l.svg', legalTemplate: '<b>legal</b>', primaryColor: '#123456' },
    })
    const html = { accept: 'text/html', authorization: '' }
    for (const at of ['/login', '/auth/nowhere/login']) {
      const { text, headers } = await server.admin.get(at, html)
      expect(text, at).to.include('<img src="/l.svg"').and.include('<footer><b>legal</b></footer>')
      expect(text).to.include('background: #123456').and.include(' – p.example.com</title>')
      expect(headers['content-security-policy']).to.include("img-src 'self'")
    }
    await set({})
    expect((await server.admin.get('/login', html)).text).to.not.include('l.svg')
  })
})
