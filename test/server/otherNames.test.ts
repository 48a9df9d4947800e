import { expect } from 'chai'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NamesProfile } from '../../apiserver/meta/names/namesProfile.ts'
import { startServer } from '../../apiserver/server.ts'
import { clientOf, users } from '../endpoints/support/testServer.ts'

describe('a folder created with other names', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'names-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  const start = (names: Partial<NamesProfile>) =>
    startServer({ dataDir, names, securePort: 0, insecurePort: 0, logLevel: 'silent' })
  const filesOf = async () => {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    const paths = files.map((file) => join(file.parentPath, file.name)).sort()
    return Promise.all(paths.map(async (path) => [path, await readFile(path, 'hex')]))
  }

  it('is refused unchanged, naming both; and opens with its own', async () => {
    await (await start({ domain: 'acme.dev' })).stop()
    const before = await filesOf()
    const error: unknown = await start({}).catch((thrown: unknown) => thrown)
    expect(error).to.include({
      code: 'OtherIdentity',
      message: `the folder of ${dataDir}/format.json was made with other settings, and is left as it is: names.domain was "acme.dev" and is "platform"`,
    })
    expect(await filesOf()).to.deep.equal(before)
    await (await start({ domain: 'acme.dev' })).stop()
  })

  it('opens with another path segment, which is not stored', async () => {
    const first = await start({ proxySegment: 'one' })
    await first.stop()
    const second = await start({ proxySegment: 'two' })
    const { status } = await clientOf(second).get(users.replace('/kubernetes/', '/two/'))
    await second.stop()
    expect([status, second.adminAccessKey]).to.deep.equal([200, first.adminAccessKey])
  })
})
