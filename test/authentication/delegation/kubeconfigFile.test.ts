import { expect } from 'chai'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { readKubeconfig } from '../../../apiserver/authentication/delegation/kubeconfigFile.ts'

describe('readKubeconfig', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'))
  after(() => rmSync(folder, { recursive: true }))

  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const read = (cluster: object, user: object, change: object = {}) => {
    const file = join(folder, 'config')
    const config = {
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user }],
      ...change,
    }
    writeFileSync(file, stringify(config))
    return readKubeconfig(file)
  }
  const server = 'https://core:6443'
  const nothing = {
    server,
    ca: undefined,
    skipTlsVerify: false,
    tlsServerName: undefined,
    certificate: undefined,
    token: undefined,
    tokenFile: undefined,
  }

  it('reads its content', async () => {
    const cluster = {
      server: `${server}/`,
      'certificate-authority-data': base64('CA'),
      'tls-server-name': 'kubernetes',
    }
    const user = {
      'client-certificate-data': base64('CERT'),
      'client-key-data': base64('KEY'),
      token: 't',
    }
    expect(await read(cluster, user)).to.deep.equal({
      ...nothing,
      ca: 'CA',
      tlsServerName: 'kubernetes',
      certificate: { cert: 'CERT', key: 'KEY' },
      token: 't',
    })
  })

  it('reads files next to it', async () => {
    for (const name of ['ca', 'cert', 'key']) writeFileSync(join(folder, name), name)
    const user = { 'client-certificate': 'cert', 'client-key': 'key', tokenFile: 'token' }
    const cluster = { server, 'certificate-authority': 'ca', 'insecure-skip-tls-verify': true }
    expect(await read(cluster, user)).to.deep.equal({
      ...nothing,
      ca: 'ca',
      skipTlsVerify: true,
      certificate: { cert: 'cert', key: 'key' },
      tokenFile: join(folder, 'token'),
    })
  })

  const refused: [name: string, run: () => Promise<unknown>, why: RegExp][] = [
    [
      'no file',
      () => readKubeconfig(join(folder, 'none')),
      /cannot read .*none: it does not exist/,
    ],
    ['a folder', () => readKubeconfig(folder), /cannot read .*: it is a folder/],
    ['a server that is none', () => read({ server: 'core' }, {}), /is not a URL/],
    [
      'no context',
      () => read({ server }, {}, { 'current-context': 'x' }),
      /no entry "x" in contexts/,
    ],
    ['a program to ask', () => read({ server }, { exec: {} }), /a user has exec/],
    [
      'a key without its certificate',
      () => read({ server }, { 'client-key-data': 'a' }),
      /must be set together/,
    ],
  ]
  for (const [name, run, why] of refused) {
    it(`refuses ${name}`, async () => {
      expect(await run().catch(String))
        .to.match(why)
        .and.match(/^StartError/)
    })
  }
})
