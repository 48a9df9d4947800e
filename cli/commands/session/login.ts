import { join } from 'node:path'
import type { Call } from '../../base/commandSpec.ts'
import { CliError, usageError } from '../../base/cliError.ts'
import { underLock } from '../../base/privateFile.ts'
import { variable } from '../../base/program.ts'
import { ApiClient } from '../../client/apiClient.ts'
import { ApiError } from '../../client/apiError.ts'
import { askSelf, type Self } from '../../client/self.ts'
import { chosenContext, normalUrl } from '../../client/session.ts'
import type { Transport } from '../../client/transport.ts'
import { Credentials } from '../../context/credentials.ts'
import { settingsFolder } from '../../context/folders.ts'
import { namesOf } from '../../context/platformNames.ts'
import { changeSettings, readSettings, type ServerContext } from '../../context/settings.ts'
import { accessKeyIn, loginInBrowser, loginWithCode } from '../../login/browserLogin.ts'
import { reachServer } from '../../login/serverTrust.ts'
import { endLogin } from './logout.ts'

/** Logs in to a server, and makes it the current context. */
export async function login(call: Call): Promise<void> {
  const { terminal, program } = call
  const url = await urlOf(call)
  const known = await knownContext(call, url)
  const { transport, info, trust } = await reachServer(call, url, known)
  const names = namesOf(info, program.name)
  const accessKey = await accessKeyOf(call, transport, info.methods?.cli !== undefined)
  const self = await askSelf(new ApiClient({ transport, names, accessKey }))
  const { name, replaced } = await store(call, accessKey, {
    url,
    names,
    user: self.name,
    ...(self.accessKey === undefined ? {} : { accessKey: self.accessKey }),
    ...(trust.certificateAuthority === undefined
      ? {}
      : { certificateAuthority: trust.certificateAuthority }),
    ...(trust.insecure === true ? { insecure: true } : {}),
    ...(known?.project === undefined ? {} : { project: known.project }),
  })
  // Otherwise the earlier login could never be ended.
  if (replaced !== undefined)
    await endLogin(call, replaced.server, replaced.accessKey).catch(() => undefined)
  terminal.say(`Logged in to ${url} as ${who(self)}. Context: ${name}.`)
  if (trust.insecure === true)
    terminal.err('Warning: the certificate of this server is not verified.')
}

/** Context that the login replaces, if it belongs to the same server. */
async function knownContext(call: Call, url: string): Promise<ServerContext | undefined> {
  const { contexts } = await readSettings(call)
  const earlier = contexts[call.flags.string('name') ?? nameOf(url, contexts)]
  return earlier?.url === url ? earlier : undefined
}

interface Stored {
  name: string
  /** Previously stored login. */
  replaced: { server: ServerContext; accessKey: string } | undefined
}

/**
 * Stores a login. Concurrent logins are serialized: neither takes the name nor leaves behind the credential of the
 * other.
 */
async function store(
  call: Call,
  accessKey: string,
  server: Omit<ServerContext, 'credential'>,
): Promise<Stored> {
  return underLock(join(settingsFolder(call), 'login'), async () => {
    const { contexts } = await readSettings(call)
    const name = call.flags.string('name') ?? nameOf(server.url, contexts)
    const replaced = await storedLogin(call, name, contexts[name])
    const credential = await new Credentials(call).set(name, accessKey)
    await changeSettings(call, (settings) => {
      settings.contexts[name] = { ...server, credential }
      settings.currentContext = name
    })
    return { name, replaced: replaced?.accessKey === accessKey ? undefined : replaced }
  })
}

async function urlOf(call: Call): Promise<string> {
  const given = call.args[0] ?? variable(call.program, call.env, 'URL')
  if (call.flags.is('accessKey') && given !== undefined && !/[.:/]|^localhost$/.test(given))
    throw usageError(
      'an access key cannot be an argument, which other users of this machine could see',
      'Pipe it in: $program login URL --access-key < FILE',
    )
  if (given !== undefined) return normalUrl(given)
  try {
    return (await chosenContext(call)).server.url
  } catch {
    throw usageError(
      'no server given',
      'Give its address: $program login https://platform.example.com',
    )
  }
}

/** Name of a server's context: its existing one, otherwise its host, with a number if another server has that name. */
function nameOf(url: string, contexts: Readonly<Record<string, ServerContext>>): string {
  const known = Object.entries(contexts).find(([, context]) => context.url === url)
  if (known !== undefined) return known[0]
  const { hostname } = new URL(url)
  const free = (name: string) => contexts[name] === undefined
  let name = hostname
  for (let count = 2; !free(name); count++) name = `${hostname}-${count}`
  return name
}

async function accessKeyOf(
  call: Call,
  transport: Transport,
  hasClientLogin: boolean,
): Promise<string> {
  const { flags, terminal, env, program } = call
  if (flags.is('accessKey')) return givenKey(call)
  const username = flags.string('username')
  if (username !== undefined || flags.is('passwordStdin'))
    return passwordLogin(call, transport, username)
  const fromEnvironment = variable(program, env, 'ACCESS_KEY')
  if (fromEnvironment !== undefined) return fromEnvironment
  if (!hasClientLogin) {
    const hint = 'Create an access key on its pages, and use --access-key.'
    throw new CliError('this server has no login for command-line clients', { hint })
  }
  if (flags.isOff('browser')) return loginWithCode(call, transport)
  if (!terminal.isInteractive && !env['BROWSER'])
    throw usageError(
      'cannot open a browser without a terminal',
      'Use --access-key or --password-stdin, or set the URL and the access key in the environment.',
    )
  return loginInBrowser(call, transport)
}

/** Access key, typed or piped: never an argument, which other users of the machine could see. */
async function givenKey({ terminal, env, program }: Call): Promise<string> {
  const fromEnvironment = variable(program, env, 'ACCESS_KEY')
  if (fromEnvironment !== undefined) return fromEnvironment
  const typed = terminal.isInteractive
    ? await terminal.ask('Access key: ', { isHidden: true })
    : (await terminal.readAll('access key')).toString('utf8')
  const key = typed.trim()
  if (key === '') throw usageError('the access key is empty')
  if (/\s/.test(key)) throw usageError('an access key is one word')
  return key
}

async function passwordLogin(
  { flags, terminal }: Call,
  transport: Transport,
  username: string | undefined,
): Promise<string> {
  if (username === undefined)
    throw usageError(
      '--password-stdin needs --username',
      'Name the user: --username NAME --password-stdin.',
    )
  const password = flags.is('passwordStdin')
    ? (await terminal.readAll('password')).toString('utf8').replace(/\r?\n$/, '')
    : await terminal.ask(`Password of ${username}: `, { isHidden: true })
  const body = { username, password }
  const answer = await transport.send({ method: 'POST', path: '/auth/password/login', body })
  if (answer.status >= 300) throw new ApiError(answer)
  return accessKeyIn(answer.text)
}

/** Login of a context; undefined: none, or its credential can no longer be read. */
async function storedLogin(
  call: Call,
  name: string,
  server: ServerContext | undefined,
): Promise<Stored['replaced']> {
  if (server === undefined) return undefined
  const accessKey = await new Credentials(call).get(name, server.credential).catch(() => undefined)
  return accessKey === undefined ? undefined : { server, accessKey }
}

function who({ kind, name }: Self): string {
  return kind === 'team' ? `team ${name}` : name
}
