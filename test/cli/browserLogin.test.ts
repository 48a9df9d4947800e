import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BrowserPage } from '../conformance/browser/browserPage.ts'
import { chromiumProgram, DevTools } from '../conformance/browser/devTools.ts'
import { RunningCommand } from '../conformance/support/command.ts'
import { Workspace } from '../conformance/support/workspace.ts'
import { OpenIdProvider } from '../platform/logins/support/openIdProvider.ts'
import { encodeYaml } from '../../apiserver/encoding/yaml.ts'
import { management } from '../endpoints/support/testServer.ts'
import { builtClient } from './support/builtClient.ts'
import { Client } from './support/client.ts'
import { adminPassword, useClientServer } from './support/clientServer.ts'
import { skip } from '../support/skip.ts'

describe('login in a browser', function () {
  this.timeout(120_000)
  const server = useClientServer()
  const workspace = new Workspace()
  let client: Client
  beforeEach(() => {
    client = new Client()
  })
  afterEach(() => client.remove())
  after(() => workspace.close())

  /** `login` that waits for a browser; BROWSER is a program that opens nothing. */
  const startLogin = async (...more: string[]) => {
    const program = join(await builtClient(), 'platform')
    const { url, authority } = server()
    const env = { ...(await client.environment()), BROWSER: 'true' }
    const args = ['login', url, '--certificate-authority', authority, ...more]
    return new RunningCommand(workspace, [program, ...args], { env, timeoutSeconds: 60 })
  }
  const pageOf = async (login: RunningCommand) => {
    await login.until(({ stderr }) => /https:\S+code_challenge\S+/.test(stderr), 20)
    return new URL(/https:\S+code_challenge\S+/.exec(login.stderr)?.[0] ?? '')
  }
  /** Logs in with the form of the page like a browser. @returns the last page. */
  const submit = async (page: URL) => {
    const action = `${server().running.insecureUrl}/auth/password/login${page.search}`
    const body = new URLSearchParams({ username: 'admin', password: adminPassword })
    const answer = await fetch(action, { method: 'POST', body, headers: { accept: 'text/html' } })
    return (await answer.text()).replaceAll('&amp;', '&')
  }
  const nextOf = (text: string) => new URL(/class="button" href="([^"]+)"/.exec(text)?.[1] ?? '')

  it('gets a code on the loopback interface, once, and only with its own state', async () => {
    const login = await startLogin()
    const page = await pageOf(login)
    expect(page.searchParams.get('redirect_uri')).to.match(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    const next = nextOf(await submit(page))
    const forged = new URL(next)
    forged.searchParams.set('state', 'x'.repeat(next.searchParams.get('state')?.length ?? 0))
    expect((await fetch(forged)).status).to.equal(400)
    expect((await fetch(new URL('/other', next))).status).to.equal(404)
    const shown = await fetch(next)
    expect([shown.status, (await shown.text()).includes('You are logged in')]).to.deep.equal([
      200,
      true,
    ])
    const { code, stderr } = await login.done
    expect([code, stderr.includes('as admin. Context: 127.0.0.1.')]).to.deep.equal([0, true])
    expect(await client.ok(['whoami'])).to.equal('admin\n')
    const status = await client.ok(['status', '-o', 'jsonpath={.accessKey.type}'])
    expect(status).to.equal('Login')
  })

  it('takes a code from a browser on another machine', async () => {
    const { url, authority } = server()
    const program = join(await builtClient(), 'platform')
    const args = ['login', url, '--certificate-authority', authority, '--no-browser']
    const child = workspace.spawn(program, args, { env: await client.environment() })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
    const done = new Promise((resolve) => child.once('close', resolve))
    while (!said.includes('code_challenge')) await new Promise((turn) => setTimeout(turn, 20))
    const page = new URL(/https:\S+/.exec(said)?.[0] ?? '')
    const code = /id="code" value="([^"]+)"/.exec(await submit(page))?.[1]
    child.stdin?.end(`${code}\n`)
    expect(await done).to.equal(0)
    expect(await client.ok(['whoami'])).to.equal('admin\n')
  })

  it('gives up after --timeout with 7', async () => {
    const { code, stderr } = await (await startLogin('--timeout', '1s')).done
    expect([code, stderr.includes('platform: nobody logged in')]).to.deep.equal([7, true])
  })

  it('does not wait for a browser without a terminal', async () => {
    const { url, authority } = server()
    const [code, said] = await client.fails(['login', url, '--certificate-authority', authority])
    expect([code, said.split('\n')[0]]).to.deep.equal([
      2,
      'platform: cannot open a browser without a terminal',
    ])
  })

  describe('in Chromium', () => {
    let tools: DevTools
    before(async function () {
      const program = chromiumProgram()
      if (program === undefined) skip(this, 'Chromium not found')
      tools = await DevTools.start(workspace, program)
    })
    after(async () => {
      await tools?.close()
    })

    it('logs in with a password, by the keyboard', async () => {
      const login = await startLogin()
      const page = await BrowserPage.open(tools)
      await page.goTo((await pageOf(login)).href)
      await page.shows('Log in')
      await page.type('admin')
      await page.press('Tab')
      await page.type(adminPassword)
      await page.press('Enter')
      // The page redirects to the program by itself.
      await page.shows('You are logged in')
      const { code } = await login.done
      expect(code).to.equal(0)
      expect(await client.ok(['whoami'])).to.equal('admin\n')
      expect(page.complaints).to.deep.equal([])
    })

    it('logs in through an OpenID provider', async () => {
      const redirectURI = `${server().url}/auth/oidc/callback`
      const provider = await OpenIdProvider.start([redirectURI])
      try {
        provider.accounts.set('jane-1', { preferred_username: 'jane', name: 'Jane Roe' })
        const { url: issuerUrl, caFile } = provider
        const clientSecret = 'a secret of the client: 0123456789'
        const oidc = {
          issuerUrl,
          clientId: 'platform',
          clientSecret,
          redirectURI,
          caFile,
          type: 'the company',
        }
        const raw = Buffer.from(encodeYaml({ auth: { oidc } })).toString('base64')
        await server().admin.post(`${management}/configs`, {
          metadata: { name: 'config' },
          spec: { raw },
        })
        const login = await startLogin()
        const page = await BrowserPage.open(tools)
        await page.goTo((await pageOf(login)).href)
        await page.shows('Log in')
        await page.evaluate(`document.querySelector('a.button').click()`)
        await page.shows('Sign-in')
        await page.evaluate(`document.querySelector('input[name=login]').focus()`)
        await page.type('jane-1')
        await page.press('Tab')
        await page.type('any')
        await page.press('Enter')
        await page.shows('Authorize')
        await page.evaluate(`document.querySelector('button').click()`)
        expect((await login.done).code).to.equal(0)
        expect(await client.ok(['whoami'])).to.equal('jane\n')
        const settings = readFileSync(join(client.home, 'settings.json'), 'utf8')
        expect(settings).to.include('"user": "jane"')
      } finally {
        await provider.close()
      }
    })
  })
})
