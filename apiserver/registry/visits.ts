/** Number of values that the searching steps of paths may still visit. All cells of a row share it. */
export interface Visits {
  left: number
}

/** The visits of one object, which any number of paths may search. */
export function newVisits(): Visits {
  return { left: 100_000 }
}
