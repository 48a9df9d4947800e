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
