import { expect } from 'chai'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseCommandLine } from '../../../apiserver/command/config/commandLine.ts'
import { loadConfig } from '../../../apiserver/command/config/config.ts'
import { UsageError } from '../../../apiserver/command/config/usageError.ts'
import {
  defaultDelegation,
  type DelegationOptions,
} from '../../../apiserver/runtime/options/delegationOptions.ts'

const wanted: DelegationOptions = {
  clientCaFile: 'c',
  requestheaderClientCaFile: 'r',
  proxyClientCertFile: 'p',
  proxyClientKeyFile: 'k',
  requestheaderAllowedNames: ['a', 'b'],
  requestheaderUsernameHeaders: ['X-Remote-User', 'X-Who'],
  requestheaderUidHeaders: ['X-Remote-Uid'],
  requestheaderGroupHeaders: ['X-Team'],
  requestheaderExtraHeadersPrefix: ['X-More-'],
  authenticationKubeconfig: 'n',
  authenticationSkipLookup: true,
  authenticationTolerateLookupFailure: true,
  authenticationTokenTtlMs: 0,
  authorizationKubeconfig: 'z',
  authorizationAllowedTtlMs: 90_000,
  authorizationDeniedTtlMs: 500,
}
const values: [path: string, text: string][] = [
  ['clientCaFile', 'c'],
  ['requestheader.clientCaFile', 'r'],
  ['proxyClient.certFile', 'p'],
  ['proxyClient.keyFile', 'k'],
  ['requestheader.allowedNames', 'a,b'],
  ['requestheader.usernameHeaders', 'X-Remote-User, X-Who'],
  ['requestheader.uidHeaders', 'X-Remote-Uid'],
  ['requestheader.groupHeaders', 'X-Team'],
  ['requestheader.extraHeadersPrefix', 'X-More-'],
  ['authentication.kubeconfig', 'n'],
  ['authentication.skipLookup', 'true'],
  ['authentication.tolerateLookupFailure', 'true'],
  ['authentication.tokenWebhookCacheTtl', '0'],
  ['authorization.kubeconfig', 'z'],
  ['authorization.webhookCacheAuthorizedTtl', '1m30s'],
  ['authorization.webhookCacheUnauthorizedTtl', '500ms'],
]
const flagOf = (path: string) =>
  `--${path.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

describe('settings for delegated authentication', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  after(() => rmSync(folder, { recursive: true }))

  const load = async (flags: string[], env: Record<string, string> = {}) =>
    (await loadConfig(parseCommandLine(['serve', ...flags]), env)).delegation

  it('are off by default', async () => {
    expect(await load([])).to.deep.equal(defaultDelegation)
  })

  it('are flags', async () => {
    expect(await load(values.map(([path, text]) => `${flagOf(path)}=${text}`))).to.deep.equal(
      wanted,
    )
  })

  it('are variables', async () => {
    const name = (path: string) =>
      `PLATFORM_${flagOf(path).slice(2).replaceAll('-', '_').toUpperCase()}`
    const env = Object.fromEntries(values.map(([path, text]) => [name(path), text]))
    expect(await load([], env)).to.deep.equal(wanted)
  })

  it('are keys of the file, switches as YAML booleans', async () => {
    const group = (prefix: string) =>
      values
        .filter(([path]) => path.startsWith(`${prefix}.`))
        .map(([path, text]) => `  ${path.slice(prefix.length + 1)}: ${text}\n`)
    const groups = ['proxyClient', 'requestheader', 'authentication', 'authorization']
    const text = groups.map((prefix) => `${prefix}:\n${group(prefix).join('')}`).join('')
    const file = join(folder, 'settings.yaml')
    writeFileSync(file, `clientCaFile: c\n${text}`)
    expect(await load(['--config', file])).to.deep.equal(wanted)
  })

  it('a switch needs no value', async () => {
    const flags = ['--authentication-skip-lookup', '--authentication-tolerate-lookup-failure=false']
    const { authenticationSkipLookup, authenticationTolerateLookupFailure } = await load(flags)
    expect([authenticationSkipLookup, authenticationTolerateLookupFailure]).to.deep.equal([
      true,
      false,
    ])
  })

  const refused: [flag: string, why: string][] = [
    ['--authentication-skip-lookup=yes', 'must be true or false; it is "yes"'],
    [
      '--authorization-webhook-cache-authorized-ttl=10',
      'must be a duration such as 10s, 1m30s or 0',
    ],
    ['--requestheader-group-headers=a b', 'must be names of HTTP headers'],
    ['--requestheader-allowed-names=a,,b', 'must be words separated by commas'],
    ['--tls-san=a_b', 'must be DNS names and IP addresses'],
    ['--requestheader-uid-headers=X-Uid', 'must have X-Remote-Uid among them'],
  ]
  for (const [flag, why] of refused) {
    it(`refuses ${flag}`, async () => {
      const error: unknown = await load([flag]).catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(UsageError)
      expect(String(error)).to.include(why)
    })
  }
})
