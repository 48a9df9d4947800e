import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { removedSecretFiles, secretKeeper } from '../../../apiserver/runtime/files/secretFile.ts'

describe('secret files', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'secret-files-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const keys = join('pki', 'keys.json')

  it('are read as written', async () => {
    const keeper = secretKeeper(folder, keys)
    expect(await keeper.read()).to.equal(undefined)
    await keeper.replace(undefined, 'one')
    await keeper.replace(undefined, 'two')
    expect(await secretKeeper(folder, keys).read()).to.equal('two')
  })

  it('report once that they were removed', async () => {
    await secretKeeper(folder, keys).replace(undefined, 'one')
    await secretKeeper(folder, 'other').replace(undefined, 'two')
    expect(await removedSecretFiles(folder)).to.deep.equal([])
    await rm(join(folder, keys))
    expect(await removedSecretFiles(folder)).to.deep.equal([keys])
    expect(await removedSecretFiles(folder)).to.deep.equal([])
    expect(await readFile(join(folder, 'other'), 'utf8')).to.equal('two')
  })

  it('are empty in a new folder', async () => {
    expect(await removedSecretFiles(folder)).to.deep.equal([])
  })
})
