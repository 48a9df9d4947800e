import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Credential store of the system. Values are passed on standard input, never in arguments. */
export interface Keychain {
  /** Stored value; undefined: none, or the keychain is locked or missing. */
  get(account: string): Promise<string | undefined>
  /** Reports whether the value was stored. */
  set(account: string, value: string): Promise<boolean>
  delete(account: string): Promise<void>
}

interface Ran {
  code: number | null
  stdout: string
}

/** Timeout of a tool that does not prompt. */
const limitMs = 10_000
/** Time for a user to unlock the password store. */
const unlockMs = 60_000

type Env = Readonly<Record<string, string | undefined>>

/** Usable keychains of this machine. `keychain` is the system's. */
export interface Keychains {
  keychain?: Keychain
  pass?: Keychain
}

/**
 * Keychains for a service: Secret Service on Linux, Keychain on macOS, Credential Locker on Windows; and the password
 * store of pass(1), if the user has one.
 */
export function keychainsOf(
  service: string,
  env: Env,
  platform: NodeJS.Platform = process.platform,
): Keychains {
  const keychain = systemKeychain(service, env, platform)
  const pass = hasPasswordStore(env) ? passwordStore(service, env) : undefined
  return { ...(keychain && { keychain }), ...(pass && { pass }) }
}

function systemKeychain(service: string, env: Env, platform: string): Keychain | undefined {
  if (platform === 'darwin') return macKeychain(service, env)
  if (platform === 'win32') return credentialLocker(service, env)
  // Without a session bus there is no Secret Service.
  return platform === 'linux' && env['DBUS_SESSION_BUS_ADDRESS']
    ? secretService(service, env)
    : undefined
}

function hasPasswordStore(env: Env): boolean {
  const folder =
    env['PASSWORD_STORE_DIR'] || (env['HOME'] ? join(env['HOME'], '.password-store') : '')
  return folder !== '' && existsSync(join(folder, '.gpg-id'))
}

/** Source: pass(1). */
function passwordStore(service: string, env: Env): Keychain {
  const of = (account: string) => `${encodeURIComponent(service)}/${encodeURIComponent(account)}`
  const tool = (args: string[], input = '') => runTool('pass', args, { input, env, unlockMs })
  return {
    get: async (account) => valueOf(await tool(['show', of(account)])),
    set: async (account, value) =>
      (await tool(['insert', '--multiline', '--force', of(account)], value)).code === 0,
    delete: async (account) => void (await tool(['rm', '--force', of(account)])),
  }
}

/** Script for PowerShell. Reads its input from standard input, so that no argument contains the value. */
const lockerScript = `$ErrorActionPreference = 'Stop'
$asked = [Console]::In.ReadToEnd() | ConvertFrom-Json
[void][Windows.Security.Credentials.PasswordVault, Windows.Security.Credentials, ContentType = WindowsRuntime]
$vault = New-Object Windows.Security.Credentials.PasswordVault
switch ($asked.verb) {
  'get' { [Console]::Out.Write($vault.Retrieve($asked.service, $asked.account).Password) }
  'set' { $vault.Add((New-Object Windows.Security.Credentials.PasswordCredential -ArgumentList $asked.service, $asked.account, $asked.value)) }
  'delete' { $vault.Remove($vault.Retrieve($asked.service, $asked.account)) }
}
`

/** Source: Windows, "PasswordVault Class", which Windows PowerShell reaches. */
function credentialLocker(service: string, env: Env): Keychain {
  const encoded = Buffer.from(lockerScript, 'utf16le').toString('base64')
  const flags = ['-NoProfile', '-NonInteractive', '-EncodedCommand', encoded]
  const tool = (verb: string, account: string, value?: string) => {
    const input = JSON.stringify({ verb, service, account, value })
    return runTool('powershell.exe', flags, { input, env })
  }
  return {
    get: async (account) => valueOf(await tool('get', account)),
    set: async (account, value) => (await tool('set', account, value)).code === 0,
    delete: async (account) => void (await tool('delete', account)),
  }
}

function secretService(service: string, env: Env): Keychain {
  const of = (account: string) => ['service', service, 'account', account]
  const tool = (args: string[], input = '') => runTool('secret-tool', args, { input, env })
  return {
    get: async (account) => valueOf(await tool(['lookup', ...of(account)])),
    set: async (account, value) => {
      const label = `--label=${service}: ${account}`
      return (await tool(['store', label, ...of(account)], value)).code === 0
    },
    delete: async (account) => void (await tool(['clear', ...of(account)])),
  }
}

/** `security -i` reads its commands, and so the value, from standard input. */
function macKeychain(service: string, env: Env): Keychain {
  const command = (line: string) => runTool('security', ['-i'], { input: `${line}\n`, env })
  const of = (account: string) => `-s ${quoted(service)} -a ${quoted(account)}`
  return {
    get: async (account) =>
      valueOf(
        await runTool('security', ['find-generic-password', '-s', service, '-a', account, '-w'], {
          env,
        }),
      ),
    set: async (account, value) =>
      (await command(`add-generic-password -U ${of(account)} -w ${quoted(value)}`)).code === 0,
    delete: async (account) => void (await command(`delete-generic-password ${of(account)}`)),
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

function valueOf({ code, stdout }: Ran): string | undefined {
  const value = stdout.replace(/\n$/, '')
  return code === 0 && value !== '' ? value : undefined
}

/** Runs a tool to completion; a missing or hanging tool counts as failed. */
function runTool(
  program: string,
  args: string[],
  { input = '', env, ...given }: { input?: string; env: Env; unlockMs?: number },
): Promise<Ran> {
  return new Promise((resolve) => {
    const timeout = given.unlockMs ?? limitMs
    const stdio = ['pipe', 'pipe', 'ignore'] as const
    const child = spawn(program, args, { stdio: [...stdio], timeout, env: { ...env } })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.on('error', () => resolve({ code: null, stdout: '' }))
    child.on('close', (code) => resolve({ code, stdout }))
    child.stdin.on('error', () => undefined).end(input)
  })
}
