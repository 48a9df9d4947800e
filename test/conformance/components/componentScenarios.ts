import { deepEqual, equal, match } from 'node:assert/strict'
import type { ApiObject } from '../support/objects.ts'
import { eventually } from '../support/eventually.ts'
import type { Scenario } from '../support/scenario.ts'
import type { ComponentsWorld } from './componentsWorld.ts'

const pods = '/api/v1/namespaces/default/pods'
const patience = 90

export const componentScenarios: readonly Scenario<ComponentsWorld>[] = [
  {
    name: 'sample-apiserver becomes available, and kubectl uses its kinds',
    run: async (world) => {
      const etcd = await world.startEtcd()
      const group = { group: 'wardle.example.com', version: 'v1alpha1' }
      await world.aggregate('wardle', group, {
        program: world.programs.sampleApiServer,
        flags: [
          `--etcd-servers=http://127.0.0.1:${etcd}`,
          '--feature-gates=wardle:BanFlunder=true',
        ],
      })
      const run = async (input: string, ...args: string[]) => {
        const { code, stdout, stderr } = await world.kubectlWith(input, ...args)
        equal(code, 0, stderr)
        return stdout
      }
      match(
        await run('', 'api-resources'),
        /^flunders +wardle\.example\.com\/v1alpha1 +true +Flunder$/m,
      )
      const flunder = {
        ...{ apiVersion: 'wardle.example.com/v1alpha1', kind: 'Flunder' },
        ...{ metadata: { name: 'a', labels: { x: 'y' } }, spec: {} },
      }
      const created = await run(JSON.stringify(flunder), 'create', '-f', '-')
      equal(created, 'flunder.wardle.example.com/a created\n')
      match(await run('', 'get', 'flunders'), /^a +\S+/m)
      match(await run('', 'explain', 'flunders'), /KIND: +Flunder/)
      const next = JSON.stringify({ ...flunder, metadata: { name: 'a', labels: { x: 'z' } } })
      match(
        await run(next, 'apply', '--server-side', '--force-conflicts', '-f', '-'),
        /serverside-applied/,
      )
      equal(await run('', 'get', 'flunder', 'a', '-o', 'jsonpath={.metadata.labels.x}'), 'z')
      await run('', 'delete', 'flunder', 'a')
      const gone = await world.kubectl('get', 'flunder', 'a')
      match(gone.stderr, /flunders\.wardle\.example\.com "a" not found/)
    },
  },
  {
    name: 'kubectl top shows what metrics-server measures at nodes and pods',
    run: async (world) => {
      const { admin } = world
      const { port } = await world.kubelet()
      await makeNode(world, 'measured', { cpu: '2', port })
      await admin.create(pods, pod('busy', { nodeName: 'measured' }))
      await admin.mergePatch(`${pods}/busy/status`, { status: { phase: 'Running' } })
      await world.aggregate(
        'metrics',
        { group: 'metrics.k8s.io', version: 'v1beta1' },
        {
          program: world.programs.metricsServer,
          flags: [
            ...['--kubelet-insecure-tls', '--kubelet-use-node-status-port'],
            ...[
              '--kubelet-preferred-address-types=InternalIP',
              '--metric-resolution=10s',
              '--kubelet-request-timeout=5s',
            ],
          ],
        },
      )
      try {
        // Processor time is a difference of two measurements.
        await eventually(async () => {
          const nodes = await world.kubectl('top', 'nodes', '--no-headers')
          match(nodes.stdout, /^measured +2[45]\dm +1[23]% +512Mi +50% *$/m)
          const used = await world.kubectl('top', 'pods', '--no-headers')
          match(used.stdout, /^busy +2[45]\dm +64Mi *$/m)
        }, patience)
      } finally {
        await admin.delete(`${pods}/busy?gracePeriodSeconds=0`)
        await admin.delete('/api/v1/nodes/measured')
      }
    },
  },
  {
    name: 'kube-scheduler takes its lease, binds pods where they fit, and says why others do not',
    run: async (world) => {
      const { admin } = world
      for (const name of ['one', 'two']) await makeNode(world, name, { cpu: '2' })
      const scheduler = world.start(world.programs.scheduler, ['--secure-port=0'])
      const told = (error: unknown) => new Error(`${String(error)}\n${scheduler.words()}`)
      for (const name of ['a', 'b', 'c', 'd']) await admin.create(pods, pod(name, { cpu: '1' }))
      await admin.create(pods, pod('large', { cpu: '9' }))
      const seen = async (check: () => Promise<void>) =>
        eventually(() => check().catch((error: unknown) => Promise.reject(told(error))), patience)
      await seen(async () => {
        const nodes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => nodeOf(world, name)))
        deepEqual(nodes.toSorted(), ['one', 'one', 'two', 'two'])
      })
      await seen(async () => {
        const [condition] = await world.conditions(`${pods}/large`)
        const { type, status, reason, message = '' } = condition ?? {}
        deepEqual([type, status, reason], ['PodScheduled', 'False', 'Unschedulable'])
        match(message, /^0\/2 nodes are available: 2 Insufficient cpu\./)
        const { items } = await admin.list('/api/v1/namespaces/default/events')
        const reasons = items.map((event) => (event as ApiObject & { reason?: string }).reason)
        equal(reasons.includes('Scheduled') && reasons.includes('FailedScheduling'), true)
      })
      const lease = await admin.get(
        '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler',
      )
      match(String(lease.spec?.['holderIdentity']), /_/)
    },
  },
  {
    name: 'kube-scheduler evicts less important pods for a more important one',
    run: async (world) => {
      const { admin } = world
      await admin.create('/apis/scheduling.k8s.io/v1/priorityclasses', {
        ...{ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' },
        ...{ metadata: { name: 'urgent' }, value: 1_000 },
      })
      const urgent = { cpu: '2', priority: 1_000, priorityClassName: 'urgent' }
      await admin.create(pods, pod('urgent', urgent))
      await eventually(async () => {
        match(await nodeOf(world, 'urgent'), /^(one|two)$/)
      }, patience)
      const { items } = await admin.list(pods)
      deepEqual(items.filter(({ metadata }) => 'abcd'.includes(metadata.name ?? '?')).length, 2)
    },
  },
]

async function nodeOf({ admin }: ComponentsWorld, name: string): Promise<string> {
  const { spec } = await admin.get(`${pods}/${name}`)
  return String(spec?.['nodeName'])
}

interface PodNeeds {
  cpu?: string
  nodeName?: string
  priority?: number
  priorityClassName?: string
}

function pod(name: string, { cpu, ...spec }: PodNeeds): ApiObject {
  const resources = cpu === undefined ? {} : { requests: { cpu } }
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
    // The pods do not run, so they are deleted immediately.
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'c', image: 'i', resources }],
      ...spec,
    },
  }
}

/** Ready node with some processors and a GiB of memory. */
async function makeNode(
  { admin }: ComponentsWorld,
  name: string,
  { cpu, port }: { cpu: string; port?: number },
): Promise<void> {
  await admin.create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name } })
  const capacity = { cpu, memory: '1Gi', pods: '20' }
  await admin.mergePatch(`/api/v1/nodes/${name}/status`, {
    status: {
      ...{ capacity, allocatable: capacity },
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      ...(port === undefined ? {} : { daemonEndpoints: { kubeletEndpoint: { Port: port } } }),
    },
  })
}
