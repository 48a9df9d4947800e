import { expect } from 'chai'
import { columns } from '../../support/columns.ts'
import type { KubectlScenario } from '../fixtures.ts'

const managementRow = (plural: string, namespaced: boolean, kind: string) =>
  `${plural} | management.platform/v1 | ${namespaced} | ${kind}`

const withoutColours = (text: string) => text.replaceAll(/\u001b\[[\d;]*m/g, '')

export const discoveryScenarios: readonly KubectlScenario[] = [
  {
    name: 'api-resources lists the kinds of the management group, and those of the core',
    run: async ({ kubectl }) => {
      const own = await kubectl.ok('api-resources --api-group=management.platform')
      expect(columns(own.replaceAll('SHORTNAMES', '          '))).to.include.members([
        'NAME | APIVERSION | NAMESPACED | KIND',
        managementRow('ownedaccesskeys', false, 'OwnedAccessKey'),
        managementRow('sharedsecrets', true, 'SharedSecret'),
        managementRow('users', false, 'User'),
      ])
      const all = columns(await kubectl.ok('api-resources'))
      expect(all[0]).to.equal('NAME | SHORTNAMES | APIVERSION | NAMESPACED | KIND')
      expect(all).to.include.members([
        'namespaces | ns | v1 | false | Namespace',
        'deployments | deploy | apps/v1 | true | Deployment',
        'leases | coordination.k8s.io/v1 | true | Lease',
      ])
    },
  },
  {
    name: 'api-resources --namespaced=true -o name, and -o wide with the verbs',
    run: async ({ kubectl }) => {
      const group = '--api-group=management.platform'
      const names = await kubectl.ok(`api-resources ${group} --namespaced=true -o name`)
      expect(names.split('\n')).to.include('sharedsecrets.management.platform')
      expect(names).to.not.contain('users.management.platform')
      const wide = await kubectl.ok(`api-resources ${group} -o wide`)
      // Old releases print the verbs in brackets with spaces between.
      const verbs = [
        'create',
        'delete',
        'deletecollection',
        'get',
        'list',
        'patch',
        'update',
        'watch',
      ]
      expect(wide).to.match(new RegExp(`^users .*${verbs.join('[, ]')}`, 'm'))
    },
  },
  {
    name: 'api-versions lists every group version',
    run: async ({ kubectl }) => {
      const versions = (await kubectl.ok('api-versions')).trimEnd().split('\n')
      expect(versions).to.include.members(['apps/v1', 'management.platform/v1', 'v1'])
      expect(versions).to.deep.equal(versions.toSorted())
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
    name: 'cluster-info tells where the server is',
    run: async ({ kubectl, serverUrl }) => {
      const text = await kubectl.ok('cluster-info')
      const url = `${serverUrl}/kubernetes/management`
      expect(withoutColours(text).split('\n')[0]).to.equal(
        `Kubernetes control plane is running at ${url}`,
      )
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
