/** A part of a server that runs until it is stopped. */
export interface Part {
  stop(): void
}

/** A part that runs only while this server leads. */
export interface LedPart<Running> extends Part {
  /** The running part; undefined: another server leads. */
  readonly current: Running | undefined
}

/** Decides which one of several servers over one storage runs controllers. */
export interface Leadership {
  /** Opens a part whenever this server begins to lead, and stops it when it ceases to. Resolves when the part runs, if this
   *  server leads already; rejects as `open` does then, whereas later errors are reported. */
  lead<Running extends Part>(open: () => Promise<Running> | Running): Promise<LedPart<Running>>
}

/** Leadership of the only server of a storage. */
export const alwaysLeading: Leadership = {
  lead: async (open) => {
    const current = await open()
    return { current, stop: () => current.stop() }
  },
}
