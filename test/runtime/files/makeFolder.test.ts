import { expect } from 'chai'
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { makeFolder } from '../../../apiserver/runtime/files/makeFolder.ts'
import { skip } from '../../support/skip.ts'

describe('makeFolder', () => {
  let base: string
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'folder-'))
  })
  afterEach(() => rm(base, { recursive: true }))

  const modeOf = async (path: string) => (await stat(path)).mode & 0o777
  const failure = (path: string): Promise<unknown> =>
    makeFolder(path, 0o700).catch((error: unknown) => error)

  it('creates missing parents too, with the mode', async () => {
    await makeFolder(join(base, 'a', 'b', 'c'), 0o700)
    expect(await modeOf(join(base, 'a'))).to.equal(0o700)
    expect(await modeOf(join(base, 'a', 'b', 'c'))).to.equal(0o700)
  })

  it('accepts a relative path, a trailing slash and repeated slashes', async () => {
    await makeFolder(`${relative(process.cwd(), base)}//a/b/`, 0o700)
    expect(await modeOf(join(base, 'a', 'b'))).to.equal(0o700)
  })

  it('leaves an existing folder unchanged, also behind a link, and the root', async () => {
    await symlink(base, join(base, 'link'))
    await makeFolder(join(base, 'a'), 0o750)
    await makeFolder(join(base, 'link', 'a'), 0o700)
    await makeFolder('/', 0o700)
    expect(await modeOf(join(base, 'a'))).to.equal(0o750)
  })

  it('may be called concurrently for the same folder', async () => {
    const path = join(base, 'a', 'b', 'c', 'd')
    await Promise.all(Array.from({ length: 20 }, () => makeFolder(path, 0o700)))
    expect((await stat(path)).isDirectory()).to.equal(true)
  })

  it('refuses a file in the place of the folder or a parent', async () => {
    const path = join(base, 'file')
    await writeFile(path, '')
    expect(await failure(path)).to.include({ code: 'EEXIST', path })
    expect(await failure(join(path, 'a', 'b'))).to.have.property('code', 'ENOTDIR')
  })

  it('refuses a dangling link', async () => {
    const path = join(base, 'link')
    await symlink(join(base, 'nowhere'), path)
    expect(await failure(join(path, 'a'))).to.include({ code: 'EEXIST', path })
  })

  const noProc = process.platform === 'linux' ? undefined : 'only Linux has /proc'
  it('refuses if the file system cannot have folders, naming the first missing one', async function () {
    if (noProc !== undefined) skip(this, noProc)
    const path = '/proc/of-platform'
    expect(await failure(path)).to.include({ code: 'ENOENT', path })
    expect(await failure(`${path}/a/b`)).to.include({ code: 'ENOENT', path })
  })
})
