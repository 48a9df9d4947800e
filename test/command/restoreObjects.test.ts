import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readBackupOptions } from '../../apiserver/command/config/backupSettings.ts'
import { UsageError } from '../../apiserver/command/config/usageError.ts'
import { runBackup } from '../../apiserver/command/backupCommand.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { realClock } from '../../apiserver/runtime/realClock.ts'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import {
  management,
  openBob,
  openTestServer,
  type TestServer,
} from '../endpoints/support/testServer.ts'
import { clusterBase, instanceBase, makePlanes } from '../server/planes/planeServer.ts'
import { waitUntil } from '../support/waitUntil.ts'

const namespaces = '/api/v1/namespaces'
const configMaps = `${namespaces}/shop/configmaps`

/** Restores of single objects and namespaces. Source: issue of backups, "Restore of one object or one namespace from a file". */
describe('restore into a running server', () => {
  let folder: string
  let server: TestServer
  let admin: HttpClient
  const at = (name: string) => join(folder, name)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'restore-'))
    server = await openTestServer()
    admin = server.admin
    await writeFile(at('kubeconfig'), server.running.kubeconfig)
  })
  after(async () => {
    await server.running.stop()
    await rm(folder, { recursive: true })
  })

  interface Ended {
    text: string
    lines: string[]
  }

  async function command(...args: string[]): Promise<Ended> {
    const [word = ''] = args
    const lines: string[] = []
    const writeProgress = (line: string) => void lines.push(line)
    const known = word === 'backup' ? 'backup' : 'restore'
    const kubeconfig = args.includes('--kubeconfig') ? [] : ['--kubeconfig', at('kubeconfig')]
    const options = readBackupOptions(known, [...args.slice(1), ...kubeconfig], {})
    const ending = runBackup(known, options, { clock: realClock, writeProgress })
    const text = await ending.catch((error: unknown) => `failed: ${(error as Error).message}`)
    return { text, lines: lines.filter((line) => !/^\d+ objects, /.test(line)) }
  }

  const restore = (...args: string[]) => command('restore', '--from', at('file'), ...args)

  async function read(path: string): Promise<ApiObject> {
    const { status, json } = await admin.get(path)
    expect(status, path).to.equal(200)
    return json as ApiObject
  }

  /** Namespace shop with a config map, an object that it owns, and a Secret; then a backup. */
  async function backUpShop(): Promise<void> {
    await admin.post(namespaces, { metadata: { name: 'shop', labels: { team: 'a' } } })
    const owner = await admin.post(configMaps, {
      metadata: { name: 'z-owner', labels: { a: 'b' } },
      data: { n: '1' },
    })
    const { metadata } = owner.json as ApiObject
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'z-owner', uid: metadata.uid }
    await admin.post(`${configMaps}?fieldManager=painter`, {
      metadata: { name: 'owned', ownerReferences: [reference] },
      data: { n: '2' },
    })
    await admin.post(`${namespaces}/shop/secrets`, { metadata: { name: 's' }, data: { a: 'eA==' } })
    await rm(at('file'), { force: true })
    expect((await command('backup', '--out', at('file'))).text).to.match(/^backed up /)
  }

  async function removeShop(): Promise<void> {
    await admin.delete(`${namespaces}/shop`)
    await waitUntil(async () => (await admin.get(`${namespaces}/shop`)).status === 404)
  }

  beforeEach(backUpShop)
  afterEach(removeShop)

  it('restores a namespace with its objects, and owners with their new uids', async () => {
    const before = await read(`${configMaps}/owned`)
    await removeShop()
    const { text } = await restore('--namespace', 'shop')
    expect(text).to.match(/^created: [4-6], replaced: 0, unchanged: \d$/)
    expect((await read(`${namespaces}/shop`)).metadata.labels).to.include({ team: 'a' })
    expect((await read(`${namespaces}/shop/secrets/s`)).data).to.deep.equal({ a: 'eA==' })
    const owner = await read(`${configMaps}/z-owner`)
    const owned = await read(`${configMaps}/owned`)
    expect(owned.data).to.deep.equal({ n: '2' })
    expect(owned.metadata.uid).to.not.equal(before.metadata.uid)
    expect(owned.metadata.ownerReferences?.map(({ uid }) => uid)).to.deep.equal([
      owner.metadata.uid,
    ])
    expect(owned.metadata.managedFields).to.deep.equal(before.metadata.managedFields)
  })

  it('restores one object, and leaves the others unchanged', async () => {
    await admin.delete(`${configMaps}/z-owner?propagationPolicy=Orphan`)
    await admin.put(`${namespaces}/shop/secrets/s`, {
      metadata: { name: 's' },
      data: { a: 'eQ==' },
    })
    const { text, lines } = await restore('--resource', 'configmaps', '--name', 'z-owner')
    expect(text).to.equal('created: 1, replaced: 0, unchanged: 0')
    expect(lines).to.deep.equal(['ConfigMap shop/z-owner: created'])
    expect((await read(`${namespaces}/shop/secrets/s`)).data).to.deep.equal({ a: 'eQ==' })
  })

  it('leaves objects that exist with other content, with a sentence and exit code 1', async () => {
    await admin.put(`${configMaps}/z-owner`, { metadata: { name: 'z-owner' }, data: { n: 'new' } })
    const { text, lines } = await restore('--namespace', 'shop', '--resource', 'configmaps')
    expect(text).to.match(
      /^failed: created: 0, replaced: 0, unchanged: [12], left as they are: 1, refused: 0; --replace replaces /,
    )
    expect(lines).to.include('ConfigMap shop/z-owner: exists with other content: left as it is')
    expect((await read(`${configMaps}/z-owner`)).data).to.deep.equal({ n: 'new' })
  })

  it('--replace puts the content of the backup in the place of what exists', async () => {
    await admin.put(`${configMaps}/z-owner`, { metadata: { name: 'z-owner' }, data: { n: 'new' } })
    const now = await read(`${configMaps}/z-owner`)
    const { text } = await restore('--namespace', 'shop', '--resource', 'configmaps', '--replace')
    expect(text).to.match(/^created: 0, replaced: 1, unchanged: [12]$/)
    const after = await read(`${configMaps}/z-owner`)
    expect(after.data).to.deep.equal({ n: '1' })
    expect(after.metadata.labels).to.deep.equal({ a: 'b' })
    expect(after.metadata.uid).to.equal(now.metadata.uid)
  })

  it('--dry-run says the same and writes nothing, also in a namespace that is gone', async () => {
    await admin.put(`${configMaps}/z-owner`, { metadata: { name: 'z-owner' }, data: { n: 'new' } })
    await admin.delete(`${configMaps}/owned`)
    const args = ['--namespace', 'shop', '--resource', 'configmaps', '--replace', '--dry-run']
    const there = await restore(...args)
    expect(there.text).to.match(/^would be created: 1, would be replaced: 1, unchanged: [01]$/)
    expect((await read(`${configMaps}/z-owner`)).data).to.deep.equal({ n: 'new' })
    expect((await admin.get(`${configMaps}/owned`)).status).to.equal(404)
    await removeShop()
    const gone = await restore('--namespace', 'shop', '--dry-run')
    expect(gone.lines).to.include('Namespace shop: created (dry run)')
    expect(gone.lines).to.include('Secret shop/s: would be created in the new namespace, unchecked')
    expect((await admin.get(`${namespaces}/shop`)).status).to.equal(404)
  })

  it('drops an owner that is gone, since the object would be collected', async () => {
    await admin.delete(`${configMaps}/z-owner`)
    await waitUntil(async () => (await admin.get(`${configMaps}/owned`)).status === 404)
    const { lines } = await restore('--resource', 'configmaps', '--name', 'owned')
    expect(lines).to.deep.equal([
      'ConfigMap shop/owned: created, without its owner ConfigMap z-owner, which is gone',
    ])
    expect((await read(`${configMaps}/owned`)).metadata.ownerReferences).to.equal(undefined)
  })

  it('reports what the server refuses, and continues', async () => {
    await admin.delete(`${configMaps}/owned`)
    await admin.post(`${namespaces}/shop/resourcequotas`, {
      metadata: { name: 'none' },
      spec: { hard: { secrets: '0' } },
    })
    const quota = `${namespaces}/shop/resourcequotas/none`
    await waitUntil(async () => (await admin.get(quota)).field('status', 'hard', 'secrets') === '0')
    await admin.delete(`${namespaces}/shop/secrets/s`)
    const { text, lines } = await restore('--namespace', 'shop')
    expect(text).to.match(/^failed: created: 1, .* refused: 1$/)
    expect(lines.join('\n')).to.match(/Secret shop\/s: .*exceeded quota: none/)
    expect(lines).to.include('ConfigMap shop/owned: created')
  })

  it('writes nothing if the file is damaged at its end', async () => {
    await writeFile(at('cut'), (await readFile(at('file'))).subarray(0, -1))
    await admin.delete(`${configMaps}/owned`)
    const { text } = await command('restore', '--from', at('cut'), '--namespace', 'shop')
    expect(text).to.match(/^failed: \S+cut is damaged: it is cut off/)
    expect((await admin.get(`${configMaps}/owned`)).status).to.equal(404)
  })

  it('a deleted access key is valid again', async () => {
    const keys = `${management}/ownedaccesskeys`
    const bob = await openBob(server)
    await rm(at('file'))
    await command('backup', '--out', at('file'))
    await admin.delete(`${keys}/bob`)
    expect((await bob.get(namespaces)).status).to.equal(401)
    await restore('--resource', 'ownedaccesskeys.management.platform', '--name', 'bob')
    expect((await bob.get(namespaces)).status).to.equal(403) // known, without rights
  })

  for (const { name, base } of [
    { name: 'a virtual cluster', base: instanceBase('one') },
    { name: 'a cluster', base: clusterBase('host') },
  ]) {
    it(`restores into ${name}, from the objects of the one with its name`, async () => {
      await makePlanes(admin, { hosts: ['host'], virtual: ['one', 'other'] })
      const inPlane = (base: string) => `${base}${namespaces}/default/configmaps`
      const others = inPlane(instanceBase('other'))
      await admin.post(inPlane(base), { metadata: { name: 'a' }, data: { n: 'own' } })
      await admin.post(others, { metadata: { name: 'a' }, data: { n: 'other' } })
      await rm(at('file'))
      await command('backup', '--out', at('file'))
      await admin.delete(`${inPlane(base)}/a`)
      await admin.delete(`${others}/a`)
      const address = server.running.kubeconfig.replace(/\/kubernetes\/management\b/, base)
      await writeFile(at('plane'), address)
      const selected = ['--resource', 'configmaps', '--name', 'a', '--kubeconfig', at('plane')]
      expect((await restore(...selected)).text).to.equal('created: 1, replaced: 0, unchanged: 0')
      expect((await read(`${inPlane(base)}/a`)).data).to.deep.equal({ n: 'own' })
      expect((await admin.get(`${others}/a`)).status).to.equal(404)
      await writeFile(at('plane'), address.replace(base, clusterBase('absent')))
      expect((await restore(...selected)).text).to.match(/^failed: \S+ has no plane for https:/)
    })
  }

  it('reads encrypted objects with the configured keys, and names a missing key', async () => {
    const key = Buffer.alloc(32, 7).toString('base64')
    await writeFile(
      at('encryption.json'),
      JSON.stringify({
        kind: 'EncryptionConfiguration',
        apiVersion: 'apiserver.config.k8s.io/v1',
        resources: [
          {
            resources: ['configmaps'],
            providers: [{ aesgcm: { keys: [{ name: 'key1', secret: key }] } }, { identity: {} }],
          },
        ],
      }),
    )
    const sealed = await openTestServer({ encryptionProviderConfig: at('encryption.json') })
    await sealed.admin.post(`${namespaces}/default/configmaps`, {
      metadata: { name: 'sealed' },
      data: { a: 'b' },
    })
    await writeFile(at('sealed'), sealed.running.kubeconfig)
    const kubeconfig = ['--kubeconfig', at('sealed')]
    await rm(at('file'))
    await command('backup', '--out', at('file'), ...kubeconfig)
    await sealed.admin.delete(`${namespaces}/default/configmaps/sealed`)
    const selected = ['--resource', 'configmaps', '--name', 'sealed', ...kubeconfig]
    expect((await restore(...selected)).text).to.match(/encrypted by aesgcm with the key "key1"/)
    const keys = ['--encryption-provider-config', at('encryption.json')]
    expect((await restore(...selected, ...keys)).text).to.match(/^created: 1,/)
    await sealed.running.stop()
  })

  const refused: { name: string; args: string[]; want: string }[] = [
    { name: 'no selection', args: [], want: '--kubeconfig requires --namespace or --resource' },
    { name: 'a name of any kind', args: ['--name', 'a'], want: '--name requires --resource' },
    {
      name: 'a folder besides',
      args: ['--data-dir', 'd', '--namespace', 'a'],
      want: '--kubeconfig and --data-dir exclude each other',
    },
    {
      name: 'a path in the place of a kind',
      args: ['--resource', 'a/b'],
      want: '--resource must be the plural name of a kind',
    },
  ]
  for (const { name, args, want } of refused) {
    it(`refuses ${name}`, () => {
      const all = ['--from', 'f', '--kubeconfig', 'k', ...args]
      expect(() => readBackupOptions('restore', all, {})).to.throw(UsageError, want)
    })
  }

  it('refuses a selection without a server, and one without objects in the backup', async () => {
    const args = ['--from', 'f', '--namespace', 'a']
    expect(() => readBackupOptions('restore', args, {})).to.throw(
      UsageError,
      'require --kubeconfig',
    )
    expect((await restore('--namespace', 'absent')).text).to.equal(
      `failed: ${at('file')} has no such objects`,
    )
  })
})
