import type { Authenticator } from '../endpoints/chainServices.ts'
import { newestState } from '../registry/read/newestState.ts'
import type { Storage } from '../storage/storage.ts'

/**
 * An authenticator that refuses a token only after it knows what every server over the storage has written: a key is valid on
 * all servers as soon as one has returned it.
 */
export function withNewestCredentials(base: Authenticator, storage: Storage): Authenticator {
  if (!storage.isShared) return base
  const again = async (token: string) => {
    await newestState(storage)
    return base.authenticate(token)
  }
  return {
    ...base,
    authenticate: (token) => {
      const found = base.authenticate(token)
      if (found instanceof Promise) return found.then((user) => user ?? again(token))
      return found ?? again(token)
    },
  }
}
