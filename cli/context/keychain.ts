import { spawn } from 'node:child_process'

/** The system's store of credentials. Values are passed on standard input, never in arguments. */
export interface Keychain {
  /** The value; undefined: there is none, or the keychain is locked or missing. */
  get(account: string): Promise<string | undefined>
  /** Whether the value was stored. */
  set(account: string, value: string): Promise<boolean>
  delete(account: string): Promise<void>
}

interface Ran {
  code: number | null
  stdout: string
}

const limitMs = 5_000

/** The keychain of this system: Secret Service on Linux, Keychain on macOS; undefined: none that can be used. */
export function systemKeychain(
  service: string,
  env: Readonly<Record<string, string | undefined>>,
): Keychain | undefined {
  if (process.platform === 'darwin') return macKeychain(service, env)
  // Without a session bus there is no Secret Service to ask.
  const hasBus = process.platform === 'linux' && !!env['DBUS_SESSION_BUS_ADDRESS']
  return hasBus ? secretService(service, env) : undefined
}

function secretService(
  service: string,
  env: Readonly<Record<string, string | undefined>>,
): Keychain {
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
function macKeychain(service: string, env: Readonly<Record<string, string | undefined>>): Keychain {
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

/** Runs a tool to its end; one that is missing or hangs has failed. */
function runTool(
  program: string,
  args: string[],
  { input = '', env }: { input?: string; env: Readonly<Record<string, string | undefined>> },
): Promise<Ran> {
  return new Promise((resolve) => {
    const stdio = ['pipe', 'pipe', 'ignore'] as const
    const child = spawn(program, args, { stdio: [...stdio], timeout: limitMs, env: { ...env } })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.on('error', () => resolve({ code: null, stdout: '' }))
    child.on('close', (code) => resolve({ code, stdout }))
    child.stdin.on('error', () => undefined).end(input)
  })
}
