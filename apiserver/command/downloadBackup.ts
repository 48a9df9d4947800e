import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { connectionTo } from '../../syncer/client/openPlane.ts'
import type { Clock } from '../meta/clock.ts'
import { cannotRead, StartError } from '../runtime/startError.ts'

/** Time without a byte after which a server counts as gone. */
const silentMs = 60_000

/** The bytes of a backup of a running server. @throws StartError. */
export async function* downloadBackup(kubeconfig: string, clock: Clock): AsyncGenerator<Buffer> {
  const { base, agent, headers } = await connectionTo({ kubeconfig }, clock).catch(
    (error: unknown) => {
      throw cannotRead(`the kubeconfig ${kubeconfig}`, error)
    },
  )
  const url = `${base}/backup`
  try {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const response = await new Promise<IncomingMessage>((done, failed) => {
      const given = { agent, timeout: silentMs }
      headers().then((own) => {
        const request = send(url, { ...given, headers: own }, done)
        request.on('error', failed)
        request.on('timeout', () => request.destroy(new Error(`no byte within ${silentMs} ms`)))
        request.end()
      }, failed)
    })
    if (response.statusCode !== 200) throw await refused(url, response)
    // Sound: a response without an encoding yields buffers.
    for await (const piece of response) yield piece as Buffer
  } catch (error) {
    if (error instanceof StartError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(`cannot get the backup from ${url}: ${why}`, error)
  } finally {
    agent.destroy()
  }
}

async function refused(url: string, response: IncomingMessage): Promise<StartError> {
  const body = await text(response)
  return new StartError(`${url} responded ${response.statusCode ?? 0}: ${messageOf(body)}`)
}

function messageOf(body: string): string {
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    if (typeof message === 'string') return message
  } catch {
    // Not a Status.
  }
  return body.slice(0, 200).trim()
}
