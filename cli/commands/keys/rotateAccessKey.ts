import type { Call } from '../../base/commandSpec.ts'
import { textAt } from '../../base/apiObject.ts'
import { CliError, usageError } from '../../base/cliError.ts'
import type { ApiClient } from '../../client/apiClient.ts'
import { askSelf } from '../../client/self.ts'
import { openSession } from '../../client/session.ts'
import { Credentials } from '../../context/credentials.ts'
import { changeSettings, readSettings } from '../../context/settings.ts'
import { keysOf } from './listAccessKeys.ts'

/**
 * Replaces the value of an access key; the old value becomes invalid at once. The key in use is
 * replaced where it is stored, so kubeconfig contexts keep working.
 * Source: platform facts 3.3, "ResetAccessKey".
 */
export async function rotateAccessKey(call: Call): Promise<void> {
  const { args, terminal, flags } = call
  const session = await openSession(call)
  const { client } = session
  const self = await askSelf(client)
  const name = args[0] ?? self.accessKey
  if (name === undefined) throw usageError('no access key in use', 'Name the key to rotate.')
  const isOwn = name === self.accessKey
  // An unknown name would create a key.
  if (!isOwn) await checkExists(client, name)
  if (isOwn && session.context === undefined && !flags.is('print'))
    throw usageError(
      'the key in use is from the environment, and cannot be replaced there',
      'Add --print, and store the printed key yourself.',
    )
  const key = await resetKey(client, name)
  const stored = isOwn ? await storeIn(call, client.url, name, key) : []
  if (flags.is('print') || stored.length === 0) await terminal.out(`${key}\n`)
  const where =
    stored.length === 0
      ? 'It is shown only now: keep it secret.'
      : `Stored it for ${stored.join(', ')}.`
  terminal.say(`Rotated the access key ${name}. ${where}`)
}

/** Requests the new value. */
async function resetKey(client: ApiClient, name: string): Promise<string> {
  const reset = {
    kind: 'ResetAccessKey',
    apiVersion: client.apiVersion,
    metadata: { name },
    spec: {},
  }
  const made = await client.create({ plural: 'resetaccesskeys' }, reset)
  const key = textAt(made.spec, 'key')
  if (key === undefined) throw new CliError('the server answered without the key')
  return key
}

/** @throws ApiError 404. */
async function checkExists(client: ApiClient, name: string): Promise<void> {
  const mine = await keysOf(client, undefined, undefined)
  if (!mine.some(({ metadata }) => metadata.name === name))
    await client.get({ plural: 'ownedaccesskeys' }, name)
}

/** Stores the new value in every context with this key. @returns the names of the contexts. */
async function storeIn(
  call: Call,
  url: string,
  accessKey: string,
  value: string,
): Promise<string[]> {
  const { contexts } = await readSettings(call)
  const credentials = new Credentials(call)
  const found = Object.entries(contexts).filter(
    ([, context]) => context.url === url && context.accessKey === accessKey,
  )
  for (const [name] of found) {
    const place = await credentials.set(name, value)
    await changeSettings(call, (settings) => {
      const context = settings.contexts[name]
      if (context !== undefined) context.credential = place
    })
  }
  return found.map(([name]) => name)
}
