import { expect } from 'chai'
import { at, consoleOrigin, type PlatformScenario } from './platformContext.ts'

/** Requests that only the JavaScript client sends. Source: platform facts 3.4, 5. */
export const webFlows: readonly PlatformScenario[] = [
  {
    name: 'a list as a table',
    run: async ({ call }) => {
      const headers = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }
      const table = await call(200, 'GET users', { headers })
      expect(at(table, 'kind')).to.equal('Table')
      expect(at(table, 'columnDefinitions', '0', 'name')).to.equal('Name')
      expect(at(table, 'rows', '0', 'cells', '0')).to.equal('admin')
    },
  },
  {
    name: 'acting as another user with all its groups in one header',
    run: async ({ call, person }) => {
      const { name, key } = await person('other')
      const as = { 'Impersonate-User': name, 'Impersonate-Joined-Group': 'viewers, system:masters' }
      const self = await call(201, 'POST selves', { body: {}, headers: as })
      expect(at(self, 'status', 'subject')).to.equal(name)
      expect(at(self, 'status', 'groups')).to.include.members(['viewers', 'system:masters'])
      await call(200, 'GET ownedaccesskeys', { headers: as })
      await call(403, 'GET ownedaccesskeys', { headers: { 'Impersonate-User': name } })
      expect(at(await call(403, 'POST selves', { body: {}, key, headers: as }), 'reason')).to.equal(
        'Forbidden',
      )
    },
  },
  {
    name: 'the preflight of a page from elsewhere, for every header that the client sends',
    run: async ({ send }) => {
      const sent = ['authorization', 'content-type', 'x-platform-client', 'x-sleep-mode-ignore']
      const acting = ['impersonate-user', 'impersonate-joined-group']
      const headers = {
        Origin: consoleOrigin,
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': [...sent, ...acting].join(','),
      }
      const answer = await send('OPTIONS users/admin', { key: undefined, headers })
      expect(answer.status).to.equal(204)
      const allowed = String(at(answer.headers, 'access-control-allow-headers')).toLowerCase()
      expect(allowed.split(', ')).to.include.members([...sent, ...acting])
      expect(at(answer.headers, 'access-control-allow-origin')).to.equal(consoleOrigin)
    },
  },
  {
    name: 'a timeout that is no duration, or longer than a minute, in each address',
    run: async ({ call }) => {
      await call(200, 'GET users?timeout=180s')
      await call(200, 'GET /kubernetes/management/api/v1/namespaces/kube-system/pods?timeout=180s')
      await call(200, 'GET /kubernetes/management/api/v1/pods?timeout=180s')
      await call(
        200,
        'GET /kubernetes/management/apis/storage.k8s.io/v1/storageclasses?timeout=180s',
      )
      await call(400, 'GET users?timeout=soon')
    },
  },
]
