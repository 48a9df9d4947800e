import type { Call } from '../../base/commandSpec.ts'
import { listAt, textAt, type ApiObject } from '../../base/apiObject.ts'
import { CliError, exitCodes, usageError } from '../../base/cliError.ts'
import { changeObject } from '../../client/changeObject.ts'
import { askSelf, projectNamespace } from '../../client/self.ts'
import { openSession } from '../../client/session.ts'
import { placeOf } from './sharedPlace.ts'
import { projectSecrets } from './findSecret.ts'
import { waitFor } from '../objects/waitFor.ts'

const waitSeconds = 30

/** Keeps a project secret in sync with a shared secret. Source: platform facts 1.0, labels of shared secrets. */
export async function syncSecret(call: Call): Promise<void> {
  const { flags, args, terminal } = call
  const session = await openSession(call)
  const { client, server } = session
  const project = flags.string('project') ?? server.project
  if (project === undefined) throw usageError('no project', 'Name the project with --project.')
  const source = await placeOf(call, session, args[0] ?? '')
  const name = flags.string('to') ?? source.name
  const place = {
    plural: projectSecrets,
    namespace: projectNamespace(await askSelf(client), project),
  }
  const labels = {
    [`${client.names.domain}/sharedsecret-name`]: source.name,
    [`${client.names.domain}/sharedsecret-namespace`]: source.namespace,
  }
  await changeObject(client, { place, name }, (found) => {
    const { metadata, ...rest } = found ?? {
      kind: 'ProjectSecret',
      apiVersion: client.apiVersion,
      metadata: { name },
    }
    return { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } }
  })
  if (!flags.isOff('wait')) {
    const condition = { type: 'condition', name: 'Ready', value: 'True' } as const
    const seconds = flags.seconds('timeout') ?? waitSeconds
    await waitFor(call, client, {
      place,
      name,
      called: 'project secret',
      condition,
      seconds,
      onState: refuseFailure,
    })
  }
  terminal.say(`${place.namespace}/${name} follows ${source.namespace}/${source.name}.`)
}

/** @throws CliError if the secret was not copied. */
function refuseFailure({ status }: ApiObject): void {
  const ready = listAt(status, 'conditions').find((each) => textAt(each, 'type') === 'Ready')
  if (textAt(ready, 'status') !== 'False') return
  const message = textAt(ready, 'message') ?? textAt(ready, 'reason') ?? 'no reason given'
  throw new CliError(`the secret is not synced: ${message}`, { code: exitCodes.failed })
}
