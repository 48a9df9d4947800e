import type { Call } from '../../base/commandSpec.ts'
import { textAt, type ApiObject } from '../../base/apiObject.ts'
import type { ApiClient } from '../../client/apiClient.ts'
import { jsonIn } from '../../client/answers.ts'
import { isStatus } from '../../client/apiError.ts'
import { askSelf, type Self } from '../../client/self.ts'
import { openSession, type Session } from '../../client/session.ts'
import { formatOf, isTable } from '../../output/format.ts'
import { formatted } from '../../output/formatted.ts'

interface KeyState {
  name: string | undefined
  type: string | undefined
  /** RFC 3339; null: does not expire; undefined: unknown. */
  ends: string | null | undefined
}

/** Prints the server, its version, the user and the credential. */
export async function status(call: Call): Promise<void> {
  const format = await formatOf(call.flags)
  const session = await openSession(call)
  const { client } = session
  const [self, version] = await Promise.all([askSelf(client), versionOf(client)])
  const key = await keyOf(client, self)
  const found = {
    context: session.context ?? null,
    server: client.url,
    version,
    certificate: certificateOf(session),
    [self.kind]: self.name,
    teams: self.teams,
    accessKey: shownKey(key),
    scope: self.scope ?? null,
  }
  if (format.type === 'name') return call.terminal.out(`context/${session.context ?? ''}\n`)
  if (!isTable(format)) return call.terminal.out(await formatted(found, format))
  const lines: [string, string][] = [
    ['Context', session.context ?? 'from the environment'],
    ['Server', client.url],
    ['Version', version],
    ['Certificate', certificateOf(session)],
    [self.kind === 'team' ? 'Team' : 'User', self.name],
    ['Teams', self.teams.join(', ') || 'none'],
    ['Access key', keyText(key)],
    ['Scope', self.scope === undefined ? 'not restricted' : JSON.stringify(self.scope)],
  ]
  await call.terminal.out(
    lines.map(([name, value]) => `${`${name}:`.padEnd(13)} ${value}\n`).join(''),
  )
}

function shownKey({ name, type, ends }: KeyState): object {
  return { name: name ?? null, type: type ?? null, ends: ends ?? null }
}

function certificateOf({ server }: Session): string {
  if (server.insecure === true) return 'not verified'
  if (server.url.startsWith('http:')) return 'none: plain HTTP on this machine'
  return server.certificateAuthority === undefined ? 'verified' : 'verified with its own authority'
}

async function versionOf(client: ApiClient): Promise<string> {
  const answer = await client.send({ method: 'GET', path: '/version' })
  if (answer.status >= 300) return 'not told'
  const found = jsonIn(answer.text)
  return textAt(found, 'version') ?? textAt(found, 'gitVersion') ?? 'not told'
}

/** Key in use; its expiry is unknown to users who may not read keys. */
async function keyOf(client: ApiClient, self: Self): Promise<KeyState> {
  const state = { name: self.accessKey, type: self.accessKeyType }
  if (self.accessKey === undefined) return { ...state, ends: undefined }
  try {
    const key = await client.get({ plural: 'ownedaccesskeys' }, self.accessKey)
    return { ...state, ends: endOf(key) }
  } catch (error) {
    if (isStatus(error, 403, 404)) return { ...state, ends: undefined }
    throw error
  }
}

/** Expiry of an access key as RFC 3339; null: none. */
export function endOf({ metadata, spec, status }: ApiObject): string | null {
  const ttl = Number(spec?.['ttl'] ?? 0)
  if (ttl <= 0) return null
  const isFromActivity = spec?.['ttlAfterLastActivity'] === true
  const active = isFromActivity ? textAt(status, 'lastActivity') : undefined
  const start = Date.parse(active ?? metadata.creationTimestamp ?? '')
  return Number.isNaN(start) ? null : new Date(start + ttl * 1000).toISOString().replace('.000', '')
}

function keyText({ name, type, ends }: KeyState): string {
  if (name === undefined) return 'none: another credential'
  const end = ends === undefined ? 'end not known' : ends === null ? 'does not end' : `ends ${ends}`
  return `${name}${type === undefined ? '' : ` (${type})`}, ${end}`
}
