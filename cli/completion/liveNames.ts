import type { Call, LiveNames } from '../base/commandSpec.ts'
import { Flags } from '../base/flags.ts'
import { listAt, textAt } from '../base/apiObject.ts'
import type { ApiClient, Place } from '../client/apiClient.ts'
import { askSelf, projectNamespace } from '../client/self.ts'
import { openSession } from '../client/session.ts'
import { readSettings } from '../context/settings.ts'

/** Maximum time that a completion may take. */
const patienceSeconds = '2s'

/** Names on the server, after the flags; none if they cannot be loaded in time. */
export async function liveNames(
  call: Call,
  live: LiveNames,
  given: ReadonlyMap<string, string>,
): Promise<string[]> {
  try {
    if (live === 'contexts') return Object.keys((await readSettings(call)).contexts)
    const flags = new Flags({ context: given.get('context'), requestTimeout: patienceSeconds })
    const { client, server } = await openSession({ ...call, flags })
    const project = given.get('project') ?? server.project
    return await namesOf(client, live, { project, isShared: given.get('project') === undefined })
  } catch {
    return []
  }
}

async function namesOf(
  client: ApiClient,
  live: Exclude<LiveNames, 'contexts'>,
  { project, isShared }: { project: string | undefined; isShared: boolean },
): Promise<string[]> {
  switch (live) {
    case 'projects':
    case 'clusters':
    case 'users':
    case 'teams':
      return listed(client, { plural: live })
    case 'templates':
      return listed(client, { plural: 'virtualclustertemplates' })
    case 'virtualclusters':
      return inProject(client, 'virtualclusterinstances', project)
    case 'spaces':
      return inProject(client, 'spaceinstances', project)
    case 'secrets':
      return isShared
        ? listed(client, { plural: 'sharedsecrets' })
        : inProject(client, 'projectsecrets', project)
    case 'accesskeys':
      return accessKeys(client)
  }
}

async function inProject(
  client: ApiClient,
  plural: string,
  project: string | undefined,
): Promise<string[]> {
  if (project === undefined) return listed(client, { plural })
  return listed(client, { plural, namespace: projectNamespace(await askSelf(client), project) })
}

async function listed(client: ApiClient, place: Place): Promise<string[]> {
  const { items } = await client.list(place)
  return [...new Set(items.map(({ metadata }) => metadata.name ?? ''))]
}

async function accessKeys(client: ApiClient): Promise<string[]> {
  const { kind, name } = await askSelf(client)
  const keys = await client.getBelow(
    { plural: kind === 'team' ? 'teams' : 'users' },
    name,
    'accesskeys',
  )
  return listAt(keys, 'accessKeys').flatMap((key) => textAt(key, 'metadata', 'name') ?? [])
}
