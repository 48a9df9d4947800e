import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { at, textAt, type PlatformScenario } from './platformContext.ts'

const unknownKey = 'platform access key not found. Please login again'

export const keyFlows: readonly PlatformScenario[] = [
  {
    name: 'first access: the key of the first start tells who it is of, and may do everything (spec auth.1)',
    run: async ({ call, send }) => {
      expect(await call(401, 'GET users', { key: 'x'.repeat(64) })).to.include({
        kind: 'Status',
        message: unknownKey,
        reason: 'Unauthorized',
      })
      expect((await send('GET /healthz')).text).to.equal('ok')
      // Documentation sends a status, which has no effect here.
      const body = { metadata: {}, spec: {}, status: { accessKeyType: 'Other' } }
      const self = await call(201, 'POST selves', { body })
      expect(at(self, 'status')).to.deep.include({ accessKey: 'admin', accessKeyType: 'User' })
      expect(at(self, 'status', 'user', 'name')).to.equal('admin')
      expect(at(self, 'status', 'projectNamespacePrefix')).to.equal('p-')
      const user = await call(200, 'GET users/admin')
      expect(at(user, 'metadata', 'name')).to.equal('admin')
    },
  },
  {
    name: 'key creation with a scope: the key is shown once, and reaches nothing else (spec auth.4, key.scope)',
    run: async ({ call, newName }) => {
      const name = newName('scoped')
      const scope = { projects: [{ project: 'blue' }], roles: [{ role: 'platformCLI' }] }
      const body = {
        metadata: { name },
        spec: { type: 'User', user: 'admin', displayName: name, ttl: 1728000, scope },
      }
      const made = await call(201, 'POST ownedaccesskeys', { body })
      const key = textAt(made, 'spec', 'key')
      expect(at(await call(200, `GET ownedaccesskeys/${name}`), 'spec', 'key')).to.not.equal(key)
      const self = await call(201, 'POST selves', { key, body: {} })
      expect(at(self, 'status', 'accessKeyScope')).to.deep.equal(scope)
      await call(200, 'GET namespaces/p-blue/projectsecrets', { key })
      await call(200, 'GET projects', { key })
      await call(403, 'GET namespaces/p-red/projectsecrets', { key })
      await call(403, 'GET configs/config', { key })
    },
  },
  {
    name: 'the role of virtual clusters, as the command line asks for it with --vcluster-role (spec scope.roles)',
    run: async ({ call, keyOf }) => {
      const key = await keyOf({ user: 'admin', scope: { roles: [{ role: 'vcluster' }] } })
      await call(201, 'POST selves', { key, body: {} })
      await call(403, 'GET users', { key })
    },
  },
  {
    name: 'key expiry: after its two seconds a key opens nothing and is taken away (spec auth.2, key.ttl)',
    run: async ({ call, newName }) => {
      const name = newName('short')
      const body = { metadata: { name }, spec: { user: 'admin', ttl: 2 } }
      const key = textAt(await call(201, 'POST ownedaccesskeys', { body }), 'spec', 'key')
      await call(200, 'GET users', { key })
      const ended = await refused(() => call(401, 'GET users', { key }))
      expect(at(ended, 'message')).to.equal(unknownKey)
      await eventually(() => call(404, `GET ownedaccesskeys/${name}`))
    },
  },
  {
    name: 'login and logout: the key of a login ends with it',
    run: async ({ call, keyOf }) => {
      const key = await keyOf({ user: 'admin', type: 'Login' })
      const self = await call(201, 'POST selves', { key, body: {} })
      expect(at(self, 'status', 'accessKeyType')).to.equal('Login')
      const path = `ownedaccesskeys/${textAt(self, 'status', 'accessKey')}`
      await call(200, `DELETE ${path}`, { key })
      await call(401, 'POST selves', { key, body: {} })
    },
  },
]

/** Repeats a request until it is refused as expected. @returns the refusal. */
async function refused(ask: () => Promise<unknown>): Promise<unknown> {
  let answer: unknown
  await eventually(async () => {
    answer = await ask()
  })
  return answer
}
