import { expect } from 'chai'
import { failure } from './support/status.ts'
import { RawSocket } from './support/rawSocket.ts'
import { management, secrets, users, useTestServer } from './support/testServer.ts'
import { deadline } from '../support/deadlines.ts'

const tooLarge = failure(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728')
const limit = 3 * 1024 * 1024

/** Head and body of the last response in `text`. */
function lastAnswer(text: string): { head: string; body: string } {
  const [head = '', body = ''] = text.slice(text.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n')
  return { head, body }
}

describe('hostile callers', () => {
  const server = useTestServer()
  const socket = () => RawSocket.open(server().admin.port)
  const head = (line: string, ...headers: string[]) =>
    [
      `${line} HTTP/1.1`,
      'Host: a',
      `Authorization: Bearer ${server().running.adminAccessKey}`,
      ...headers,
      '',
      '',
    ].join('\r\n')

  afterEach('the server answers as before, and nothing is left running', async () => {
    const { admin } = server()
    expect((await admin.get(`${users}/admin`)).status).to.equal(200)
    const gauges = async () =>
      [
        ...(await admin.get('/metrics')).text.matchAll(
          /^apiserver_current_inflight_requests\{.*\} (\d+)$/gm,
        ),
      ].map(([, count]) => count)
    while ((await gauges()).join() !== '1,0');
  })

  describe('very many headers', () => {
    for (const line of [
      'Impersonate-Extra-A: b',
      'Impersonate-Joined-Group: b, c, d',
      'X-Remote-Group: b',
    ]) {
      it(`${line}: read in time linear in their number`, async function () {
        this.timeout(5_000)
        const raw = await socket()
        const count = Math.floor(900_000 / line.length)
        raw.write(head('GET /version', 'Impersonate-User: x', ...Array<string>(count).fill(line)))
        expect(await raw.until(/^HTTP\/1\.1 (200|403) /)).to.include('HTTP/1.1')
        raw.close()
      })
    }
  })

  describe('bodies above the limit (reference 1.12)', () => {
    const body = `{"metadata":{"name":"big"},"spec":{"description":"${'x'.repeat(limit)}"}}`

    for (const [method, path, type] of [
      ['POST', users, 'application/json'],
      ['POST', users, 'application/yaml'],
      ['PUT', `${users}/admin`, 'application/json'],
      ['PATCH', `${users}/admin`, 'application/merge-patch+json'],
      ['DELETE', `${users}/nobody`, 'application/json'],
    ] as const) {
      it(`${method} of ${type} with a content length: 413, and the client can read it`, async () => {
        const headers = { 'content-type': type }
        const answer = await server().admin.call(path, { method, body, headers })
        expect([answer.status, answer.json]).to.deep.equal([413, tooLarge])
      })

      it(`${method} of ${type} in chunks: 413, and the client can read it`, async () => {
        const raw = await socket()
        raw.write(head(`${method} ${path}`, `Content-Type: ${type}`, 'Transfer-Encoding: chunked'))
        const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
        for (let sent = 0; sent <= limit + 0x20000; sent += 0x10000) raw.write(chunk)
        const text = await raw.until(/\}\n$/)
        expect(lastAnswer(text).head).to.match(/^HTTP\/1\.1 413 /)
        expect(JSON.parse(lastAnswer(text).body)).to.deep.equal(tooLarge)
        raw.close()
      })
    }

    it('an announced length over the limit is refused before the body is sent', async () => {
      const raw = await socket()
      raw.write(head(`POST ${users}`, 'Content-Length: 99999999999'))
      const text = await raw.untilClosed()
      expect(JSON.parse(lastAnswer(text).body)).to.deep.equal(tooLarge)
    })

    it('a body of exactly the limit is read', async () => {
      const padded = '{"metadata":{"name":"just"}}'.padEnd(limit, ' ')
      const answer = await server().admin.post(`${users}?dryRun=All`, padded)
      expect(answer.status).to.equal(201)
    })
  })

  describe('thousands of values at fault are told of in time', () => {
    const count = 6_000
    const many = (what: string) => Array.from({ length: count }, (_, at) => `"k${at} ":${what}`)
    for (const [where, errorsEach, body] of [
      ['bad labels', 1, `{"metadata":{"name":"many","labels":{${many('""').join()}}}}`],
      [
        'bad finalizers',
        2,
        `{"metadata":{"name":"many","finalizers":[${many('').join().replaceAll(':', '')}]}}`,
      ],
    ] as const) {
      it(where, async function () {
        this.timeout(20_000)
        const answer = await server().admin.post('/api/v1/namespaces/default/configmaps', body)
        const causes = answer.field('details', 'causes') as { message: string }[]
        expect([answer.status, causes.length, causes.at(-1)?.message]).to.deep.equal([
          422,
          1_001,
          `Too many errors: ${errorsEach * count - 1_000} more`,
        ])
      })
    }
  })

  it('a million values are refused before anything is made of them', async () => {
    const body = `{"metadata":{"name":"many"},"spec":{"ports":[${'{},'.repeat(999_999)}{}]}}`
    const answer = await server().admin.post('/api/v1/namespaces/default/services', body)
    const why = 'an object has at most 50000 values, or 6250 members of large maps'
    expect([answer.status, answer.field('message')]).to.deep.equal([
      413,
      `Request entity too large: ${why}`,
    ])
  })

  it('thousands of objects in one list are refused before validation', async () => {
    const ports = Array.from({ length: 20_000 }, () => '{}').join()
    const body = `{"metadata":{"name":"many"},"spec":{"ports":[${ports}]}}`
    const answer = await server().admin.post('/api/v1/namespaces/default/services', body)
    expect(answer.field('message')).to.equal(
      'Service "many" is invalid: spec.ports: Too many: 20000: must have at most 5000 items',
    )
  })

  it('thousands of unknown fields are reported like others', async () => {
    const unknown = Array.from({ length: 6_000 }, (_, at) => `"k${at}":1`).join()
    const body = `{"metadata":{"name":"many"},"b":{},"spec":{"a":1},${unknown}}`
    const answer = await server().admin.post('/api/v1/namespaces/default/services', body)
    expect([answer.status, answer.all('warning').length > 0]).to.deep.equal([422, true])
  })

  it('impersonation headers count even after thousands of other headers (reference 7.6)', async () => {
    const raw = await socket()
    const many = Array.from({ length: 5000 }, (_, at) => `X-${at}: y`)
    raw.write(
      head(
        'GET /api/v1/namespaces/default/secrets',
        'Connection: close',
        ...many,
        'Impersonate-User: jane',
      ),
    )
    const text = await raw.untilClosed()
    expect(text).to.match(/^HTTP\/1\.1 403 /)
    expect(text).to.include('User \\"jane\\" cannot list resource')
  })

  const broken = [
    ['a chunk length that is none', 'xyz\r\nhello\r\n0\r\n\r\n'],
    ['a negative chunk length', '-5\r\nhello\r\n0\r\n\r\n'],
    ['an endless chunk length', `${'f'.repeat(40)}\r\nhello`],
    ['a chunk that is too long', '3\r\nhello\r\n0\r\n\r\n'],
  ] as const
  for (const [what, body] of broken) {
    it(`${what} is 400, or closes the connection (reference 1.12)`, async () => {
      const raw = await socket()
      raw.write(head(`POST ${users}`, 'Transfer-Encoding: chunked') + body)
      const text = await raw.untilClosed()
      expect(text === '' || /^HTTP\/1\.1 400 /.test(text), text).to.equal(true)
    })
  }

  const malformed = [
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['no Host', `GET /healthz HTTP/1.1\r\n\r\n`],
    [
      'two lengths',
      `POST ${users} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    ],
    [
      'a length and chunks',
      `POST ${users} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a header name with a space', `GET /healthz HTTP/1.1\r\nHost: a\r\na b: c\r\n\r\n`],
    ['a folded header', `GET /healthz HTTP/1.1\r\nHost: a\r\nA: b\r\n c\r\n\r\n`],
    ['a control character', `GET /healthz HTTP/1.1\r\nHost: a\r\nA: b\x00c\r\n\r\n`],
    ['an unknown method', `JUMP /healthz HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a version that is none', `GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n`],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ] as const
  for (const [what, text] of malformed) {
    it(`${what} is refused, and closes the connection`, async () => {
      const raw = await socket()
      raw.write(text)
      const answer = await raw.untilClosed()
      expect(answer === '' || /^HTTP\/1\.1 4\d\d /.test(answer), answer).to.equal(true)
    })
  }

  const targets = [
    ['*', 404],
    ['//', 404],
    ['//evil.dev/', 404],
    ['http://[', 200],
    ['http://a:b:c/', 200],
    [`HTTP://a${users}?limit=abc`, 400],
    ['/%', 404],
    ['/%zz/%', 404],
    ['/%00', 404],
    ['/%ff%fe', 404],
    [`${users}/%ff%fe`, 400],
    [`${users}/a%00b`, 404],
    [`${users}/%2e%2e`, 400],
    [`${users}/..`, 400],
    [`${users}/../users/admin`, 404],
    [`${management}/namespaces/../sharedsecrets/a`, 404],
    [`${secrets}/..%2f..%2fusers%2fadmin`, 404],
    ['/kubernetes/management/../../../etc/passwd', 404],
    ['/?a=%zz&%=&&==', 200],
    [`${users}?limit=1&limit=abc&labelSelector=%00`, 400],
    [`${users}/${'a'.repeat(9000)}`, 404],
    [`/${'/'.repeat(9000)}`, 404],
    [`/${'a/'.repeat(4000)}`, 404],
    [`${users}?${'dryRun=All&'.repeat(900)}`, 200],
    [`${users}?labelSelector=${'a%3Db,'.repeat(1000)}a`, 200],
    [`${users}?labelSelector=${'('.repeat(9000)}`, 400],
    [`${users}?fieldSelector=${'metadata.name%3Da,'.repeat(400)}`, 200],
    [`${users}?timeout=${'9'.repeat(8000)}h`, 400],
  ] as const
  for (const [target, code] of targets) {
    it(`GET ${target.slice(0, 60)} (${target.length}) is ${code}, in plain text or the API's own form`, async () => {
      const raw = await socket()
      raw.write(head(`GET ${target}`, 'Connection: close'))
      const answer = lastAnswer(await raw.untilClosed())
      expect(answer.head, answer.body).to.match(new RegExp(`^HTTP/1\\.1 ${code} `))
      if (answer.body === '404 page not found\n') {
        expect(answer.head).to.match(/^content-type: text\/plain; charset=utf-8\r$/im)
        return
      }
      expect(answer.head).to.match(/^content-type: application\/json\r$/im)
      expect(JSON.parse(answer.body)).to.have.any.keys('kind', 'paths')
    })
  }

  it('a target with scheme and host is read as its path (reference 1.4)', async () => {
    const raw = await socket()
    raw.write(head(`GET http://some.where:80${users}/admin?pretty=1`, 'Connection: close'))
    const answer = lastAnswer(await raw.untilClosed())
    expect(answer.head).to.match(/^HTTP\/1\.1 200 /)
  })

  it('excessive headers are refused', async () => {
    const floods = [
      head('GET /healthz', `X-Flood: ${'x'.repeat(2 * 1024 * 1024)}`),
      head(
        'GET /healthz',
        ...Array.from({ length: 60_000 }, (_, index) => `X-${index}: ${'y'.repeat(30)}`),
      ),
      head(`GET /${'x'.repeat(2 * 1024 * 1024)}`),
    ]
    for (const flood of floods) {
      const raw = await socket()
      raw.write(flood)
      const text = await raw.untilClosed()
      expect(text === '' || /^HTTP\/1\.1 4(31|14|00) /.test(text), text.slice(0, 80)).to.equal(true)
    }
  })

  it('large headers that clients do send are accepted: a long selector, a long token', async () => {
    const names = Array.from({ length: 2500 }, (_, index) => `name-${index}`).join(',')
    const query = `labelSelector=${encodeURIComponent(`a in (${names})`)}`
    const answer = await server().admin.get(`${users}?${query}`)
    expect([answer.status, answer.field('items')]).to.deep.equal([200, []])
    const token = await server().admin.get(users, { authorization: `Bearer ${'x'.repeat(30_000)}` })
    expect(token.status).to.equal(401)
  })

  it('repeated headers: the first token counts', async () => {
    const raw = await socket()
    raw.write(
      head(
        `GET ${users}/admin`,
        'Authorization: Bearer wrong',
        'Accept: application/json',
        'Accept: text/html',
        'Content-Type: a/b',
        'Content-Type: c/d',
        'Audit-ID: one',
        'Audit-ID: two',
        'User-Agent: x',
        'User-Agent: curl',
        'Connection: close',
      ),
    )
    const answer = lastAnswer(await raw.untilClosed())
    expect(answer.head).to.match(/^HTTP\/1\.1 200 /)
  })

  it('header values with odd bytes are harmless', async () => {
    const raw = await socket()
    raw.write(
      head(
        `GET ${users}/admin?fieldManager=%ff`,
        'Audit-ID: \xe4\xff"\\',
        'User-Agent: \xff\xfe',
        'Accept: \xff/\xff, application/json;q=\xff',
        'Accept-Encoding: \xff',
        'If-None-Match: \xff',
        'Connection: close',
      ),
    )
    const answer = lastAnswer(await raw.untilClosed())
    expect(answer.head)
      .to.match(/^HTTP\/1\.1 200 /)
      .and.to.match(/^audit-id: \xe4\xff"\\\r$/im)
  })

  it('distinct Accept headers with thousands of clauses are handled in time', async function () {
    this.timeout(20_000)
    const clauses = Array.from({ length: 40_000 }, (_, index) => `a${index}/*;q=0.${index}`)
    const began = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        server().admin.get(`${users}/admin`, { accept: [`b/${index}`, ...clauses].join(',') }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([406]))
    expect(performance.now() - began).to.be.lessThan(deadline(1_500))
  })

  it('pipelined requests are answered in order', async () => {
    const raw = await socket()
    const body = '{"metadata":{"name":"piped"}}'
    const requests = [
      head(`GET ${users}/none`),
      head(`POST ${users}`, `Content-Length: ${body.length}`) + body,
      head(`GET ${users}/piped`),
      head(`DELETE ${users}/piped`),
      head('GET /healthz', 'Connection: close'),
    ]
    raw.write(requests.join(''))
    const text = await raw.untilClosed()
    const codes = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, code]) => code)
    // Requests on one connection run concurrently, so the object may exist or not; the order of
    // responses is fixed.
    expect([codes.length, codes[0], codes[1], codes[4]]).to.deep.equal([5, '404', '201', '200'])
    await server().admin.delete(`${users}/piped`)
  })

  it('disconnecting clients leave nothing behind', async () => {
    const starts = [
      head(`POST ${users}`, 'Content-Length: 100') + '{"metadata',
      head(`POST ${users}`, 'Transfer-Encoding: chunked') + '5\r\n{"met\r\n',
      head(
        `PATCH ${users}/admin`,
        'Content-Type: application/merge-patch+json',
        'Content-Length: 9',
      ) + '{',
      head(`GET ${users}?watch=1`),
      head(`GET ${users}`),
      'GET /heal',
      'POST /x HTTP/1.1\r\nHo',
    ]
    for (const cut of ['destroy', 'end', 'resetAndDestroy'] as const) {
      for (const start of starts) {
        const raw = await socket()
        raw.write(start)
        if (start.includes('watch')) await raw.until('HTTP/1.1 200')
        raw.socket[cut]()
        if (cut === 'end') await raw.untilClosed()
      }
    }
    const list = await server().admin.get(`${users}?resourceVersion=0`)
    expect((list.field('items') as object[]).length).to.equal(1)
  })

  it('a client that half-closes still gets its response, or the end of the connection', async () => {
    for (const path of [`${users}/admin`, users, '/metrics', '/openapi/v2']) {
      const raw = await socket()
      raw.socket.end(head(`GET ${path}`), 'latin1')
      const text = await raw.untilClosed()
      expect(text === '' || text.startsWith('HTTP/1.1 200 '), text.slice(0, 80)).to.equal(true)
    }
  })

  it('an unread body does not block the next request on the connection', async () => {
    const raw = await socket()
    const body = 'x'.repeat(100_000)
    raw.write(head(`POST ${users}/admin`, `Content-Length: ${body.length}`) + body)
    await raw.until('"code":405')
    raw.write(head('GET /healthz', 'Connection: close'))
    expect(await raw.untilClosed()).to.match(/ok$/)
  })

  it('many requests at once, good and bad, are all answered', async () => {
    const { admin } = server()
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => {
        if (index % 3 === 0) return admin.post(users, `{"metadata":{"name":"m${index}"`)
        if (index % 3 === 1) return admin.get(`${users}/${index}`)
        return admin.patch(`${users}/admin`, 'json-patch+json', [{ op: 'x' }])
      }),
    )
    const counts = [400, 404, 422].map(
      (code) => answers.filter(({ status }) => status === code).length,
    )
    expect(counts).to.deep.equal([100, 100, 100])
  })

  it('object names that look like code are plain names', async () => {
    const { admin } = server()
    for (const name of ['constructor', 'prototype', 'hasownproperty', 'tostring']) {
      const made = await admin.post(users, { metadata: { name } })
      expect([made.status, (await admin.get(`${users}/${name}`)).status]).to.deep.equal([201, 200])
      expect((await admin.delete(`${users}/${name}`)).status).to.equal(200)
    }
    for (const name of ['__proto__', 'toString', '../x', 'a/b', 'a\u0000b', 'ä']) {
      expect((await admin.post(users, { metadata: { name } })).status).to.equal(422)
      expect(
        (await admin.put(`${users}/${encodeURIComponent(name)}`, { metadata: { name } })).status,
      ).to.be.oneOf([400, 404, 405, 422])
    }
  })
})
