import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { at, type PlatformScenario } from './platformContext.ts'

export const accessFlows: readonly PlatformScenario[] = [
  {
    name: 'sharing by an access entry gives the user what it says, and its removal takes it (spec secret.access)',
    run: async ({ call, newName, person }) => {
      const { name: user, key } = await person('reader')
      const path = `namespaces/default/sharedsecrets/${newName('shared')}`
      const body = {
        metadata: { name: path.replace(/.*\//, '') },
        spec: { data: { password: 'cGFzcw==' } },
      }
      await call(201, 'POST namespaces/default/sharedsecrets', { body })
      await call(403, `GET ${path}`, { key })
      const access = [{ name: 'read', verbs: ['get'], users: [user] }]
      await call(200, `PATCH ${path}`, { body: { spec: { access } } })
      await eventually(() => call(200, `GET ${path}`, { key }))
      const refusal = await call(403, `PATCH ${path}`, { key, body: { spec: { description: '' } } })
      expect(at(refusal, 'reason')).to.equal('Forbidden')
      const seen = await call(200, 'GET namespaces/default/sharedsecrets', { key })
      expect(at(seen, 'items', '0', 'metadata', 'name')).to.equal(body.metadata.name)
      expect(at(seen, 'items', '1')).to.equal(undefined)
      await call(200, `PATCH ${path}`, { body: { spec: { access: null } } })
      await eventually(() => call(403, `GET ${path}`, { key }))
    },
  },
  {
    name: 'sharing with a team gives it to the members, until they leave it (spec auth.8, secret.access.users)',
    run: async ({ call, newName, person }) => {
      const { name: user, key } = await person('member')
      const team = newName('team')
      await call(201, 'POST teams', { body: { metadata: { name: team }, spec: { users: [user] } } })
      const project = newName('project')
      const access = [{ verbs: ['*'], teams: [team] }]
      const body = { metadata: { name: project }, spec: { access } }
      await call(201, 'POST projects', { body })
      await eventually(() => call(200, `GET projects/${project}`, { key }))
      const self = await call(201, 'POST selves', { key, body: {} })
      expect(at(self, 'status', 'user', 'teams', '0', 'name')).to.equal(team)
      await call(200, `PATCH teams/${team}`, { body: { spec: { users: [] } } })
      await eventually(() => call(403, `GET projects/${project}`, { key }))
    },
  },
]
