import type { Call } from '../../base/commandSpec.ts'
import { usageError } from '../../base/cliError.ts'
import { isStatus } from '../../client/apiError.ts'
import { askSelf } from '../../client/self.ts'
import { openSession } from '../../client/session.ts'

/** Deletes access keys, which become invalid at once. */
export async function deleteAccessKeys(call: Call): Promise<void> {
  const { args, flags, terminal } = call
  const { client } = await openSession(call)
  const { accessKey } = await askSelf(client)
  for (const name of args) {
    if (name === accessKey && !flags.is('force'))
      throw usageError(
        `"${name}" is the key in use`,
        'Use "$program logout" or "$program rotate accesskey", or add --force.',
      )
    try {
      await client.delete({ plural: 'ownedaccesskeys' }, name)
    } catch (error) {
      if (flags.is('ignoreNotFound') && isStatus(error, 404)) continue
      throw error
    }
    await terminal.out(`accesskey/${name} deleted\n`)
  }
}
