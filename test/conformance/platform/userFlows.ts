import { expect } from 'chai'
import { at, type PlatformScenario } from './platformContext.ts'

export const userFlows: readonly PlatformScenario[] = [
  {
    name: 'disabling a user ends its open watch and its keys, and keeps its objects (spec user.disabled)',
    run: async ({ call, watch, person }) => {
      const { name, key } = await person('watcher', { groups: ['system:masters'] })
      const open = await watch('teams?watch=1&resourceVersion=0', { key })
      await call(201, 'POST teams', { body: { metadata: { name: `of-${name}` } } })
      await open.until(`"of-${name}"`)
      await call(200, `PATCH users/${name}`, { body: { spec: { disabled: true } } })
      await call(401, 'GET teams', { key })
      await open.ended()
      const keys = await call(200, `GET users/${name}/accesskeys`)
      expect(at(keys, 'accessKeys', 'length')).to.equal(1)
      await call(200, `PATCH users/${name}`, { body: { spec: { disabled: null } } })
      await call(200, 'GET teams', { key })
    },
  },
  {
    name: 'another token generation ends the logins of a user (spec user.tokenGeneration)',
    run: async ({ call, keyOf, person }) => {
      const { name } = await person('login')
      const key = await keyOf({ user: name, type: 'Login' })
      await call(201, 'POST selves', { key, body: {} })
      await call(200, `PATCH users/${name}`, { body: { spec: { tokenGeneration: 1 } } })
      await call(401, 'POST selves', { key, body: {} })
    },
  },
]
