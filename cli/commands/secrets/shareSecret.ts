import type { Call } from '../../base/commandSpec.ts'
import { listAt, type ApiObject } from '../../base/apiObject.ts'
import { CliError, exitCodes, usageError } from '../../base/cliError.ts'
import { changeObject } from '../../client/changeObject.ts'
import { openSession } from '../../client/session.ts'
import { findSecret } from './findSecret.ts'

interface AccessEntry {
  name?: string
  verbs?: string[]
  subresources?: string[]
  users?: string[]
  teams?: string[]
}

/** Grants users and teams access to a secret, or revokes it. */
export async function shareSecret(call: Call): Promise<void> {
  const { flags, args, terminal } = call
  const users = flags.list('user')
  const teams = flags.list('team')
  if (users.length + teams.length === 0)
    throw usageError('nobody to share with', 'Give --user or --team.')
  const given = flags.list('verb')
  const verbs = given.length === 0 ? ['get'] : given
  const session = await openSession(call)
  const { object, place } = await findSecret(call, session, args[0] ?? '')
  const { name = '' } = object.metadata
  await changeObject(session.client, { place, name }, (found) => {
    if (found === undefined)
      throw new CliError(`the secret "${name}" was deleted`, { code: exitCodes.notFound })
    const access = accessOf(found)
    const next = flags.is('remove')
      ? taken(access, users, teams)
      : shared(access, { verbs, users, teams })
    return { ...found, spec: { ...found.spec, access: next } }
  })
  const whom = [
    ...users.map((user) => `user ${user}`),
    ...teams.map((team) => `team ${team}`),
  ].join(', ')
  terminal.say(
    flags.is('remove')
      ? `Took access to ${place.namespace}/${name} from ${whom}.`
      : `Shared ${place.namespace}/${name} with ${whom}: ${verbs.join(', ')}.`,
  )
}

function accessOf({ spec }: ApiObject): AccessEntry[] {
  // Sound by the schema.
  return listAt(spec, 'access') as AccessEntry[]
}

/** Access with one more entry, or with the entry of the same verbs extended. */
function shared(
  access: readonly AccessEntry[],
  { verbs, users, teams }: Required<Pick<AccessEntry, 'verbs' | 'users' | 'teams'>>,
): AccessEntry[] {
  const wanted = [...verbs].sort().join()
  const index = access.findIndex(
    (entry) =>
      [...(entry.verbs ?? [])].sort().join() === wanted && (entry.subresources ?? []).length === 0,
  )
  const known = access[index] ?? { verbs }
  const entry = {
    ...known,
    ...members('users', [...(known.users ?? []), ...users]),
    ...members('teams', [...(known.teams ?? []), ...teams]),
  }
  return index < 0 ? [...access, entry] : access.with(index, entry)
}

function members(field: 'users' | 'teams', names: readonly string[]): AccessEntry {
  return names.length === 0 ? {} : { [field]: [...new Set(names)] }
}

/** Access without these users and teams; entries without any subject are dropped. */
function taken(
  access: readonly AccessEntry[],
  users: readonly string[],
  teams: readonly string[],
): AccessEntry[] {
  return access
    .map((entry) => ({
      ...entry,
      users: (entry.users ?? []).filter((user) => !users.includes(user)),
      teams: (entry.teams ?? []).filter((team) => !teams.includes(team)),
    }))
    .filter((entry) => entry.users.length + entry.teams.length > 0)
}
