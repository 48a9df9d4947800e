import type { Call } from '../../base/commandSpec.ts'
import { CliError } from '../../base/cliError.ts'
import { isStatus } from '../../client/apiError.ts'
import { askSelf } from '../../client/self.ts'
import { chosenContext, clientOf } from '../../client/session.ts'
import { Credentials } from '../../context/credentials.ts'
import { changeSettings, readSettings, type ServerContext } from '../../context/settings.ts'

/** Ends the login of a context, or of all, and deletes its credential. */
export async function logout(call: Call): Promise<void> {
  const { terminal, flags } = call
  const { contexts } = await readSettings(call)
  const chosen = flags.is('all')
    ? Object.entries(contexts)
    : [Object.values(await chosenContext(call))]
  const left: string[] = []
  // Sound: pairs of a name and its context.
  for (const [name, server] of chosen as [string, ServerContext][]) {
    if (!(await logoutOf(call, name, server))) left.push(name)
    if (flags.is('forget')) {
      await changeSettings(call, (settings) => {
        delete settings.contexts[name]
        if (settings.currentContext === name) delete settings.currentContext
      })
    }
    terminal.say(`Logged out of ${server.url}.`)
  }
  if (left.length === 0) return
  const hint = 'Its login stays valid on the server until it ends; delete the access key there.'
  throw new CliError(`the server of ${left.join(', ')} could not be told`, { hint })
}

/** Reports whether the server received the logout. */
async function logoutOf(call: Call, name: string, server: ServerContext): Promise<boolean> {
  const credentials = new Credentials(call)
  const accessKey = await credentials.get(name, server.credential)
  try {
    if (accessKey !== undefined) await endLogin(call, server, accessKey)
    return true
  } catch (error) {
    if (isStatus(error, 401, 404)) return true
    return false
  } finally {
    await credentials.delete(name)
  }
}

/** Deletes the key of a login, but no key created by a user. Source: platform facts 3.2, "platform logout". */
export async function endLogin(
  call: Call,
  server: ServerContext,
  accessKey: string,
): Promise<void> {
  const client = clientOf(call, server, accessKey)
  try {
    const self = await askSelf(client)
    if (self.accessKeyType !== 'Login' || self.accessKey === undefined) return
    await client.delete({ plural: 'ownedaccesskeys' }, self.accessKey)
  } finally {
    client.transport.close()
  }
}
