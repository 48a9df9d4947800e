import { get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Clock } from '../../meta/clock.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { StartError } from '../../runtime/startError.ts'
import { systemReason } from '../../runtime/systemReason.ts'
import type { DataPlace } from '../settings/serverSettings.ts'
import { dataPath } from './dataPath.ts'

/** Time to wait for etcd. Source: seen on kube-apiserver 1.37.2. */
const waitMs = 20_000
const retryMs = 20
const requestMs = 5_000

/**
 * Location of the data for the given etcd servers, with the setting for synced writes: the folder of this program's
 * etcd substitute, otherwise the etcd itself. @throws StartError if none of them can be reached.
 */
export async function findData(
  servers: readonly string[],
  clock: Clock,
): Promise<{ place: DataPlace; syncsWrites: boolean }> {
  const [first = ''] = servers
  const real = { place: { etcdServers: servers }, syncsWrites: true }
  if (!first.startsWith('http://')) return real
  const until = clock.now() + waitMs
  for (;;) {
    try {
      const answer = await ask(new URL(dataPath, first))
      if (answer === undefined) return real
      const { dataDir, syncsWrites } = answer
      return { place: { dataDir: join(dataDir, 'apiserver') }, syncsWrites }
    } catch (error) {
      if (clock.now() < until) {
        await new Promise<void>((done) => clock.setTimer(done, retryMs))
        continue
      }
      const why = error instanceof Error ? (systemReason(error) ?? error.message) : String(error)
      throw new StartError(`cannot reach etcd at ${first}: ${why}`, error)
    }
  }
}

async function ask(url: URL): Promise<{ dataDir: string; syncsWrites: boolean } | undefined> {
  const { statusCode, body } = await new Promise<{ statusCode: number; body: string }>(
    (resolve, reject) => {
      const request = get(url, { timeout: requestMs, agent: false }, (response) => {
        text(response).then(
          (body) => resolve({ statusCode: response.statusCode ?? 0, body }),
          reject,
        )
      })
      request.on('timeout', () => request.destroy(new Error('no response')))
      request.on('error', reject)
    },
  )
  return statusCode === 200 ? dataIn(body) : undefined
}

function dataIn(body: string) {
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    return undefined
  }
  if (!isObject(answer)) return undefined
  const { dataDir, syncsWrites } = answer
  if (typeof dataDir !== 'string') return undefined
  return { dataDir, syncsWrites: syncsWrites !== false }
}
