import { connectionTo } from '../../syncer/client/openPlane.ts'
import type { Clock } from '../meta/clock.ts'
import { messageOf } from '../meta/messageOf.ts'
import { cannotRead, StartError } from '../runtime/startError.ts'
import { sendRequest } from './serverRequest.ts'

/** Downloads a backup from a running server. @throws StartError. */
export async function* downloadBackup(kubeconfig: string, clock: Clock): AsyncGenerator<Buffer> {
  const connection = await connectionTo({ kubeconfig }, clock).catch((error: unknown) => {
    throw cannotRead(`the kubeconfig ${kubeconfig}`, error)
  })
  try {
    const response = await sendRequest(connection, { method: 'GET', path: '/backup' })
    // A response without an encoding yields buffers.
    for await (const piece of response) yield piece as Buffer
  } catch (error) {
    if (error instanceof StartError) throw error
    const why = messageOf(error)
    throw new StartError(`cannot get the backup from ${connection.base}/backup: ${why}`, error)
  } finally {
    connection.agent.destroy()
  }
}
