import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import type { Kubectl } from '../support/kubectl.ts'
import type { ApiObject } from '../support/objects.ts'
import type { Scenario } from '../support/scenario.ts'
import type { SyncContext } from './syncContext.ts'
import {
  endpoints,
  firstPatches,
  hostName,
  hostNamespace,
  instance,
  projectNamespace,
  service,
  values,
} from './virtualCluster.ts'

export type SyncScenario = Scenario<SyncContext>

type Shown = ApiObject & {
  metadata: { annotations?: Record<string, string> }
  subsets?: unknown
  data?: unknown
}

const db = 'endpoints db -n default'
const copy = `endpoints ${hostName('db')} -n ${hostNamespace}`

async function read(kubectl: Kubectl, what: string): Promise<Shown> {
  return JSON.parse(await kubectl.ok(`get ${what} -o json`)) as Shown // kubectl prints objects
}

/** Waits until the object has these annotations. */
async function annotated(
  kubectl: Kubectl,
  what: string,
  annotations: Record<string, string>,
  timeoutSeconds?: number,
) {
  await eventually(
    async () => expect((await read(kubectl, what)).metadata.annotations).to.include(annotations),
    timeoutSeconds,
  )
}

/**
 * Maximum wait for syncers after a kill: with a shared storage, another server takes over once the
 * Lease of 15 seconds has expired.
 */
const handoverSeconds = 30

/** Waits until the API reports that the object does not exist. */
export async function gone(kubectl: Kubectl, what: string, timeoutSeconds?: number): Promise<void> {
  await eventually(
    async () => expect(await kubectl.fails(`get ${what}`)).to.contain('(NotFound)'),
    timeoutSeconds,
  )
}

/** Waits until the instance has this condition of its configuration. @returns its message. */
async function configured({ management }: SyncContext, status: 'True' | 'False'): Promise<string> {
  const web = `virtualclusterinstance/${instance} -n ${projectNamespace}`
  await management.ok(`wait ${web} --for=condition=SyncConfigured=${status} --timeout=10s`)
  const path = '{.status.conditions[?(@.type=="SyncConfigured")].message}'
  return management.ok(`get ${web} -o jsonpath=${path}`)
}

async function configure({ management, file }: SyncContext, patches: readonly object[]) {
  const template = { helmRelease: { values: values(patches) } }
  file('change.json', JSON.stringify({ spec: { template } }))
  await management.ok(
    `patch virtualclusterinstance ${instance} -n ${projectNamespace} --type=merge --patch-file=change.json`,
  )
}

const markers = {
  'vcluster.platform/object-host-name': hostName('db'),
  'vcluster.platform/object-host-namespace': hostNamespace,
  'vcluster.platform/object-kind': '/v1, Kind=Endpoints',
  'vcluster.platform/object-name': 'db',
  'vcluster.platform/object-namespace': 'default',
}

/** Scenarios that run in sequence on one virtual cluster. */
export const syncFlows: readonly SyncScenario[] = [
  {
    name: 'a Service without a selector and its Endpoints are on the host under translated names, patched (spec sync.enabled)',
    run: async ({ virtual, host, file }) => {
      file('secret.yaml', {
        ...{ apiVersion: 'v1', kind: 'Secret' },
        metadata: { name: 'db-password', namespace: 'default' },
        ...{ stringData: { password: 'pass' } },
      })
      await virtual.ok('create -f secret.yaml')
      const annotations = {
        ...{ team: 'blue', cluster: 'own', release: 'one', other: 'as it is' },
        'password-from': 'db-password',
      }
      const labels = { app: 'db', release: 'one' }
      file('db.yaml', service('db'), endpoints('db', '10.1.2.3', { annotations, labels }))
      await virtual.ok('create -f db.yaml')
      await eventually(() => host.ok(`get ${copy}`))
      const { metadata, subsets } = await read(host, copy)
      const translated = 'vcluster.platform/label-web-x-a4d451ec23'
      expect(metadata.labels).to.deep.equal({
        app: 'db',
        [translated]: 'one',
        'vcluster.platform/managed-by': instance,
        'vcluster.platform/namespace': 'default',
      })
      const { uid } = (await read(virtual, db)).metadata
      expect(metadata.annotations).to.deep.equal({
        ...markers,
        team: 'host-blue',
        cluster: 'constant',
        other: 'as it is',
        'password-from': `db-password-x-default-x-${instance}`,
        [translated]: 'one',
        'vcluster.platform/managed-annotations': 'cluster\nother\npassword-from\nrelease\nteam',
        'vcluster.platform/managed-labels': `app\n${translated}`,
        'vcluster.platform/object-uid': uid,
      })
      expect(subsets).to.deep.equal([
        {
          addresses: [{ ip: '10.1.2.3' }],
          ports: [{ name: 'web-sql', port: 5432, protocol: 'TCP' }],
        },
      ])
    },
  },
  {
    name: 'the referenced Secret is on the host; what the host alone has is imported (spec sync.patches.reference.import)',
    run: async ({ virtual, host }) => {
      const secret = `secret db-password-x-default-x-${instance} -n ${hostNamespace}`
      expect((await read(host, secret)).data).to.deep.equal({ password: 'cGFzcw==' })
      await host.ok(`create secret generic of-host -n ${hostNamespace} --from-literal=a=b`)
      await host.ok(`annotate ${copy} --overwrite password-from=of-host`)
      await annotated(virtual, db, { 'password-from': 'of-host' })
      expect((await read(virtual, 'secret of-host -n default')).data).to.deep.equal({ a: 'Yg==' })
    },
  },
  {
    name: 'what changes on the host comes back, but its subsets are overwritten (spec sync.patches.reverseExpression)',
    run: async ({ virtual, host, file }) => {
      await virtual.ok(`annotate ${db} --overwrite team=green`)
      await annotated(host, copy, { team: 'host-green' })
      await host.ok(`annotate ${copy} --overwrite team=host-red fresh=here`)
      await host.ok(`label ${copy} zone=a`)
      await annotated(virtual, db, { team: 'red', fresh: 'here' })
      expect((await read(virtual, db)).metadata.labels).to.include({ zone: 'a' })
      const { subsets } = await read(host, copy)
      file('none.json', JSON.stringify({ subsets: null }))
      await host.ok(`patch ${copy} --type=merge --patch-file=none.json`)
      await eventually(async () => expect((await read(host, copy)).subsets).to.deep.equal(subsets))
    },
  },
  {
    name: 'another configuration takes effect on the running syncer (spec sync.patches.path)',
    run: async (context) => {
      const { virtual, host } = context
      const address = { path: 'subsets[*].addresses[*].ip', expression: '"10.9.9.9"' }
      await configure(context, [...firstPatches, address])
      const ip = `get ${copy} -o jsonpath={.subsets[0].addresses[0].ip}`
      await eventually(async () => expect(await host.ok(ip)).to.equal('10.9.9.9'))
      await configure(context, firstPatches)
      await eventually(async () => expect(await host.ok(ip)).to.equal('10.1.2.3'))
      expect((await read(virtual, db)).metadata.annotations).to.include({ team: 'red' })
    },
  },
  {
    name: 'what is wrong with a configuration is shown in the instance, and the one before holds (facts 6.2)',
    run: async (context) => {
      const { virtual, host } = context
      expect(await configured(context, 'True')).to.equal('')
      const wrong = [
        { path: 'metadata.annotations["team"]', expression: '"lost-" + value', labels: {} },
        { path: 'metadata.annotations["other"]', expression: 'if (value) 1' },
      ]
      await configure(context, wrong.slice(0, 1))
      expect(await configured(context, 'False')).to.equal(
        'sync.toHost.endpoints.patches[0] can only use one of: expression, labels or reference',
      )
      await virtual.ok(`annotate ${db} --overwrite team=white`)
      await annotated(host, copy, { team: 'host-white' })
      await configure(context, wrong.slice(1))
      await eventually(async () =>
        expect(await configured(context, 'False')).to.contain(
          'sync.toHost.endpoints.patches[0].expression is not an ES6 expression: SyntaxError',
        ),
      )
      await configure(context, firstPatches)
      await configured(context, 'True')
    },
  },
  {
    name: 'after SIGTERM and after SIGKILL the next server syncs what was changed, made and deleted before',
    run: async ({ server, virtual, host, file }) => {
      file('more.yaml', service('more'), endpoints('more', '10.1.1.1'))
      await virtual.ok('create -f more.yaml')
      await eventually(() => host.ok(`get endpoints ${hostName('more')} -n ${hostNamespace}`))
      await virtual.ok(`annotate ${db} --overwrite team=amber`)
      await server.stop()
      await server.start()
      await annotated(host, copy, { team: 'host-amber' })
      file('last.yaml', service('last'), endpoints('last', '10.1.1.2'))
      await virtual.ok('create -f last.yaml')
      await virtual.ok('delete -f more.yaml --wait=false')
      await server.kill()
      await server.start()
      await eventually(
        () => host.ok(`get endpoints ${hostName('last')} -n ${hostNamespace}`),
        handoverSeconds,
      )
      await gone(host, `endpoints ${hostName('more')} -n ${hostNamespace}`, handoverSeconds)
      await gone(host, `service ${hostName('more')} -n ${hostNamespace}`, handoverSeconds)
      // All of the above may have been synced earlier.
      await virtual.ok('annotate endpoints last -n default team=late')
      const last = `endpoints ${hostName('last')} -n ${hostNamespace}`
      await annotated(host, last, { team: 'host-late' }, handoverSeconds)
      await host.ok(`get secret of-host -n ${hostNamespace}`)
    },
  },
  {
    name: 'what is deleted on one side is deleted on the other',
    run: async ({ virtual, host }) => {
      await host.ok(`delete endpoints ${hostName('last')} -n ${hostNamespace}`)
      await gone(virtual, 'endpoints last -n default')
      await virtual.ok(`delete ${db}`)
      await gone(host, copy)
    },
  },
]
