import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeAssets } from '../../apiserver/kubeApiserver/envtest/writeAssets.ts'

const run = promisify(execFile)
const programs = { node: ['/bin/echo'], main: "/it's/main.js", etcd: '/etcd.js' }

describe('platform-apiserver envtest', () => {
  let folder: string
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'assets-'))))
  afterEach(() => rm(folder, { recursive: true }))

  it('writes programs that pass their arguments on, and does so again', async () => {
    for (let time = 0; time < 2; time++) await writeAssets(join(folder, 'bin'), programs, '')
    const server = await run(join(folder, 'bin/kube-apiserver'), ['--a b', '*'])
    const etcd = await run(join(folder, 'bin/etcd'), ['--c'])
    expect([server.stdout, etcd.stdout]).to.deep.equal([
      "/it's/main.js kube-apiserver --a b *\n",
      '/etcd.js --c\n',
    ])
  })

  it('links the kubectl of the search path', async () => {
    await mkdir(join(folder, 'path'))
    await writeFile(join(folder, 'path/kubectl'), '', { mode: 0o755 })
    const { kubectl } = await writeAssets(join(folder, 'bin'), programs, `/nowhere:${folder}/path`)
    const linked = await readlink(join(folder, 'bin/kubectl'))
    expect([kubectl, linked].map((path) => path?.endsWith('/path/kubectl'))).to.deep.equal([
      true,
      true,
    ])
  })

  it('writes a kubectl that reports what is missing', async () => {
    const { kubectl } = await writeAssets(folder, programs, folder)
    const failed = await run(join(folder, 'kubectl')).catch((error: unknown) => error)
    expect(kubectl).to.equal(undefined)
    expect(failed).to.include({
      code: 1,
      stderr:
        'kubectl was not found when this folder was written: install kubectl and run platform-apiserver envtest again\n',
    })
  })

  it('leaves the programs of others alone', async () => {
    await writeFile(join(folder, 'etcd'), 'the real one')
    const refused = await writeAssets(folder, programs, '').catch((error: Error) => error.message)
    expect(refused).to.equal(
      `${folder}/etcd exists and was not written by platform-apiserver envtest`,
    )
    expect(await readFile(join(folder, 'etcd'), 'utf8')).to.equal('the real one')
    await rm(join(folder, 'etcd'))
    await symlink('/bin/echo', join(folder, 'kube-apiserver'))
    const again = await writeAssets(folder, programs, '').catch((error: Error) => error.message)
    expect(again).to.contain('kube-apiserver exists and was not written')
  })
})
