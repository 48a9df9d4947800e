import { expect } from 'chai'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { refuses, template } from '../values.ts'
import { DiskFolder } from './diskFolder.ts'

describe('LevelStorage with an identity', () => {
  let folder: DiskFolder
  beforeEach(async () => {
    folder = await DiskFolder.make()
  })
  afterEach(() => folder.remove())

  const make = async (identity?: Record<string, string>): Promise<void> => {
    const storage = await folder.open(identity && { identity })
    await storage.create('/a', template('one'))
    await storage.close()
  }
  const marker = () => readFile(folder.path('format.json'), 'utf8')

  it('stores it in the folder, which opens again for the same one', async () => {
    await make({ group: 'a', word: 'b' })
    expect(await marker()).to.equal(
      '{"formatVersion":2,"keepsAcknowledged":true,"identity":{"group":"a","word":"b"}}\n',
    )
    const storage = await folder.open({ identity: { word: 'b', group: 'a' } })
    expect(storage.revision).to.equal(1)
  })

  it('refuses another: OtherIdentity with both, and changes nothing', async () => {
    await make({ group: 'a', word: 'b', same: 'c' })
    const before = await folder.contents()
    const identity = { group: 'x', word: 'y"', same: 'c' }
    const error = await refuses(() => folder.open({ identity }), 'OtherIdentity')
    expect(error.message).to.equal(
      `the folder of ${folder.path('format.json')} was made with other settings, and is left as it is: ` +
        'group was "a" and is "x", word was "b" and is "y\\""',
    )
    expect(await folder.contents()).to.deep.equal(before)
  })

  it('accepts a folder without one, and stores it', async () => {
    await make()
    await rm(folder.path('acknowledged'))
    await writeFile(folder.path('format.json'), '{"formatVersion":2}\n')
    await (await folder.open({ identity: { group: 'a' } })).close()
    expect(await marker()).to.equal(
      '{"formatVersion":2,"keepsAcknowledged":true,"identity":{"group":"a"}}\n',
    )
    await refuses(() => folder.open({ identity: { group: 'b' } }), 'OtherIdentity')
  })

  it('adds fields of a newer server, and keeps those of an older one', async () => {
    await make({ old: '1', both: '2' })
    await (await folder.open({ identity: { both: '2', new: '3' } })).close()
    expect(await marker()).to.equal(
      '{"formatVersion":2,"keepsAcknowledged":true,"identity":{"old":"1","both":"2","new":"3"}}\n',
    )
  })

  it('writes nothing into a damaged folder without one', async () => {
    await make()
    await writeFile(folder.path('db', 'CURRENT'), 'nonsense')
    const before = await marker()
    await refuses(() => folder.open({ identity: { group: 'a' } }), 'Corrupt')
    expect(await marker()).to.equal(before)
  })

  it('leaves a folder that another process has locked', async () => {
    await folder.open()
    await refuses(() => folder.open({ identity: { group: 'a' } }), 'Locked')
    expect(await marker()).to.equal('{"formatVersion":2,"keepsAcknowledged":true}\n')
  })

  it('checks again under the lock, since another process may have created the folder', async () => {
    await make({ group: 'a' })
    const { openFolder } = await import('../../../apiserver/storage/level/folder/openFolder.ts')
    const text = await marker()
    await rm(folder.path('format.json'))
    // The folder gets a marker after this opener has found none, and before it gets the lock.
    const openDatabase = async (location: string | undefined) => {
      await writeFile(folder.path('format.json'), text)
      return openFolder(location ?? '')
    }
    const options = { identity: { group: 'b' }, openDatabase }
    await refuses(() => folder.open(options), 'OtherIdentity')
    expect((await folder.open({ identity: { group: 'a' } })).revision).to.equal(1)
  })
})
