import type { Tabs } from '../watch/tabs.ts'

/** Tabs of this browser. @param scope limits the channel: tabs of other users or control planes have another scope. */
export function browserTabs(scope: string): Tabs | undefined {
  // Browsers provide locks only on secure pages.
  const locks = navigator.locks as LockManager | undefined
  if (locks === undefined || typeof BroadcastChannel === 'undefined') return undefined
  return {
    open: (name, heard) => {
      const channel = new BroadcastChannel(`${scope} ${name}`)
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => heard(data))
      return { post: (message) => channel.postMessage(message), close: () => channel.close() }
    },
    lead: (name, signal, begin) => {
      const leading = () => {
        begin()
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      }
      // A tab that stops waiting for the lock is not an error.
      locks.request(`${scope} ${name}`, { signal }, leading).catch(() => undefined)
    },
  }
}
