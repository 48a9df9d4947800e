import { readFile } from 'node:fs/promises'
import type { Call } from '../../base/commandSpec.ts'
import { at, type ApiObject } from '../../base/apiObject.ts'
import { CliError, exitCodes, usageError } from '../../base/cliError.ts'
import { changeObject } from '../../client/changeObject.ts'
import type { ApiClient, Place } from '../../client/apiClient.ts'
import { openSession, type Session } from '../../client/session.ts'
import { findSecret, placesOf, projectSecrets } from './findSecret.ts'

/** Sets the value of a key, and creates the secret if it does not exist. The value is not printed. */
export async function setSecret(call: Call): Promise<void> {
  const { flags, args, terminal } = call
  const value = await givenValue(call)
  const session = await openSession(call)
  const { client } = session
  const { place, name, key } = await targetOf(call, session, args[0] ?? '')
  const query = flags.is('dryRun') ? { dryRun: 'All' } : {}
  const displayName = flags.string('displayName')
  const { isNew } = await changeObject(client, { place, name, query }, (found) =>
    withValue(found ?? newSecret(client, place, name), { key, value, displayName }),
  )
  const where = flags.is('dryRun') ? ' (dry run)' : ''
  terminal.say(`${isNew ? 'Created' : 'Changed'} ${place.namespace}/${name}: set ${key}${where}.`)
}

async function targetOf(call: Call, session: Session, given: string) {
  const explicit = call.flags.string('key')
  const at = given.indexOf('.')
  if (explicit === undefined && at <= 0)
    throw usageError(`"${given}" has no key`, 'Give NAME.KEY, or the key with --key.')
  try {
    const { object, place, key } = await findSecret(call, session, given)
    // The whole word was interpreted as a name, so there is no key.
    if (key !== undefined) return { place, name: object.metadata.name ?? '', key }
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== exitCodes.notFound) throw error
  }
  const [place] = await newPlaces(call, session.client)
  return explicit === undefined
    ? { place, name: given.slice(0, at), key: given.slice(at + 1) }
    : { place, name: given, key: explicit }
}

/** Places for a new secret: the platform's own namespace, if it exists, otherwise the default one. */
async function newPlaces(call: Call, client: ApiClient): Promise<[Place, ...Place[]]> {
  const places = await placesOf(call, client)
  const [own, other] = places
  if (other === undefined) return places
  const path = `${client.base}/api/v1/namespaces/${own.namespace}`
  const { status } = await client.send({ method: 'GET', path })
  return status === 404 ? [other] : places
}

async function givenValue({ flags, terminal, args }: Call): Promise<Buffer> {
  const file = flags.string('fromFile')
  const literal = flags.string('fromLiteral')
  const isPiped = args[1] === '-'
  const count = [file !== undefined, literal !== undefined, isPiped].filter(Boolean).length
  if (count > 1)
    throw usageError('more than one value', 'Give one of --from-file, --from-literal and -.')
  if (file !== undefined) return readFile(file)
  if (literal !== undefined) return Buffer.from(literal)
  if (isPiped) return terminal.readAll('value')
  if (args[1] !== undefined)
    throw usageError(
      'a value cannot be an argument',
      'Use - with standard input, --from-file, or --from-literal if others may see it.',
    )
  if (!terminal.isInteractive)
    throw usageError('no value', 'Give one of --from-file, --from-literal and -.')
  return Buffer.from(await terminal.ask('Value: ', { isHidden: true }))
}

function newSecret(
  { apiVersion }: ApiClient,
  { plural, namespace = '' }: Place,
  name: string,
): ApiObject {
  const kind = plural === projectSecrets ? 'ProjectSecret' : 'SharedSecret'
  return { kind, apiVersion, metadata: { name, namespace }, spec: {} }
}

function withValue(
  secret: ApiObject,
  { key, value, displayName }: { key: string; value: Buffer; displayName: string | undefined },
): ApiObject {
  const data = {
    ...(at(secret.spec, 'data') as object | undefined),
    [key]: value.toString('base64'),
  }
  const spec = { ...secret.spec, ...(displayName === undefined ? {} : { displayName }), data }
  return { ...secret, spec }
}
