import { expect } from 'chai'
import { columns } from '../support/columns.ts'
import type { KubectlScenario } from './fixtures.ts'

const managementRow = (plural: string, namespaced: boolean, kind: string) =>
  `${plural} | management.platform/v1 | ${namespaced} | ${kind}`

export const discoveryScenarios: readonly KubectlScenario[] = [
  {
    name: 'api-resources lists every kind',
    run: async ({ kubectl }) => {
      expect(columns(await kubectl.ok('api-resources'))).to.deep.equal([
        'NAME | SHORTNAMES | APIVERSION | NAMESPACED | KIND',
        'namespaces | ns | v1 | false | Namespace',
        managementRow('ownedaccesskeys', false, 'OwnedAccessKey'),
        managementRow('sharedsecrets', true, 'SharedSecret'),
        managementRow('users', false, 'User'),
      ])
    },
  },
  {
    name: 'api-resources --namespaced=true -o name, and -o wide with the verbs',
    run: async ({ kubectl }) => {
      const names = await kubectl.ok('api-resources --namespaced=true -o name')
      expect(names).to.equal('sharedsecrets.management.platform\n')
      const wide = await kubectl.ok('api-resources --api-group=management.platform -o wide')
      const verbs = '(create,delete,deletecollection,get|delete,deletecollection,get)'
      expect(wide).to.match(new RegExp(`users .*${verbs}`))
    },
  },
  {
    name: 'api-versions lists every group version',
    run: async ({ kubectl }) => {
      expect(await kubectl.ok('api-versions')).to.equal('management.platform/v1\nv1\n')
    },
  },
  {
    name: 'version tells the version of the server',
    run: async ({ kubectl }) => {
      const { serverVersion } = JSON.parse(await kubectl.ok('version -o json')) as {
        serverVersion: Record<string, string>
      }
      expect(serverVersion['gitVersion']).to.match(/^v1\.\d+\.\d+/)
      expect(serverVersion['major']).to.equal('1')
      expect(await kubectl.run('version')).to.include({ code: 0 })
    },
  },
  {
    name: 'cluster-info says that there are no services, as on every server without them',
    run: async ({ kubectl }) => {
      const error = await kubectl.fails('cluster-info')
      expect(error).to.equal('error: the server doesn\'t have a resource type "services"\n')
    },
  },
  {
    name: 'an unknown resource type is named',
    run: async ({ kubectl }) => {
      const error = await kubectl.fails('get widgets')
      expect(error).to.equal('error: the server doesn\'t have a resource type "widgets"\n')
    },
  },
]
