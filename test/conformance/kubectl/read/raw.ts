import { expect } from 'chai'
import type { KubectlScenario } from '../fixtures.ts'

const prefix = '/kubernetes/management'
const users = '/apis/management.platform/v1/users'

export const rawScenarios: readonly KubectlScenario[] = [
  {
    name: 'get --raw reads API paths and health at the root of the host, and below the prefix',
    run: async ({ kubectl }) => {
      const list = JSON.parse(await kubectl.ok(`get --raw ${users}`)) as unknown
      expect(list).to.include({ kind: 'UserList', apiVersion: 'management.platform/v1' })
      for (const health of ['/healthz', '/livez', '/readyz']) {
        expect(await kubectl.ok(`get --raw ${health}`)).to.equal('ok')
      }
      expect(JSON.parse(await kubectl.ok('get --raw /openapi/v3'))).to.have.property('paths')
    },
  },
  {
    name: "get --raw starts at the host's root up to 1.33, at the kubeconfig's path from 1.34",
    run: async ({ kubectl }) => {
      const path = `get --raw ${prefix}/version`
      if (kubectl.minor <= 33) {
        expect(JSON.parse(await kubectl.ok(path))).to.include({ major: '1' })
      } else {
        expect(await kubectl.fails(path)).to.contain('could not find the requested resource')
      }
    },
  },
  {
    name: 'get --raw of a path that is not there is NotFound',
    run: async ({ kubectl }) => {
      expect(await kubectl.fails('get --raw /nowhere')).to.equal(
        'Error from server (NotFound): the server could not find the requested resource\n',
      )
    },
  },
  {
    name: 'create --raw, replace --raw and delete --raw write',
    run: async ({ kubectl, namespace, file }) => {
      const name = `raw-${namespace}`
      const user = (email: string) =>
        JSON.stringify({ kind: 'User', metadata: { name }, spec: { email } })
      file('new.json', user('a@b.c'))
      file('next.json', user('d@e.f'))
      await kubectl.ok(`create --raw ${users} -f new.json`)
      await kubectl.ok(`replace --raw ${users}/${name} -f next.json`)
      expect(await kubectl.ok(`get user ${name} -o jsonpath={.spec.email}`)).to.equal('d@e.f')
      const status = JSON.parse(await kubectl.ok(`delete --raw ${users}/${name}`)) as unknown
      expect(status).to.include({ kind: 'Status', status: 'Success' })
    },
  },
  {
    name: 'create --raw with a resourceVersion is refused',
    run: async ({ kubectl, file }) => {
      const metadata = { name: 'versioned', resourceVersion: '5' }
      file('new.json', JSON.stringify({ kind: 'User', metadata }))
      expect(await kubectl.fails(`create --raw ${users} -f new.json`)).to.equal(
        'Error from server: resourceVersion should not be set on objects to be created\n',
      )
    },
  },
]
