import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  issueAuthority,
  issueClient,
  issueLeaf,
} from '../../../apiserver/http/pki/issueCertificates.ts'
import { openStorage, type ServerStorage } from '../../../apiserver/platform/storage/openStorage.ts'
import type { EtcdOptions } from '../../../apiserver/runtime/options/etcdOptions.ts'
import { createLogger } from '../../../apiserver/runtime/logging.ts'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../../apiserver/runtime/realRandom.ts'
import { serverOptions } from '../../../apiserver/runtime/options/serverOptions.ts'
import { describeWithEtcd, EtcdServer } from '../../support/etcd/etcdServer.ts'
import { refuses, show, template } from '../values.ts'

describeWithEtcd('the way to an etcd', (binary) => {
  let etcd: EtcdServer
  let folder: string
  const opened: ServerStorage[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'etcd-access-'))
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((storage) => storage.close()))
    await etcd.remove()
    await rm(folder, { recursive: true })
  })

  const write = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, text)
    return path
  }
  const open = async (more: Partial<EtcdOptions>): Promise<ServerStorage> => {
    const dataDir = join(folder, 'data')
    const etcdOptions = { servers: [etcd.endpoint], prefix: '/test', ...more }
    const options = serverOptions({ storage: 'etcd', dataDir, etcd: etcdOptions })
    const log = createLogger({ level: 'silent', clock: realClock })
    const around = { clock: realClock, random: realRandom, log, sealing: undefined }
    const storage = await openStorage(options, around)
    opened.push(storage)
    return storage
  }
  const writesAndReads = async (storage: ServerStorage): Promise<void> => {
    const made = await storage.create('/a', template('one'))
    await storage.reachNewest()
    expect(show(await storage.get('/a'))).to.equal(show(made))
    const { changes } = await storage.changes('/', made.revision - 1, 10)
    expect(changes.map(({ key }) => key)).to.deep.equal(['/a'])
  }

  it('supports TLS with certificates of both sides', async () => {
    const sources = { clock: realClock, random: realRandom }
    const authority = await issueAuthority(undefined, sources)
    const leaf = await issueLeaf(authority, ['127.0.0.1'], sources)
    const who = { user: 'server', groups: [], targets: [], lifeMs: 3_600_000 }
    const client = await issueClient(authority, who, sources)
    const caFile = await write('ca.crt', authority.cert)
    const files = ['--cert-file', await write('etcd.crt', leaf.cert)]
    files.push('--key-file', await write('etcd.key', leaf.key))
    files.push('--client-cert-auth', '--trusted-ca-file', caFile)
    etcd = await EtcdServer.start(binary, files)
    const certFile = await write('client.crt', client.cert)
    const keyFile = await write('client.key', client.key)
    await writesAndReads(await open({ caFile, certFile, keyFile }))
    await refuses(() => open({ caFile }), 'Unavailable')
    await refuses(() => open({ certFile, keyFile }), 'Unavailable')
  })

  it('supports a user with rights for the prefix only', async () => {
    etcd = await EtcdServer.start(binary, ['--auth-token-ttl', '1'])
    await addUser(etcd.endpoint)
    const usernameFile = await write('user', 'app\n')
    const passwordFile = await write('password', 'secret\n')
    const storage = await open({ usernameFile, passwordFile })
    await writesAndReads(storage)
    const other = { usernameFile, passwordFile, prefix: '/other' }
    await refuses(() => open(other), 'Unavailable', { message: /permission denied/ })
    const wrong = await write('wrong', 'other')
    const mistaken = { usernameFile, passwordFile: wrong }
    await refuses(() => open(mistaken), 'Unavailable', { message: /authentication failed/ })
    await refuses(() => open({}), 'Unavailable', { message: /user name is empty/ })
    // A restart invalidates the tokens, and the next call requests another one.
    await etcd.kill()
    await etcd.restart()
    for (let made = false; !made;) {
      made = await storage.create('/b', template('b')).then(
        () => true,
        () => new Promise((resolve) => setTimeout(() => resolve(false), 50)),
      )
    }
    await storage.reachNewest()
    expect((await storage.get('/b'))?.key).to.equal('/b')
  })

  it('names an unreadable file', async () => {
    etcd = await EtcdServer.start(binary)
    const missing = join(folder, 'none')
    const error: unknown = await open({ caFile: missing }).catch((thrown: unknown) => thrown)
    expect(error).to.have.property('name', 'StartError')
    expect(error).to.have.property('message').that.contains(missing)
  })
})

/** Creates the user `app`, who may read and write below /test/. */
async function addUser(endpoint: string): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const perm = { permType: 'READWRITE', key: base64('/test/'), range_end: base64('/test0') }
  const calls: [string, object][] = [
    ['user/add', { name: 'root', password: 'root' }],
    ['role/add', { name: 'root' }],
    ['user/grant', { user: 'root', role: 'root' }],
    ['user/add', { name: 'app', password: 'secret' }],
    ['role/add', { name: 'app' }],
    ['role/grant', { name: 'app', perm }],
    ['user/grant', { user: 'app', role: 'app' }],
    ['enable', {}],
  ]
  for (const [path, body] of calls) {
    const url = `${endpoint}/v3/auth/${path}`
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  }
}
