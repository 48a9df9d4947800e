import type { PlaneClient } from './planeClient.ts'

/**
 * Restricts a client to the lifetime of one of its users: after the signal every call is refused,
 * and pending calls are abandoned, although a write may still take effect. Closing it closes the
 * client.
 */
export function clientWithin(client: PlaneClient, signal: AbortSignal): PlaneClient {
  const within = <T>(call: () => Promise<T>): Promise<T> => untilAborted(signal, call)
  return {
    list: (...given) => within(() => client.list(...given)),
    watch: (...given) => within(() => client.watch(...given)),
    get: (...given) => within(() => client.get(...given)),
    create: (...given) => within(() => client.create(...given)),
    replace: (...given) => within(() => client.replace(...given)),
    delete: (...given) => within(() => client.delete(...given)),
    resourceOf: (...given) => within(() => client.resourceOf(...given)),
    close: () => client.close(),
  }
}

async function untilAborted<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  let abort: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new Error('the syncer was stopped'))
    signal.addEventListener('abort', abort)
  })
  try {
    return await Promise.race([call(), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
