/** Added to the highest known revision: fewer writes than this can have been served and lost. */
export const revisionsSkipped = 1_000_000_000
