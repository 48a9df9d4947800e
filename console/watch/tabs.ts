/** Message between tabs. */
export type Post = (message: unknown) => void

/** Tabs of one user that share feeds. */
export interface Tabs {
  /** Opens a named channel; messages of a tab arrive at all others, in order. */
  open(name: string, heard: (message: unknown) => void): { post: Post; close: () => void }
  /**
   * Calls back once this tab is the only leader under a name: at once, or when the leading tab ends. It leads until the
   * signal aborts or the tab is closed.
   */
  lead(name: string, signal: AbortSignal, begin: () => void): void
}
