import { expect } from 'chai'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { kubeconfig, writeKubeconfig } from '../../apiserver/command/kubeconfig.ts'
import { namesProfile } from '../../apiserver/meta/names/namesProfile.ts'

const contents = {
  baseUrl: 'https://[::1]:8443',
  caCertificate: '-----BEGIN CERTIFICATE-----\nAAAA\n',
  user: 'admin',
  token: 'k"e: y#',
  names: namesProfile({ platform: 'acme', proxySegment: 'orchestrator' }),
}

describe('kubeconfig', () => {
  it('is YAML with one cluster, user and context', () => {
    expect(parse(kubeconfig(contents))).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'acme',
          cluster: {
            server: 'https://[::1]:8443/orchestrator/management',
            'certificate-authority-data': Buffer.from(contents.caCertificate).toString('base64'),
          },
        },
      ],
      users: [{ name: 'admin', user: { token: 'k"e: y#' } }],
      contexts: [{ name: 'acme', context: { cluster: 'acme', user: 'admin' } }],
      'current-context': 'acme',
    })
  })

  it('leaves the authority to the system when none is given', () => {
    expect(kubeconfig({ ...contents, caCertificate: undefined })).not.to.contain(
      'certificate-authority',
    )
  })
})

describe('writeKubeconfig', () => {
  let folder: string
  let file: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'))
    file = join(folder, 'made', 'admin.kubeconfig')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('creates the folder, and a file readable by its owner only, leaving no temporary file', async () => {
    await writeKubeconfig(file, contents)
    expect((await stat(file)).mode & 0o777).to.equal(0o600)
    expect(await readdir(join(folder, 'made'))).to.deep.equal(['admin.kubeconfig'])
  })

  it('replaces its own earlier file, and restricts a wider mode', async () => {
    await writeKubeconfig(file, contents)
    await chmod(file, 0o644)
    await writeKubeconfig(file, { ...contents, token: 'another' })
    expect(parse(await readFile(file, 'utf8'))).to.have.nested.property(
      'users[0].user.token',
      'another',
    )
    expect((await stat(file)).mode & 0o777).to.equal(0o600)
  })

  it('fills an empty file', async () => {
    const empty = join(folder, 'empty')
    await writeFile(empty, '')
    await writeKubeconfig(empty, contents)
    expect(await readFile(empty, 'utf8')).to.contain('kind: Config')
  })

  it('leaves a configuration that it did not write unchanged', async () => {
    const own = join(folder, 'config')
    await writeFile(own, 'apiVersion: v1\n')
    const error: unknown = await writeKubeconfig(own, contents).catch((thrown: unknown) => thrown)
    expect(error).to.have.property(
      'message',
      `${own} was not written by this server, and is left as it is; name another file`,
    )
    expect(await readFile(own, 'utf8')).to.equal('apiVersion: v1\n')
  })

  it('names the file that cannot be written', async () => {
    const long = join(folder, 'x'.repeat(250))
    const error: unknown = await writeKubeconfig(long, contents).catch((thrown: unknown) => thrown)
    expect(error).to.have.property(
      'message',
      `cannot write the kubeconfig ${long}: the name is too long`,
    )
  })

  it('names the folder that cannot be created', async () => {
    const path = join(folder, 'file')
    await writeFile(path, '')
    const below = join(path, 'made', 'config')
    const error: unknown = await writeKubeconfig(below, contents).catch((thrown: unknown) => thrown)
    expect(error).to.include({ syscall: 'mkdir', code: 'ENOTDIR' })
  })

  it('refuses a path that is not a file', async () => {
    const error: unknown = await writeKubeconfig(folder, contents).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).to.have.property('message', `${folder} is not a file`)
  })
})
