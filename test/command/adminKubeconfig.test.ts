import { expect } from 'chai'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AdminKubeconfig } from '../../apiserver/command/adminKubeconfig.ts'
import { namesProfile } from '../../apiserver/meta/names/namesProfile.ts'

const contents = {
  ...{ baseUrl: 'https://localhost:8443', user: 'admin', token: 't' },
  ...{ caCertificate: 'first', names: namesProfile() },
}
const ca = (text: string) =>
  Buffer.from(/certificate-authority-data: "?([^"\n]+)/.exec(text)?.[1] ?? '', 'base64').toString()

describe('AdminKubeconfig', () => {
  let folder: string
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'))))
  after(() => rm(folder, { recursive: true }))

  it('writes its file again when clients have to trust another CA', async () => {
    const file = join(folder, 'changed')
    const admin = new AdminKubeconfig(file, contents)
    await admin.write()
    expect(ca(await readFile(file, 'utf8'))).to.equal('first')
    await admin.trust('second')
    expect(ca(await readFile(file, 'utf8'))).to.equal('second')
    expect(ca(admin.yaml())).to.equal('second')
  })

  it('leaves the file alone when the CA is the same', async () => {
    const file = join(folder, 'same')
    const admin = new AdminKubeconfig(file, contents)
    await admin.write()
    await rm(file)
    await admin.trust('first')
    expect(await readFile(file, 'utf8').catch(() => 'none')).to.equal('none')
  })
})
