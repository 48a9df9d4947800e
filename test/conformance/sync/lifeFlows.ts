import { expect } from 'chai'
import { apiVersion } from '../support/objects.ts'
import {
  cluster,
  endpoints,
  firstPatches,
  hostName,
  hostNamespace,
  instance,
  project,
  projectNamespace,
  service,
  synced,
} from './virtualCluster.ts'
import { eventually } from '../support/eventually.ts'
import type { SyncContext } from './syncContext.ts'
import { gone, type SyncScenario } from './syncFlows.ts'

/**
 * Creates the project, the cluster and the virtual cluster, and enters it with the kubeconfig that
 * the platform returns.
 */
export async function makeVirtualCluster(
  { management, virtual, file, enter }: SyncContext,
  patches: readonly object[],
): Promise<void> {
  const named = (kind: string, name: string) => ({ apiVersion, kind, metadata: { name } })
  const allowing = { spec: { allowedClusters: [{ name: cluster }] } }
  file('first.yaml', { ...named('Project', project), ...allowing }, named('Cluster', cluster))
  await management.ok('create -f first.yaml')
  file('instance.yaml', synced(patches))
  await eventually(() => management.ok('create -f instance.yaml'))
  const kind = 'VirtualClusterInstanceKubeConfig'
  file('access.json', JSON.stringify({ apiVersion, kind, metadata: {}, spec: {} }))
  const path = `/apis/${apiVersion}/namespaces/${projectNamespace}/virtualclusterinstances/${instance}`
  const answer = await management.ok(`create --raw ${path}/kubeconfig -f access.json`)
  // The platform defines this field for the kind.
  const { status } = JSON.parse(answer) as { status: { kubeConfig: string } }
  enter(status.kubeConfig)
  await virtual.ok('get namespace default')
}

export const firstFlows: readonly SyncScenario[] = [
  {
    name: 'a project, a cluster and a virtual cluster are made, and its kubeconfig opens it',
    run: (context) => makeVirtualCluster(context, firstPatches),
  },
]

export const lastFlows: readonly SyncScenario[] = [
  {
    name: 'a deleted virtual cluster is gone with its copies on the host; what others made there stays',
    run: async ({ management, virtual, host, file }) => {
      file('left.yaml', service('left'), endpoints('left', '10.1.1.3'))
      await virtual.ok('create -f left.yaml')
      const left = `${hostName('left')} -n ${hostNamespace}`
      await eventually(() => host.ok(`get endpoints ${left}`))
      await management.ok(`delete virtualclusterinstance ${instance} -n ${projectNamespace}`)
      expect(await virtual.fails('get namespaces')).to.match(/\(NotFound\)|not find/)
      await gone(host, `endpoints ${left}`)
      await gone(host, `service ${left}`)
      await gone(host, `secret db-password-x-default-x-${instance} -n ${hostNamespace}`)
      await host.ok(`get secret of-host -n ${hostNamespace}`)
    },
  },
]
