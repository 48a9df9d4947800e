import { KubeConfig, Watch } from '@kubernetes/client-node'
import { CliError, exitCodes, usageError } from '../base/cliError.ts'
import type { ApiObject } from '../base/apiObject.ts'
import type { ApiClient, Place, Query } from './apiClient.ts'

export interface WatchedEvent {
  type: string
  object: ApiObject
}

/** Reason why a watch ended; `expired`: its revision was compacted. */
export type WatchEnd = 'closed' | 'expired'

/**
 * Calls `take` with every event until it returns true or the signal aborts. Loaded on demand, since the library is
 * large.
 * @throws CliError if the watch is refused.
 */
export async function watchObjects(
  client: ApiClient,
  { place, query, signal }: { place: Place; query: Query; signal: AbortSignal },
  take: (event: WatchedEvent) => boolean | Promise<boolean>,
): Promise<WatchEnd | 'taken' | 'aborted'> {
  const watch = new Watch(configOf(client))
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
  const path = client.pathOf(place).slice(client.base.length)
  return new Promise((resolve, reject) => {
    let controller: AbortController | undefined
    let end: WatchEnd | 'taken' | 'aborted' | undefined
    const stop = (why: 'taken' | 'aborted') => {
      end ??= why
      controller?.abort()
      resolve(end)
    }
    const abort = () => stop('aborted')
    signal.addEventListener('abort', abort)
    let queue = Promise.resolve()
    const onEvent = (type: string, object: ApiObject) => {
      if (end !== undefined) return
      if (type === 'ERROR') end = 'expired'
      queue = queue.then(async () => {
        if (type !== 'ERROR' && end === undefined && (await take({ type, object }))) stop('taken')
      })
      queue.catch(reject)
    }
    const onDone = (error: unknown) => {
      signal.removeEventListener('abort', abort)
      void queue.then(
        () => (isRefusal(error) ? reject(refused(error)) : resolve(end ?? 'closed')),
        reject,
      )
    }
    watch.watch(path, { ...given, allowWatchBookmarks: true }, onEvent, onDone).then((made) => {
      controller = made
      if (end !== undefined) made.abort()
    }, reject)
  })
}

/** Server and credential of a client, in the form of the library. */
function configOf(client: ApiClient): KubeConfig {
  const { certificateAuthority, insecure, proxy } = client.transport.options
  const { user, groups } = client.impersonated
  if (groups.length > 0)
    throw usageError(
      'objects cannot be followed with --as-group',
      'Leave out --as-group, or do not wait.',
    )
  const config = new KubeConfig()
  const name = 'server'
  config.loadFromOptions({
    clusters: [
      {
        name,
        server: client.url + client.base,
        skipTLSVerify: insecure === true,
        ...(proxy === undefined ? {} : { proxyUrl: proxy.href }),
        ...(certificateAuthority === undefined
          ? {}
          : { caData: Buffer.from(certificateAuthority).toString('base64') }),
      },
    ],
    users: [
      {
        name,
        ...(client.accessKey === undefined ? {} : { token: client.accessKey }),
        ...(user === undefined ? {} : { impersonateUser: user }),
      },
    ],
    contexts: [{ name, cluster: name, user: name }],
    currentContext: name,
  })
  // Redirects would send the key elsewhere.
  const options = config.applyToFetchOptions.bind(config)
  config.applyToFetchOptions = async (given) => ({ ...(await options(given)), redirect: 'manual' })
  return config
}

function isRefusal(error: unknown): error is Error & { statusCode: number } {
  return typeof (error as { statusCode?: unknown } | null)?.statusCode === 'number'
}

function refused({ statusCode, message }: Error & { statusCode: number }): CliError {
  const code =
    statusCode === 401
      ? exitCodes.unauthenticated
      : statusCode === 403
        ? exitCodes.forbidden
        : exitCodes.failed
  return new CliError(`the watch was refused: ${message}`, { code })
}
