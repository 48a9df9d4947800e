import type { Call } from '../../base/commandSpec.ts'
import { placeOf, type KindWords } from '../../client/kinds.ts'
import { openSession } from '../../client/session.ts'
import { isStatus } from '../../client/apiError.ts'
import { withSuggestion } from './getObject.ts'
import { waitFor } from './waitFor.ts'

const waitSeconds = 300

/** Deletes objects of a kind, and waits until they are gone. */
export async function deleteObjects(call: Call, kind: KindWords): Promise<void> {
  const { flags, terminal, args } = call
  const { client, server } = await openSession(call)
  const project = flags.string('project') ?? server.project
  const place = await placeOf(client, kind, { project, isOne: true })
  const dryRun = flags.is('dryRun') ? 'All' : undefined
  for (const name of args) {
    try {
      await withSuggestion(client, { place, name, called: kind.called }, () =>
        client.delete(place, name, { dryRun }),
      )
    } catch (error) {
      if (!flags.is('ignoreNotFound') || !isStatus((error as Error).cause, 404)) throw error
      continue
    }
    if (dryRun === undefined && !flags.isOff('wait'))
      await waitFor(call, client, {
        place,
        name,
        called: kind.called,
        condition: { type: 'delete' },
        seconds: flags.seconds('timeout') ?? waitSeconds,
      })
    await terminal.out(`${kind.one}/${name} deleted${dryRun === undefined ? '' : ' (dry run)'}\n`)
  }
}
