import type { Call } from '../../base/commandSpec.ts'
import { at, type ApiObject } from '../../base/apiObject.ts'
import { CliError, exitCodes, usageError } from '../../base/cliError.ts'
import type { ApiClient, Place } from '../../client/apiClient.ts'
import { isStatus } from '../../client/apiError.ts'
import { askSelf, projectNamespace } from '../../client/self.ts'
import type { Session } from '../../client/session.ts'
import { didYouMean } from '../../client/suggestions.ts'

export const sharedSecrets = 'sharedsecrets'
export const projectSecrets = 'projectsecrets'

export interface FoundSecret {
  object: ApiObject
  place: Place
  /** Key; undefined: the whole secret was requested. */
  key: string | undefined
}

/**
 * Finds a secret by `NAME` or `NAME.KEY`. With `--project`, the secret is in the project. Otherwise
 * it is a shared secret in the namespace of the flag, in the platform's own, or in the only other
 * namespace that has it. Both parts may contain dots: the shortest existing name takes precedence.
 * Source: platform facts 3.2, "platform get secret".
 */
export async function findSecret(
  call: Call,
  { client }: Session,
  given: string,
): Promise<FoundSecret> {
  const splits = splitsOf(given, call.flags.string('key'))
  const places = await placesOf(call, client)
  for (const { name, key } of splits) {
    for (const place of places) {
      const object = await ifAllowed(() => client.get(place, name))
      if (object !== undefined) return { object, place, key }
    }
  }
  if (call.flags.string('project') === undefined && call.flags.string('namespace') === undefined) {
    const elsewhere = await findAnywhere(client, splits)
    if (elsewhere !== undefined) return elsewhere
  }
  throw await missing(client, places, splits[0]?.name ?? given)
}

/**
 * Places of a secret in search order: the project, the namespace of the flag, or the platform's own. A new secret is
 * created in the first.
 */
export async function placesOf({ flags }: Call, client: ApiClient): Promise<[Place, ...Place[]]> {
  const project = flags.string('project')
  if (project !== undefined)
    return [{ plural: projectSecrets, namespace: projectNamespace(await askSelf(client), project) }]
  const namespace = flags.string('namespace')
  const shared = (name: string) => ({ plural: sharedSecrets, namespace: name })
  if (namespace !== undefined) return [shared(namespace)]
  return [shared(client.names.platform), shared('default')]
}

interface Split {
  name: string
  key: string | undefined
}

/** Possible ways to split `NAME[.KEY]`. */
function splitsOf(given: string, key: string | undefined): Split[] {
  if (given === '') throw usageError('the name of the secret is empty')
  if (key !== undefined) return [{ name: given, key }]
  const parts = given.split('.')
  const splits = parts.slice(1).map((_, index) => ({
    name: parts.slice(0, index + 1).join('.'),
    key: parts.slice(index + 1).join('.'),
  }))
  return [...splits, { name: given, key: undefined }]
}

async function ifAllowed(get: () => Promise<ApiObject>): Promise<ApiObject | undefined> {
  return get().catch((error: unknown) => {
    if (isStatus(error, 403, 404)) return undefined
    throw error
  })
}

/** Secret in any namespace that the user may list, if only one has it. */
async function findAnywhere(
  client: ApiClient,
  splits: readonly Split[],
): Promise<FoundSecret | undefined> {
  const list = await client.list({ plural: sharedSecrets }).catch((error: unknown) => {
    if (isStatus(error, 403)) return undefined
    throw error
  })
  for (const { name, key } of splits) {
    const found = (list?.items ?? []).filter(({ metadata }) => metadata.name === name)
    const [object, other] = found
    if (other !== undefined) {
      const namespaces = found.map(({ metadata }) => metadata.namespace).join(', ')
      throw usageError(
        `"${name}" is in several namespaces: ${namespaces}`,
        'Name one with --namespace.',
      )
    }
    if (object !== undefined)
      return { object, place: { plural: sharedSecrets, namespace: object.metadata.namespace }, key }
  }
  return undefined
}

async function missing(
  client: ApiClient,
  [place]: readonly Place[],
  name: string,
): Promise<CliError> {
  const isProject = place?.plural === projectSecrets
  const everywhere = isProject ? place : { plural: sharedSecrets }
  const near = await didYouMean(client, everywhere, name)
  const list = isProject ? 'list secrets --project PROJECT' : 'list secrets'
  return new CliError(`there is no secret "${name}" that you may read`, {
    code: exitCodes.notFound,
    hint: near || `"$program ${list}" lists those that you may read.`,
  })
}

/** Values of a secret by key. */
export function valuesOf(secret: ApiObject): Record<string, Buffer> {
  // Sound by the schema: base64 by key.
  const data = (at(secret.spec, 'data') ?? {}) as Record<string, string>
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64')]),
  )
}
