import { expect } from 'chai'
import { addressOf, type ServiceObjects } from '../../apiserver/webhooks/webhookAddress.ts'
import type { WebhookClientConfig } from '../../apiserver/webhooks/webhookAddress.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'

const object = (rest: object): ApiObject => ({ kind: '', apiVersion: '', metadata: {}, ...rest })

const services: Readonly<Record<string, ApiObject>> = {
  sliced: object({ spec: { clusterIP: '10.0.0.1', ports: [{ name: 'https', port: 443 }] } }),
  old: object({ spec: { clusterIP: '10.0.0.2', ports: [{ port: 443 }] } }),
  bare: object({ spec: { clusterIP: '10.0.0.3', ports: [{ port: 443 }] } }),
  headless: object({ spec: { clusterIP: 'None', ports: [{ port: 443 }] } }),
  named: object({ spec: { type: 'ExternalName', externalName: 'hook.example.dev' } }),
}

const objects: ServiceObjects = {
  get: ({ resource }, _namespace, name) => {
    if (resource === 'services') return services[name]
    if (name !== 'old') return undefined
    return object({ subsets: [{ addresses: [{ ip: '10.1.0.2' }], ports: [{ port: 9443 }] }] })
  },
  list: () =>
    Promise.resolve([
      object({
        metadata: { labels: { 'kubernetes.io/service-name': 'sliced' } },
        endpoints: [
          { addresses: ['10.1.0.8'], conditions: { ready: false } },
          { addresses: ['10.1.0.1'], conditions: { ready: true } },
        ],
        ports: [{ name: 'https', port: 8443 }],
      }),
    ]),
}

const url = (name: string) => `https://${name}.ns.svc:443/x?timeout=5s`
const service = (name: string, port = 443): WebhookClientConfig => ({
  service: { namespace: 'ns', name, path: '/x', port },
})

describe('addressOf', () => {
  const cases: { name: string; config: WebhookClientConfig; want: object | string }[] = [
    {
      name: 'a URL',
      config: { url: 'https://[::1]:8443/y' },
      want: {
        url: 'https://[::1]:8443/y?timeout=5s',
        path: '/y?timeout=5s',
        host: '::1',
        port: 8443,
        serverName: '::1',
      },
    },
    {
      name: 'a service by its ready endpoint',
      config: service('sliced'),
      want: {
        url: url('sliced'),
        path: '/x?timeout=5s',
        host: '10.1.0.1',
        port: 8443,
        serverName: 'sliced.ns.svc',
      },
    },
    {
      name: 'a service by its endpoints of the older kind',
      config: service('old'),
      want: {
        url: url('old'),
        path: '/x?timeout=5s',
        host: '10.1.0.2',
        port: 9443,
        serverName: 'old.ns.svc',
      },
    },
    {
      name: 'a service by its external name',
      config: service('named'),
      want: {
        url: url('named'),
        path: '/x?timeout=5s',
        host: 'hook.example.dev',
        port: 443,
        serverName: 'named.ns.svc',
      },
    },
    {
      name: 'no service',
      config: service('none'),
      want: `Post "${url('none')}": service "none" not found`,
    },
    {
      name: 'another port',
      config: service('sliced', 80),
      want: `Post "${url('sliced').replace('443', '80')}": service "sliced" not found`,
    },
    {
      name: 'a headless service',
      config: service('headless'),
      want: `Post "${url('headless')}": cannot route to service with ClusterIP "None"`,
    },
    {
      name: 'no endpoints',
      config: service('bare'),
      want: `Post "${url('bare')}": no endpoints available for service "bare"`,
    },
  ]
  for (const { name, config, want } of cases) {
    it(`finds ${name}`, async () => {
      const found = await addressOf(config, 5, objects).catch((error: unknown) => String(error))
      const told = typeof want === 'string' ? `Error: ${want}` : want
      expect(found).to.deep.equal(told)
    })
  }
})
