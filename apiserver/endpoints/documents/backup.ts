import { once } from 'node:events'
import { forbiddenPath, routeMethodNotAllowed } from '../../meta/statusErrors.ts'
import type { Exchange } from '../exchange.ts'
import { start } from '../response/response.ts'

/** Path of a backup of the whole server. */
export const backupPath = '/backup'

/**
 * Serves a backup, which contains every object of every plane, to users with all rights. False: another path. A failure
 * after the start closes the connection; the client sees a truncated file.
 */
export async function serveBackup(
  exchange: Exchange,
  backup: () => Promise<AsyncIterable<Buffer>>,
): Promise<boolean> {
  if (exchange.path !== backupPath) return false
  if (exchange.method !== 'GET') throw routeMethodNotAllowed()
  if (!(await mayDoEverything(exchange)))
    throw forbiddenPath(`User ${JSON.stringify(exchange.user.name)} may not read every object`)
  const bytes = await backup()
  start(exchange, 200, { 'Content-Type': 'application/octet-stream' })
  await send(exchange, bytes)
  return true
}

/**
 * Checks a right in addition to the path's, since roles grant `get` on all paths for reading
 * documents.
 */
async function mayDoEverything({ plane, user, path }: Exchange): Promise<boolean> {
  const any = '*'
  const ofAll = { verb: any, group: any, version: any, resource: any, subresource: '' }
  const whole = { user, isResource: true, namespace: '', name: '', path }
  return (await plane.authorize({ ...whole, ...ofAll })).allowed
}

async function send(
  { response, onFinish, onRevoked }: Exchange,
  bytes: AsyncIterable<Buffer>,
): Promise<void> {
  const ended = new AbortController()
  onFinish(() => ended.abort())
  onRevoked(() => response.destroy())
  for await (const piece of bytes) {
    if (response.destroyed || ended.signal.aborted) return
    if (response.write(piece)) continue
    // A client that disconnects ends the wait.
    const isDrained = await once(response, 'drain', { signal: ended.signal }).then(
      () => true,
      () => false,
    )
    if (!isDrained) return
  }
  response.end()
}
