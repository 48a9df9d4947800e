import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { SyncOptions } from '../../apiserver/command/config/syncSettings.ts'
import { syncBetween } from '../../apiserver/command/syncCommand.ts'
import type { AddressTarget } from '../../syncer/client/syncTarget.ts'
import { endpointsRules } from '../../syncer/rules/endpointsRules.ts'
import { servicesRules } from '../../syncer/rules/servicesRules.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { named, startTwoServers, type TwoServers } from './twoServers.ts'

const endpoints = endpointsRules.resource
const services = servicesRules.resource
const count = 60
/** Number of objects that are copied before the syncer is stopped. */
const first = 6
const marks = (name: string) => `vcluster.platform/${name}`
const nameOf = (at: number) => `n-${String(at).padStart(2, '0')}`
const place = (at: number) => ({ name: nameOf(at), namespace: 'default' })
const copyOf = (at: number) => ({
  name: `${nameOf(at)}-x-default-x-my-vcluster`,
  namespace: 'team-x',
})
const subsets = (ip: string) => [{ addresses: [{ ip }], ports: [{ port: 1, protocol: 'TCP' }] }]
const patches = [
  {
    path: 'metadata.annotations["team"]',
    expression: '"host-" + value',
    reverseExpression: 'value.slice("host-".length)',
  },
]
const config = { sync: { toHost: { endpoints: { patches } } } }

type Stop = () => Promise<void>
type Start = (planes: TwoServers, folder: string) => Promise<Stop>

const startInProcess: Start = async (planes) => {
  const syncer = await planes.startSyncer(config)
  return () => syncer.stop()
}

/** Starts the syncer like the command line. */
const startCommand: Start = async ({ targets }, folder) => {
  const path = (name: string) => join(folder, name)
  await writeFile(path('virtual'), kubeconfigOf(targets.virtual))
  await writeFile(path('host'), kubeconfigOf(targets.host))
  await writeFile(path('config.yaml'), stringify(config))
  let stop: () => void = () => undefined
  const stopRequested = new Promise<void>((resolve) => (stop = resolve))
  let done: Promise<void> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    const options: SyncOptions = {
      virtualKubeconfig: path('virtual'),
      hostKubeconfig: path('host'),
      config: path('config.yaml'),
      name: 'my-vcluster',
      hostNamespace: 'team-x',
      namesDomain: 'platform',
      missingExpression: 'keep',
      concurrency: 4,
      logLevel: 'silent',
    }
    const started = () => Promise.resolve(resolve())
    done = syncBetween(options, { stopRequested, started })
    done.catch(reject)
  })
  return async () => {
    stop()
    await done
  }
}

for (const { name, start } of [
  { name: 'a syncer that is stopped in the middle and started again', start: startInProcess },
  { name: 'platform-apiserver sync, stopped in the middle and started again', start: startCommand },
]) {
  describe(name, function () {
    this.timeout(30_000)
    let planes: TwoServers
    let folder: string
    let stop: Stop
    let others: ApiObject[]

    before(async () => {
      planes = await startTwoServers()
      folder = await mkdtemp(join(tmpdir(), 'sync-'))
      others = await makeOthers(planes)
      stop = await start(planes, folder)
      for (let at = 0; at < first; at++) await makePair(planes, at)
      for (let at = 0; at < first; at++) await waitUntil(() => isCopied(planes, at))
      const burst = range(first, count).map((at) => makePair(planes, at))
      await waitUntil(() => isCopied(planes, first))
      await stop()
      await Promise.all(burst)
      await changeBothSides(planes)
      stop = await start(planes, folder)
    })
    after(async () => {
      await stop()
      await planes.stop()
      await rm(folder, { recursive: true })
    })

    it('has one copy of each virtual object, and none of those that were deleted meanwhile', async () => {
      const virtual = await namesOn(planes, 'virtual')
      const wanted = range(1, count).map(nameOf)
      expect(virtual).to.deep.equal(wanted)
      const copies = [
        ...wanted.map((name) => `${name}-x-default-x-my-vcluster`),
        ...others.map(({ metadata }) => metadata.name ?? ''),
      ].sort()
      await waitUntil(async () => String(await namesOn(planes, 'host')) === String(copies))
      for (const at of [1, 2, 3, count - 1]) {
        const own = await planes.virtual.get(endpoints, place(at))
        await waitUntil(async () => (await uidOfCopy(planes, at)) === own?.metadata.uid)
      }
    })

    it('carries over what changed on each side meanwhile', async () => {
      const read = async (side: 'virtual' | 'host', at: number) => {
        const object = await planes[side].get(endpoints, side === 'host' ? copyOf(at) : place(at))
        const { annotations = {} } = object?.metadata ?? {}
        const own = Object.entries(annotations).filter(([key]) => !key.includes('/'))
        return JSON.stringify([own.sort(), object?.subsets])
      }
      const both = [
        ['late', 'h'],
        ['team', 'green'],
      ]
      const wanted = JSON.stringify([both, subsets('10.0.0.2')])
      await waitUntil(async () => (await read('virtual', 2)) === wanted)
      const patched = [
        ['late', 'h'],
        ['team', 'host-green'],
      ]
      const onHost = JSON.stringify([patched, subsets('10.0.0.2')])
      await waitUntil(async () => (await read('host', 2)) === onHost)
      const overwritten = JSON.stringify([[['team', 'host-t4']], subsets('10.0.0.4')])
      await waitUntil(async () => (await read('host', 4)) === overwritten)
    })

    it('leaves objects of others unchanged', async () => {
      for (const before of others) {
        const { name: other = '', namespace = '' } = before.metadata
        expect(await planes.host.get(endpoints, { name: other, namespace })).to.deep.equal(before)
      }
    })

    it('stops writing once both sides are equal', async () => {
      const before = await planes.host.list(endpoints, { namespace: 'team-x' })
      await stop()
      stop = await start(planes, folder)
      await makePair(planes, 90)
      await waitUntil(() => isCopied(planes, 90))
      const after = await planes.host.list(endpoints, { namespace: 'team-x' })
      const rest = after.items.filter(({ metadata }) => metadata.name !== copyOf(90).name)
      expect(rest).to.deep.equal(before.items)
    })
  })
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at)
}

async function isCopied({ host }: TwoServers, at: number): Promise<boolean> {
  return (await host.get(endpoints, copyOf(at))) !== undefined
}

async function makePair({ virtual }: TwoServers, at: number): Promise<void> {
  await virtual.create(services, { ...named('Service', place(at)), spec: { clusterIP: 'None' } })
  const object = named('Endpoints', { ...place(at), annotations: { team: `t${at}` } })
  await virtual.create(endpoints, { ...object, subsets: subsets(`10.0.0.${at}`) })
}

/** Creates foreign objects on the host, without an owner or from another virtual cluster. */
async function makeOthers({ host }: TwoServers): Promise<ApiObject[]> {
  const foreign = 'lost-x-default-x-another'
  const annotations = {
    [marks('object-name')]: 'lost',
    [marks('object-namespace')]: 'default',
    [marks('object-host-name')]: foreign,
    [marks('object-host-namespace')]: 'team-x',
    [marks('object-kind')]: '/v1, Kind=Endpoints',
  }
  const labels = { [marks('managed-by')]: 'another' }
  const metadata = [
    { name: foreign, namespace: 'team-x', annotations, labels },
    { name: 'plain', namespace: 'team-x' },
  ]
  return Promise.all(
    metadata.map((of) =>
      host.create(endpoints, { ...named('Endpoints', of), subsets: subsets('10.9.0.1') }),
    ),
  )
}

async function changeBothSides({ virtual, host }: TwoServers): Promise<void> {
  await virtual.delete(endpoints, place(0), undefined)
  await virtual.delete(services, place(0), undefined)
  await virtual.delete(endpoints, place(1), undefined)
  const again = { ...named('Endpoints', place(1)), subsets: subsets('10.0.0.111') }
  await virtual.create(endpoints, again)
  await change(virtual, place(2), { annotations: { team: 'green' } })
  await change(host, copyOf(2), { annotations: { late: 'h' } })
  await host.delete(endpoints, copyOf(3), undefined)
  await change(host, copyOf(4), { subsets: subsets('10.7.7.7') })
}

async function change(
  client: TwoServers['virtual'],
  at: { name: string; namespace: string },
  { annotations, ...fields }: { annotations?: Record<string, string>; subsets?: unknown },
): Promise<void> {
  const object = await client.get(endpoints, at)
  if (object === undefined) throw new Error(`${at.name} is not there`)
  const { metadata } = object
  const merged = { ...metadata, annotations: { ...metadata.annotations, ...annotations } }
  await client.replace(endpoints, { ...object, ...fields, metadata: merged })
}

async function namesOn(planes: TwoServers, side: 'virtual' | 'host'): Promise<string[]> {
  const namespace = side === 'virtual' ? 'default' : 'team-x'
  const { items } = await planes[side].list(endpoints, { namespace })
  const names = items.map(({ metadata }) => metadata.name ?? '')
  return names.filter((name) => name !== 'kubernetes').sort()
}

async function uidOfCopy({ host }: TwoServers, at: number): Promise<string | undefined> {
  const copy = await host.get(endpoints, copyOf(at))
  return copy?.metadata.annotations?.[marks('object-uid')]
}

function kubeconfigOf({ url, caCertificate = '', token }: AddressTarget): string {
  const authority = Buffer.from(caCertificate).toString('base64')
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'one',
    contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
    clusters: [{ name: 'one', cluster: { server: url, 'certificate-authority-data': authority } }],
    users: [{ name: 'one', user: { token } }],
  })
}

describe('a syncer stopped twice while it writes', function () {
  this.timeout(30_000)
  let planes: TwoServers

  before(async () => (planes = await startTwoServers()))
  after(() => planes.stop())

  it('completes the running writes', async () => {
    const syncer = await planes.startSyncer(config)
    const burst = range(0, 30).map((at) => makePair(planes, at))
    await waitUntil(() => isCopied(planes, 0))
    await Promise.all([syncer.update({}), syncer.stop(), syncer.stop()])
    await Promise.all(burst)
  })
})
