import { expect } from 'chai'
import { deadline } from '../support/deadlines.ts'
import type { ServerResponse } from 'node:http'
import {
  configMaps,
  mutating,
  useHookedServer,
  validating,
} from '../support/servers/hookedServer.ts'
import { patching, type Behaviour } from '../support/servers/webhookServer.ts'

const patch = (...steps: object[]): Behaviour => {
  return () => patching(...steps)
}
const raw =
  (send: (response: ServerResponse) => void): Behaviour =>
  (_request, { response }) => {
    send(response)
    return undefined
  }

/** Writes a byte every few milliseconds, for as long as it is read. */
function drip(response: ServerResponse): void {
  response.write('{')
  const timer = setInterval(() => response.write(' '), 5)
  response.once('close', () => clearInterval(timer))
}

/** Writes endlessly, as fast as the client reads. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const more = () => {
    while (!response.destroyed && response.write(chunk)) continue
  }
  response.on('drain', more)
  more()
}

const doubling = Array.from({ length: 60 }, (_step, at) => ({
  ...{ op: 'copy', from: '/data', path: `/data/k${at}` },
}))

/** Text of an object with many members. */
const wide = (count: number) =>
  `{${Array.from({ length: count }, (_member, at) => `"a${at}":0`).join()}}`
const millionMembers = `{"kind":"Status","status":"Failure","message":"seen","x":${wide(700_000)}}`
/** Nearly 8 MiB, each character of which is escaped in a message. */
const escaped = '\0"\\'.repeat(2_600_000)
const deepPatch = `[{"op":"add","path":"/data","value":${'['.repeat(5_000)}${']'.repeat(5_000)}}]`

/** A denial with a code that HTTP cannot carry. */
const coded =
  (code: number): Behaviour =>
  () => ({ allowed: false, status: { code, message: 'no' } })

interface Attack {
  title: string
  behaviour: Behaviour
  /** Status and a part of the message, or of the object that is stored. */
  want: readonly [number, RegExp]
}

const attacks: readonly Attack[] = [
  {
    title: 'a response without an end',
    behaviour: raw(pour),
    want: [500, /too large|deadline exceeded/],
  },
  { title: 'a response byte by byte', behaviour: raw(drip), want: [500, /deadline exceeded/] },
  {
    title: 'a call to try again at once, for ever',
    behaviour: raw((response) => response.writeHead(429, { 'retry-after': '0' }).end()),
    want: [500, /too many requests/],
  },
  {
    title: 'redirects in a circle',
    behaviour: raw((response) => response.writeHead(307, { location: '/v' }).end()),
    want: [500, /stopped after 10 redirects/],
  },
  {
    title: 'a redirect to a file',
    behaviour: raw((response) => response.writeHead(307, { location: 'file:///etc/passwd' }).end()),
    want: [500, /unsupported protocol scheme/],
  },
  {
    title: 'a patch whose copies double the object',
    behaviour: patch(...doubling),
    want: [500, /exceeding the limit/],
  },
  {
    title: 'a patch that makes the object too large',
    behaviour: patch({ op: 'add', path: '/data/a', value: 'x'.repeat(2 * 1024 * 1024) }),
    want: [422, /Too long|too large/i],
  },
  {
    title: 'a patch with another namespace',
    behaviour: patch({ op: 'add', path: '/metadata/namespace', value: 'kube-system' }),
    want: [400, /does not match the namespace/],
  },
  {
    title: 'a patch with another uid',
    behaviour: patch({ op: 'add', path: '/metadata/uid', value: 'mine' }),
    want: [201, /"uid":"[0-9a-f-]{36}"/],
  },
  {
    title: 'a patch with members of every object',
    behaviour: patch(
      { op: 'add', path: '/data/__proto__', value: 'x' },
      { op: 'add', path: '/constructor', value: {} },
    ),
    want: [201, /"__proto__":"x"/],
  },
  {
    title: 'a thousand warnings',
    behaviour: () => ({
      allowed: true,
      warnings: Array.from({ length: 1_000 }, (_one, at) => `${at} ${'w'.repeat(500)}`),
    }),
    want: [201, /ConfigMap/],
  },
  {
    title: 'a deep response',
    behaviour: raw((response) => response.end(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)),
    want: [500, /failed calling webhook/],
  },
  {
    title: 'a response with a map of 700,000 members',
    behaviour: raw((response) => response.end(millionMembers)),
    want: [500, /the response of the webhook has too many values/],
  },
  {
    title: 'an error with a map of 700,000 members',
    behaviour: raw((response) => response.writeHead(500).end(millionMembers)),
    want: [
      500,
      /an error on the server \(.{2000,8000}\) has prevented the request from succeeding/,
    ],
  },
  {
    title: 'a text of 8 MiB to be quoted',
    behaviour: raw((response) =>
      response.writeHead(500, { 'content-type': 'text/plain' }).end(escaped),
    ),
    want: [
      500,
      /an error on the server \(.{2000,20000}\) has prevented the request from succeeding/,
    ],
  },
  {
    title: '60,000 warnings',
    behaviour: () => ({ allowed: true, warnings: Array(60_000).fill('w') as string[] }),
    want: [500, /the response of the webhook has too many values/],
  },
  {
    title: 'a deep patch',
    behaviour: () => ({
      ...{ allowed: true, patchType: 'JSONPatch' },
      patch: Buffer.from(deepPatch).toString('base64'),
    }),
    want: [500, /undecodable patch in webhook response: exceeded max depth/],
  },
  {
    title: 'a number beyond all',
    behaviour: raw((response) => response.end('{"kind":"AdmissionReview","x":1e400}')),
    want: [500, /cannot unmarshal number 1e400/],
  },
  ...[1_000, 99_999].map((code) => ({
    title: `the code ${code}`,
    behaviour: coded(code),
    want: [400, /denied the request: no/] as const,
  })),
]

describe('hostile webhooks', () => {
  const server = useHookedServer()

  for (const { title, behaviour, want } of attacks) {
    it(`harm the reviewed request alone: ${title}`, async () => {
      const hooked = server()
      const { admin, hooks } = hooked
      hooks.on('/v', behaviour)
      await hooked.register(mutating, 'v', hooks.webhook('/v', { timeoutSeconds: 1 }))
      let isOver = false
      const attacked = admin.post(configMaps, hooked.configMap()).finally(() => (isOver = true))
      const others: number[] = []
      while (!isOver) {
        const began = performance.now()
        const { status } = await admin.post('/api/v1/namespaces/default/configmaps', {
          metadata: { generateName: 'other-' },
        })
        others.push(status, performance.now() - began)
      }
      const answer = await attacked
      expect(answer.status, answer.text).to.equal(want[0])
      expect(answer.text).to.match(want[1])
      expect(others.filter((_one, at) => at % 2 === 0).every((status) => status === 201)).to.equal(
        true,
      )
      expect(Math.max(...others.filter((_one, at) => at % 2 === 1))).to.be.below(deadline(500))
      expect((await admin.delete(`${mutating}/v`)).status).to.equal(200)
    })
  }

  it('with many different CAs do not end the calls of each other', async () => {
    const hooked = server()
    const { admin, hooks } = hooked
    hooks.on('/v', ({ uid }, { response }) => {
      const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' }
      const answer = JSON.stringify({ ...review, response: { uid, allowed: true } })
      setTimeout(() => response.end(answer), 20)
      return undefined
    })
    const pem = Buffer.from(hooks.caBundle, 'base64').toString()
    const many = Array.from({ length: 80 }, (_one, at) => {
      const caBundle = Buffer.from(pem + '\n'.repeat(at)).toString('base64')
      const clientConfig = { url: hooks.url('/v'), caBundle }
      return hooks.webhook('/v', { name: `v${at}.example.dev`, clientConfig })
    })
    await hooked.register(validating, 'v', ...many)
    for (let tries = 0; tries < 3; tries++) {
      const made = await admin.post(configMaps, hooked.configMap())
      expect(made.status, made.text).to.equal(201)
    }
  })

  it('never keep an operator from deleting their configurations', async () => {
    const hooked = server()
    const { admin, hooks } = hooked
    const everything = {
      rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
      ...{
        namespaceSelector: {},
        timeoutSeconds: 30,
        clientConfig: { url: 'https://127.0.0.1:1/' },
      },
    }
    for (const path of [validating, mutating]) {
      await hooked.register(path, 'v', hooks.webhook('/v', everything))
    }
    const refused = await admin.post('/api/v1/namespaces', { metadata: { name: 'locked' } })
    expect(refused.status).to.equal(500)
    for (const path of [validating, mutating]) {
      const changed = await admin.patch(`${path}/v`, 'merge-patch+json', {
        webhooks: null,
      })
      expect(changed.status).to.equal(200)
      expect((await admin.delete(`${path}/v`)).status).to.equal(200)
    }
    const created = await admin.post('/api/v1/namespaces', { metadata: { name: 'locked' } })
    expect(created.status).to.equal(201)
  })
})
