import type { Call } from '../base/commandSpec.ts'
import { CliError, exitCodes, usageError } from '../base/cliError.ts'
import { programVersion, variable } from '../base/program.ts'
import { Credentials } from '../context/credentials.ts'
import { namesOf, type LoginInfo, type PlatformNames } from '../context/platformNames.ts'
import { readSettings, type ServerContext, type Settings } from '../context/settings.ts'
import { ApiClient } from './apiClient.ts'
import { jsonIn } from './answers.ts'
import { ApiError } from './apiError.ts'
import { proxyFor } from './proxy.ts'
import { Transport, type Trust } from './transport.ts'
import { Verbosity } from './verbosity.ts'

const defaultTimeoutSeconds = 60

/** Server with the credential to use. */
export interface Session {
  /** Name of the stored context; undefined: from the environment. */
  context: string | undefined
  server: Pick<ServerContext, 'url' | 'names' | 'certificateAuthority' | 'insecure' | 'project'>
  client: ApiClient
}

/**
 * Session of a command: `--context`, otherwise the environment (`…_URL` and `…_ACCESS_KEY`), otherwise the current
 * context.
 * @throws CliError if there is no login.
 */
export async function openSession(call: Call): Promise<Session> {
  const { program, env, flags } = call
  const url = variable(program, env, 'URL')
  const key = variable(program, env, 'ACCESS_KEY')
  if (url !== undefined && flags.string('context') === undefined)
    return sessionOfEnvironment(call, normalUrl(url), key)
  const { name, server } = await chosenContext(call)
  const stored = await new Credentials(call).get(name, server.credential)
  const accessKey = flags.string('context') === undefined ? (key ?? stored) : stored
  if (accessKey === undefined) throw notLoggedIn(`you are logged out of "${name}"`, server.url)
  return { context: name, server, client: clientOf(call, server, accessKey) }
}

/** Context of `--context`, or the current one. @throws CliError. */
export async function chosenContext(call: Call): Promise<{ name: string; server: ServerContext }> {
  const settings = await readSettings(call)
  const name = call.flags.string('context') ?? settings.currentContext
  if (name === undefined) throw notLoggedIn('not logged in')
  const server = settings.contexts[name]
  if (server === undefined) throw unknownContext(name, settings)
  return { name, server }
}

export function unknownContext(name: string, { contexts }: Settings): CliError {
  const known = Object.keys(contexts)
  const hint =
    known.length === 0
      ? 'Log in first: $program login URL'
      : `Contexts: ${known.join(', ')}. "$program login URL" adds one.`
  return new CliError(`there is no context "${name}"`, { code: exitCodes.notFound, hint })
}

function notLoggedIn(message: string, url = 'URL'): CliError {
  return new CliError(message, {
    code: exitCodes.unauthenticated,
    hint: `Log in with "$program login ${url}".`,
  })
}

async function sessionOfEnvironment(
  call: Call,
  url: string,
  accessKey: string | undefined,
): Promise<Session> {
  const { program, env } = call
  if (accessKey === undefined) {
    const upper = program.name.toUpperCase()
    const hint = `Set ${upper}_ACCESS_KEY, or unset ${upper}_URL to use a stored login.`
    const code = exitCodes.unauthenticated
    throw new CliError(`${upper}_URL is set without an access key`, { code, hint })
  }
  const { readFile } = await import('node:fs/promises')
  const file = variable(program, env, 'CA_FILE')
  const trust: Trust = {
    certificateAuthority: file === undefined ? undefined : await readFile(file, 'utf8'),
    insecure: variable(program, env, 'INSECURE') === 'true',
  }
  const transport = transportOf(call, url, trust)
  const names = namesOf(await loginInfo(transport), program.name)
  const project = variable(program, env, 'PROJECT')
  const server = {
    url,
    names,
    ...(trust.certificateAuthority === undefined
      ? {}
      : { certificateAuthority: trust.certificateAuthority }),
    ...(trust.insecure === true ? { insecure: true } : {}),
    ...(project === undefined ? {} : { project }),
  }
  return { context: undefined, server, client: clientOn(call, { transport, names, accessKey }) }
}

/** Login methods and names of a server. @throws CliError if it is not such a server. */
export async function loginInfo(transport: Transport): Promise<LoginInfo> {
  const answer = await transport.send({ method: 'GET', path: '/auth/info' })
  if (answer.status >= 300) {
    if (answer.status !== 404) throw new ApiError(answer)
    const hint = 'Give the base address of the platform, as in a browser.'
    throw new CliError(`${transport.options.url} is not a platform: it has no /auth/info`, { hint })
  }
  const info = jsonIn(answer.text)
  // Sound: missing fields have defaults, and names are checked where they are used.
  if (typeof info === 'object' && info !== null) return info
  const hint = 'Give the base address of the platform, as in a browser.'
  throw new CliError(`${transport.options.url} is not a platform`, { hint })
}

export function transportOf(call: Call, url: string, trust: Trust): Transport {
  const { program, env, flags, terminal, signal } = call
  return new Transport({
    url,
    ...trust,
    userAgent: `${program.name}/${programVersion()} (${process.platform}/${process.arch})`,
    timeoutSeconds: flags.seconds('requestTimeout') ?? defaultTimeoutSeconds,
    signal,
    proxy: proxyFor(url, env),
    warn: (text) => terminal.say(`Warning: ${text}`),
    verbosity: new Verbosity(flags.string('verbosity'), (line) => terminal.err(line)),
  })
}

export function clientOf(
  call: Call,
  { url, names, certificateAuthority, insecure }: Session['server'],
  accessKey: string | undefined,
): ApiClient {
  const transport = transportOf(call, url, { certificateAuthority, insecure })
  return clientOn(call, { transport, names, accessKey })
}

function clientOn(
  { flags }: Call,
  given: { transport: Transport; names: PlatformNames; accessKey: string | undefined },
): ApiClient {
  const as = flags.string('as')
  const asGroups = flags.each('asGroup')
  if (as === undefined && asGroups.length > 0)
    throw usageError(
      '--as-group needs --as',
      'Name the user to act as: --as USER --as-group GROUP.',
    )
  return new ApiClient({ ...given, as, asGroups })
}

/** Base URL with the default scheme `https://`, without a trailing slash. @throws CliError usage. */
export function normalUrl(given: string): string {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`
  if (!URL.canParse(full))
    throw usageError(
      `"${given}" is not an address`,
      'Give one such as https://platform.example.com.',
    )
  const { protocol, origin, pathname, username, hostname } = new URL(full)
  if (username !== '')
    throw usageError('an address cannot contain a user', 'Leave out the part before @.')
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere))
    throw usageError(`"${given}" is not an https address`, 'Credentials are sent over https only.')
  return origin + pathname.replace(/\/+$/, '')
}
