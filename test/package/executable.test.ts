import { expect } from 'chai'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveOf, filesIn } from '../../hack/package/executable/archive.ts'
import { programFiles } from '../../hack/package/executable/programFiles.ts'
import { unpacked } from '../../hack/package/executable/unpack.ts'

const files = [
  { path: 'dist/main.js', content: Buffer.from('main') },
  { path: 'load.cjs', content: Buffer.from('') },
  { path: 'dist/wasm/öne.wasm', content: Buffer.from([0, 255, 1]) },
]

describe('archiveOf', () => {
  it('holds every file as it was', () => {
    expect(filesIn(archiveOf(files))).to.deep.equal(files)
  })
})

describe('programFiles', () => {
  let dist = ''

  before(() => {
    dist = mkdtempSync(join(tmpdir(), 'dist-'))
    for (const name of ['main.js', 'main.js.map', 'main.d.ts']) writeFileSync(join(dist, name), '')
  })

  after(() => {
    rmSync(dist, { recursive: true })
  })

  it('holds the machine code of one platform, and no sources of it', () => {
    const target = { system: 'linux', processor: 'arm64', runtime: '' } as const
    const paths = programFiles(target, ['classic-level'], dist).map(({ path }) => path)
    const code = paths.filter((path) => path.endsWith('.node'))
    expect(code).to.not.equal([])
    expect(code.filter((path) => !path.includes('/linux-arm64/'))).to.deep.equal([])
    expect(paths.filter((path) => /\.(cc|cpp|map|d\.ts)$/.test(path))).to.deep.equal([])
    expect(paths).to.include.members([
      'package.json',
      'load.cjs',
      join(dist, 'main.js'),
      'node_modules/classic-level/index.js',
    ])
  })

  it('is refused for a platform without machine code', () => {
    const target = { system: 'win32', processor: 'arm64', runtime: '' } as const
    const make = () => programFiles(target, ['classic-level'], dist)
    expect(make).to.throw('no LevelDB for win32 on arm64')
  })
})

describe('unpacked', () => {
  const before = { ...process.env }
  let cache = ''
  const folder = () => join(cache, 'platform-apiserver/program/1.0.0')
  const temporaries: string[] = []
  const unpack = () => {
    const found = unpacked(files, '1.0.0')
    if (found.isTemporary) temporaries.push(found.folder)
    return found
  }
  const expectWhole = (at: string) => {
    for (const { path, content } of files)
      expect(readFileSync(join(at, path))).to.deep.equal(content)
  }
  beforeEach(() => {
    cache = mkdtempSync(join(tmpdir(), 'unpacked-'))
    process.env['XDG_CACHE_HOME'] = cache
  })
  afterEach(() => {
    process.env = { ...before }
    for (const each of [cache, ...temporaries.splice(0)]) rmSync(each, { recursive: true })
  })

  it('puts files into the cache once, closed to others', () => {
    expect(unpack()).to.deep.equal({ folder: folder(), isTemporary: false })
    expectWhole(folder())
    const { ino, mode } = lstatSync(join(folder(), 'load.cjs'))
    expect([mode & 0o777, lstatSync(folder()).mode & 0o777]).to.deep.equal([0o600, 0o700])
    unpack()
    expect(lstatSync(join(folder(), 'load.cjs')).ino).to.equal(ino)
  })

  const damages: [what: string, damage: () => void][] = [
    ['a file that is gone', () => rmSync(join(folder(), 'load.cjs'))],
    ['a file that was cut', () => truncateSync(join(folder(), 'dist/main.js'), 1)],
    ['a file that others may write', () => chmodSync(join(folder(), 'dist/main.js'), 0o622)],
  ]
  for (const [what, damage] of damages)
    it(`unpacks again after ${what}`, () => {
      unpack()
      damage()
      expect(unpack()).to.deep.equal({ folder: folder(), isTemporary: false })
      expectWhole(folder())
    })

  const strange: [what: string, put: () => void][] = [
    [
      'a folder that others may write',
      () => {
        mkdirSync(folder(), { recursive: true })
        writeFileSync(join(folder(), 'theirs'), '')
        chmodSync(folder(), 0o777)
      },
    ],
    [
      'a symbolic link',
      () => {
        mkdirSync(join(cache, 'platform-apiserver/program'), { recursive: true })
        mkdirSync(join(cache, 'elsewhere'), { mode: 0o700 })
        symlinkSync(join(cache, 'elsewhere'), folder())
      },
    ],
    [
      'no folder at all, since the cache is a file',
      () => {
        writeFileSync(join(cache, 'platform-apiserver'), '')
      },
    ],
  ]
  for (const [what, put] of strange)
    it(`does not use ${what}, but a temporary folder`, () => {
      put()
      const found = unpack()
      expect(found.isTemporary).to.equal(true)
      expectWhole(found.folder)
      expect(existsSync(join(cache, 'elsewhere/load.cjs'))).to.equal(false)
    })
})
