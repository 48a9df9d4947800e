import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'node:http'
import type {
  GivenServerOptions,
  RunningServer,
} from '../../apiserver/runtime/options/serverOptions.ts'
import { startServer } from '../../apiserver/server.ts'
import { consoleHeaders } from '../../apiserver/console/consolePolicy.ts'
import { buildConsole, type BuiltConsole } from '../../hack/package/console/buildConsole.ts'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Sends a request and returns the raw response: not decompressed, redirects not followed. */
function ask(server: RunningServer, path: string, headers = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.insecureUrl ?? '')
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
    sent.on('error', reject).end()
  })
}

describe('Serving the console', function () {
  this.timeout(60_000)
  let folder: string
  let built: BuiltConsole
  let server: RunningServer

  const start = (options: GivenServerOptions = {}, place = folder) =>
    startServer(
      {
        ...{ storage: 'memory', securePort: 0, insecurePort: 0, logLevel: 'silent' },
        ...{ shutdownGraceSeconds: 0 },
        ...options,
      },
      { consoleFolder: pathToFileURL(`${place}/`) },
    )

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'))
    built = await buildConsole(folder)
    server = await start()
  })
  after(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('loads at most 300 KB before the first page', () => {
    expect(built.firstLoad.gzip).to.be.below(300_000).and.above(50_000)
  })

  it('leads a browser from /, /console and /docs to the console, relative to the path', async () => {
    for (const [path, target] of [
      ['/', 'console/'],
      ['/console', 'console/'],
      ['/docs', 'console/#/docs'],
    ] as const) {
      const { status, headers } = await ask(server, path, html)
      expect([status, headers['location'], headers['vary']]).to.deep.equal([302, target, 'Accept'])
    }
  })

  it('answers API clients at / and /docs as a server without a console does', async () => {
    const plain = await start({ console: false })
    const unbuilt = await start({}, join(folder, 'assets'))
    const authorization = `Bearer ${server.adminAccessKey}`
    for (const path of ['/', '/docs'])
      for (const headers of [
        {},
        { accept: 'application/json' },
        { accept: '*/*', authorization },
      ]) {
        const key = { ...headers }
        const answers = await Promise.all(
          [server, plain, unbuilt].map(async (one) => {
            const own =
              'authorization' in key ? { authorization: `Bearer ${one.adminAccessKey}` } : {}
            const { status, body } = await ask(one, path, { ...key, ...own })
            return [status, body.toString()]
          }),
        )
        expect(answers[0]).to.deep.equal(answers[1])
        expect(answers[0]).to.deep.equal(answers[2])
      }
    for (const path of ['/', '/docs', '/console', '/console/', '/console/index.html']) {
      const answers = await Promise.all([plain, unbuilt].map((one) => ask(one, path, html)))
      expect(answers.map(({ status }) => status)).to.deep.equal([401, 401])
    }
    await plain.stop()
    await unbuilt.stop()
  })

  it('serves the page with a strict policy, revalidated by its tag', async () => {
    const { status, headers, body } = await ask(server, '/console/', html)
    expect(status).to.equal(200)
    expect(headers).to.deep.include({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(headers['set-cookie']).to.equal(undefined)
    expect(String(headers['content-security-policy'])).to.include("script-src 'self';")
    expect(String(headers['content-security-policy'])).to.not.match(/unsafe|\*|http/)
    expect(body.toString()).to.not.match(/<style|<script(?! type="module" src="assets)| on\w+=/)
    const again = await ask(server, '/console/', { 'if-none-match': headers['etag'] })
    expect([again.status, again.body.length]).to.deep.equal([304, 0])
    const other = await ask(server, '/console/', { 'if-none-match': '"other"' })
    expect(other.status).to.equal(200)
  })

  it('serves files with hashes forever, in the form that was compressed by the build', async () => {
    const { body: page } = await ask(server, '/console/')
    const [, script = ''] = /src="(assets\/[^"]+)"/.exec(page.toString()) ?? []
    const plain = await ask(server, `/console/${script}`)
    expect(plain.headers).to.deep.include({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    })
    const brotli = await ask(server, `/console/${script}`, { 'accept-encoding': 'gzip, br' })
    const gzip = await ask(server, `/console/${script}`, { 'accept-encoding': 'gzip, br;q=0' })
    expect([brotli, gzip].map(({ headers }) => headers['content-encoding'])).to.deep.equal([
      'br',
      'gzip',
    ])
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).to.equal(true)
    expect(gunzipSync(gzip.body).equals(plain.body)).to.equal(true)
    const tags = [plain, brotli, gzip].map(({ headers }) => headers['etag'])
    expect(new Set(tags).size).to.equal(3)
    const head = await ask(server, `/console/${script}`, {}, 'HEAD')
    expect([head.status, head.body.length]).to.deep.equal([200, 0])
    expect(head.headers['content-length']).to.equal(String(plain.body.length))
  })

  for (const path of [
    '/console/manifest.json',
    '/console/../package.json',
    '/console/..%2fpackage.json',
    '/console/assets/%2e%2e/manifest.json',
    '/console/assets/',
    '/console//etc/passwd',
    '/console/constructor',
    '/console/index.html.br',
    '/console/%00',
  ])
    it(`has nothing at ${path}`, async () => {
      expect((await ask(server, path, html)).status).to.equal(404)
    })

  it('refuses to write: 405', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await ask(server, '/console/', {}, method)).status).to.equal(405)
  })

  it('notices a new build with the next page', async () => {
    const before = await ask(server, '/console/')
    await buildConsole(folder)
    const after = await ask(server, '/console/')
    expect(after.status).to.equal(200)
    expect(after.headers['etag']).to.equal(before.headers['etag'])
  })
})

describe('consoleHeaders', () => {
  const policyOf = (ui: Record<string, unknown>) =>
    consoleHeaders(ui)['Content-Security-Policy'] ?? ''

  for (const hostile of [
    'https://a.example; script-src *',
    'javascript:alert(1)',
    'data:text/javascript,alert(1)',
    '//a.example/x.js',
    '*',
    7,
    ['https://a.example/x.js'],
  ])
    it(`takes nothing from ${JSON.stringify(hostile)}`, () => {
      const ui = { customJavaScript: [hostile], customCss: [hostile], logoURL: hostile }
      expect(policyOf(ui)).to.equal(policyOf({}))
    })

  it('names scripts one by one and without their query, images by their origin', () => {
    const policy = policyOf({
      customJavaScript: ['https://a.example/x.js?v=1', '/own.js'],
      customCss: ['https://a.example/a;b.css'],
      logoURL: 'https://b.example:8443/logo.png',
    })
    expect(policy).to.include("script-src 'self' https://a.example/x.js;")
    expect(policy).to.include("style-src 'self' https://a.example;")
    expect(policy).to.include("img-src 'self' https://b.example:8443 data:;")
  })
})
