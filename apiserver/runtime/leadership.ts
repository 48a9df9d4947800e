/** A part of a server that runs until it is stopped. */
export interface Part {
  stop(): void
}

/** A part that runs only while this server leads. */
export interface LedPart<Running> extends Part {
  /** The running part; undefined: another server leads. */
  readonly current: Running | undefined
}

/** Decides which one of several servers with the same storage runs controllers. */
export interface Leadership {
  /**
   * Opens a part whenever this server starts to lead, and stops it when it no longer leads. Resolves when the part
   * runs, if this server already leads; then it rejects like `open`, whereas later errors are reported.
   */
  lead<Running extends Part>(open: () => Promise<Running> | Running): Promise<LedPart<Running>>
}

/** Leadership of a single server. */
export const alwaysLeading: Leadership = {
  lead: async (open) => {
    const current = await open()
    return { current, stop: () => current.stop() }
  },
}
