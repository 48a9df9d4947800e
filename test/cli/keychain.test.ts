import { expect } from 'chai'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { keychainsOf, type Keychains } from '../../cli/context/keychain.ts'

const value = 'a "key" with \\ and $HOME'

/** Tool that stores values in a folder, and records its arguments. */
const tool = `#!${process.execPath}
const fs = require('node:fs')
const [, , ...args] = process.argv
fs.appendFileSync(__dirname + '/arguments', args.join(' ') + '\\n')
const input = () => fs.readFileSync(0, 'utf8')
const file = (words) => __dirname + '/' + Buffer.from(words.join(' ')).toString('hex')
const set = (words, text) => fs.writeFileSync(file(words), text)
const get = (words) => {
  try { process.stdout.write(fs.readFileSync(file(words), 'utf8') + '\\n') } catch { process.exit(1) }
}
const clear = (words) => fs.rmSync(file(words), { force: true })
const name = require('node:path').basename(__filename)
`
const bodies: Readonly<Record<string, string>> = {
  'secret-tool': `
if (args[0] === 'store') set(args.slice(2), input())
if (args[0] === 'lookup') get(args.slice(1))
if (args[0] === 'clear') clear(args.slice(1))
`,
  pass: `
if (args[0] === 'insert') set(args.slice(3), input())
if (args[0] === 'show') get(args.slice(1))
if (args[0] === 'rm') clear(args.slice(2))
`,
  security: `
const words = args[0] === '-i' ? input().trim().match(/"(?:[^"\\\\]|\\\\.)*"|\\S+/g).map((word) => word.startsWith('"') ? word.slice(1, -1).replace(/\\\\(.)/g, '$1') : word) : args
const after = (flag) => words[words.indexOf(flag) + 1]
const of = [after('-s'), after('-a')]
if (words[0] === 'add-generic-password') set(of, after('-w'))
if (words[0] === 'find-generic-password') get(of)
if (words[0] === 'delete-generic-password') clear(of)
`,
  'powershell.exe': `
const script = Buffer.from(args[args.indexOf('-EncodedCommand') + 1], 'base64').toString('utf16le')
if (!script.includes('PasswordVault')) process.exit(2)
const { verb, service, account, value } = JSON.parse(input())
if (verb === 'set') set([service, account], value)
if (verb === 'get') get([service, account])
if (verb === 'delete') clear([service, account])
`,
}

describe('keychainsOf', function () {
  this.timeout(30_000)
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keychain-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const install = (name: string) => {
    const path = join(folder, name)
    writeFileSync(path, tool + bodies[name])
    chmodSync(path, 0o755)
  }
  const PATH = () => [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
  const withStore = () => {
    mkdirSync(join(folder, '.password-store'))
    writeFileSync(join(folder, '.password-store/.gpg-id'), 'me\n')
  }

  const cases: [
    what: string,
    name: string,
    place: keyof Keychains,
    platform: NodeJS.Platform,
    env: Record<string, string>,
  ][] = [
    [
      'the Secret Service of Linux',
      'secret-tool',
      'keychain',
      'linux',
      { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' },
    ],
    ['the password store of pass', 'pass', 'pass', 'linux', {}],
    ['Keychain of macOS', 'security', 'keychain', 'darwin', {}],
    ['Credential Locker of Windows', 'powershell.exe', 'keychain', 'win32', {}],
  ]
  for (const [what, name, place, platform, more] of cases)
    it(`stores, reads and deletes in ${what}, with the value in no argument`, async () => {
      install(name)
      if (place === 'pass') withStore()
      const env = { PATH: PATH(), HOME: folder, ...more }
      const keychain = keychainsOf('platform /home/me', env, platform)[place]
      expect(await keychain?.get('one')).to.equal(undefined)
      expect(await keychain?.set('one', value)).to.equal(true)
      expect(await keychain?.set('../two', 'other')).to.equal(true)
      expect([await keychain?.get('one'), await keychain?.get('../two')]).to.deep.equal([
        value,
        'other',
      ])
      await keychain?.delete('one')
      expect(await keychain?.get('one')).to.equal(undefined)
      const noted = readFileSync(join(folder, 'arguments'), 'utf8')
      expect([noted.includes(value), noted.includes('other')]).to.deep.equal([false, false])
    })

  it('has none on Linux without a session bus and a password store', () => {
    expect(keychainsOf('platform', { PATH: PATH(), HOME: folder }, 'linux')).to.deep.equal({})
    expect(keychainsOf('platform', { PATH: PATH() }, 'linux')).to.deep.equal({})
  })

  it('does not store where the tool is missing or fails', async () => {
    const env = { PATH: folder, HOME: folder, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }
    const { keychain } = keychainsOf('platform', env, 'linux')
    expect([await keychain?.set('a', 'b'), await keychain?.get('a')]).to.deep.equal([
      false,
      undefined,
    ])
  })
})
