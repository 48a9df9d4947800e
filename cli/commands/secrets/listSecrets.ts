import type { Call } from '../../base/commandSpec.ts'
import { at, type ApiObject } from '../../base/apiObject.ts'
import type { ApiClient, Place } from '../../client/apiClient.ts'
import { isStatus } from '../../client/apiError.ts'
import { askSelf, projectNamespace } from '../../client/self.ts'
import { openSession } from '../../client/session.ts'
import { formatOf, isTable } from '../../output/format.ts'
import { formatted } from '../../output/formatted.ts'
import { tableText } from '../../output/table.ts'
import { projectSecrets, sharedSecrets } from './findSecret.ts'

/**
 * Lists shared secrets, or secrets of projects. Values are omitted unless `--show-values` is given.
 */
export async function listSecrets(call: Call): Promise<void> {
  const { flags, terminal } = call
  const format = await formatOf(flags)
  const { client } = await openSession(call)
  const secrets = (
    await Promise.all((await placesOf(call, client)).map((place) => allOf(client, place)))
  ).flat()
  if (!isTable(format)) {
    const items = flags.is('showValues') ? secrets : secrets.map(withoutValues)
    return terminal.out(
      await formatted({ kind: 'List', apiVersion: 'v1', metadata: {}, items }, format),
    )
  }
  if (secrets.length === 0) return terminal.say('No secrets found.')
  const rows = secrets.map((secret) => [
    secret.metadata.namespace ?? '',
    secret.metadata.name ?? '',
    textOf(secret, 'displayName'),
    Object.keys(dataOf(secret)).join(',') || '<none>',
    ...(format.type === 'wide' ? [textOf(secret, 'description')] : []),
  ])
  const more = format.type === 'wide' ? ['Description'] : []
  const columns = ['Namespace', 'Name', 'Display name', 'Keys', ...more]
  await terminal.out(tableText({ columns, rows }))
}

async function placesOf({ flags }: Call, client: ApiClient): Promise<Place[]> {
  const project = flags.string('project')
  const namespace = flags.string('namespace')
  if (project !== undefined)
    return [{ plural: projectSecrets, namespace: projectNamespace(await askSelf(client), project) }]
  if (!flags.is('allProjects')) return [{ plural: sharedSecrets, namespace }]
  const [self, projects] = await Promise.all([askSelf(client), client.list({ plural: 'projects' })])
  return projects.items.map(({ metadata: { name = '' } }) => ({
    plural: projectSecrets,
    namespace: projectNamespace(self, name),
  }))
}

/** All secrets at a location; none for a project whose secrets the user may not list. */
async function allOf(client: ApiClient, place: Place): Promise<ApiObject[]> {
  const kind = place.plural === projectSecrets ? 'ProjectSecret' : 'SharedSecret'
  try {
    const { items } = await client.list(place)
    return items.map((item) => ({ kind, apiVersion: client.apiVersion, ...item }))
  } catch (error) {
    if (isStatus(error, 403, 404) && place.plural === projectSecrets) return []
    throw error
  }
}

function dataOf({ spec }: ApiObject): Record<string, string> {
  // Sound by the schema: base64 by key.
  return (at(spec, 'data') ?? {}) as Record<string, string>
}

function textOf({ spec }: ApiObject, field: string): string {
  const found = at(spec, field)
  return typeof found === 'string' && found !== '' ? found : '<none>'
}

function withoutValues(secret: ApiObject): ApiObject {
  const names = Object.keys(dataOf(secret)).map((key): [string, string] => [key, '***'])
  const { annotations, ...metadata } = secret.metadata
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...shown } = annotations ?? {}
  return {
    ...secret,
    metadata: Object.keys(shown).length === 0 ? metadata : { ...metadata, annotations: shown },
    spec: { ...secret.spec, ...(names.length === 0 ? {} : { data: Object.fromEntries(names) }) },
  }
}
