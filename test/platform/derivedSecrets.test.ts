import { expect } from 'chai'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DerivedSecrets } from '../../apiserver/platform/derivedSecrets.ts'
import { secretKeeper } from '../../apiserver/runtime/files/secretFile.ts'
import { FakeRandom } from '../support/fakes/fakeRandom.ts'

describe('DerivedSecrets', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'derived-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const kept = (seed: number) =>
    new DerivedSecrets(secretKeeper(folder, 'secret'), new FakeRandom(seed))

  it('writes nothing before its first use', async () => {
    kept(1)
    expect(await readdir(folder)).to.deep.equal([])
  })

  it('returns the same secret for the same purpose, also after a restart', async () => {
    const first = await kept(1).secretFor('cluster/1')
    expect(first).to.match(/^[0-9a-f]{64}$/)
    expect(await kept(2).secretFor('cluster/1')).to.equal(first)
  })

  it('derives a different secret for each purpose', async () => {
    const secrets = kept(1)
    const made = await Promise.all(['a', 'b', 'a'].map((purpose) => secrets.secretFor(purpose)))
    expect(new Set(made).size).to.equal(2)
  })

  it('stores the source readable by the owner of the folder only', async () => {
    const secret = await kept(1).secretFor('a')
    const path = join(folder, 'secret')
    expect((await stat(path)).mode & 0o777).to.equal(0o600)
    expect(await readFile(path, 'utf8')).not.to.contain(secret)
  })

  it('keeps it in memory without a folder', async () => {
    const keeper = secretKeeper(undefined, 'secret')
    const first = await new DerivedSecrets(keeper, new FakeRandom(1)).secretFor('a')
    expect(await new DerivedSecrets(keeper, new FakeRandom(2)).secretFor('a')).to.equal(first)
  })
})
