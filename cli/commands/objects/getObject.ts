import type { Call } from '../../base/commandSpec.ts'
import { CliError, exitCodes } from '../../base/cliError.ts'
import type { ApiClient, Place } from '../../client/apiClient.ts'
import { isStatus } from '../../client/apiError.ts'
import { placeOf, type KindWords } from '../../client/kinds.ts'
import { openSession } from '../../client/session.ts'
import { didYouMean } from '../../client/suggestions.ts'
import { showObject } from './listObjects.ts'

/** Shows an object of a kind. */
export async function getObject(call: Call, kind: KindWords): Promise<void> {
  const [name = ''] = call.args
  const { client, server } = await openSession(call)
  const project = call.flags.string('project') ?? server.project
  const place = await placeOf(client, kind, { project, isOne: true })
  await withSuggestion(client, { place, name, called: kind.called }, () =>
    showObject(call, client, place, name),
  )
}

/** Runs `work` on an object; if it does not exist, the error suggests a similar name. */
export async function withSuggestion<T>(
  client: ApiClient,
  { place, name, called }: { place: Place; name: string; called: string },
  work: () => Promise<T>,
): Promise<T> {
  return work().catch(async (error: unknown) => {
    if (!isStatus(error, 404)) throw error
    const hint =
      (await didYouMean(client, place, name)) || `"$program list ${place.plural}" lists them.`
    const where = place.namespace === undefined ? '' : ` in ${place.namespace}`
    throw new CliError(`there is no ${called} "${name}"${where}`, {
      code: exitCodes.notFound,
      hint,
      cause: error,
    })
  })
}
