import type { Call } from '../../base/commandSpec.ts'
import { listAt, textAt, type ApiObject } from '../../base/apiObject.ts'
import type { ApiClient } from '../../client/apiClient.ts'
import { askSelf } from '../../client/self.ts'
import { openSession } from '../../client/session.ts'
import { formatOf, isTable } from '../../output/format.ts'
import { formatted } from '../../output/formatted.ts'
import { tableText } from '../../output/table.ts'
import { endOf } from '../session/status.ts'
import { scopeWords } from './scopeWords.ts'

/** Lists access keys of the user, or of another one. Key values cannot be read again. */
export async function listAccessKeys(call: Call): Promise<void> {
  const { flags, terminal } = call
  const format = await formatOf(flags)
  const { client } = await openSession(call)
  const keys = await keysOf(client, flags.string('user'), flags.string('team'))
  if (!isTable(format))
    return terminal.out(
      await formatted({ kind: 'List', apiVersion: 'v1', metadata: {}, items: keys }, format),
    )
  if (keys.length === 0) return terminal.say('No access keys found.')
  const rows = keys.map((key) => [
    key.metadata.name ?? '',
    textAt(key.spec, 'type') ?? '<none>',
    textAt(key.spec, 'displayName') ?? '<none>',
    key.spec?.['disabled'] === true ? 'disabled' : (endOf(key) ?? 'never'),
    textAt(key.status, 'lastActivity') ?? 'never',
    scopeWords(key.spec?.['scope']),
  ])
  const columns = ['Name', 'Type', 'Display name', 'Ends', 'Last activity', 'Scope']
  await terminal.out(tableText({ columns, rows }))
}

/** Keys of a user or a team, without their digests. Default: the caller. */
export async function keysOf(
  client: ApiClient,
  user: string | undefined,
  team: string | undefined,
): Promise<ApiObject[]> {
  const { plural, name } = await ownerOf(client, user, team)
  const answer = await client.getBelow({ plural }, name, 'accesskeys')
  // Sound: objects by the schema.
  return (listAt(answer, 'accessKeys') as ApiObject[]).map(({ spec = {}, ...key }) => {
    const { key: _, ...shown } = spec
    return { ...key, spec: shown }
  })
}

async function ownerOf(client: ApiClient, user: string | undefined, team: string | undefined) {
  if (user !== undefined) return { plural: 'users', name: user }
  if (team !== undefined) return { plural: 'teams', name: team }
  const self = await askSelf(client)
  return { plural: self.kind === 'team' ? 'teams' : 'users', name: self.name }
}
