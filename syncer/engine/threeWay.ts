type Fields = Readonly<Record<string, unknown>>

/** The same part of two objects that are synced in both directions. */
export interface Sides {
  virtual: Fields
  host: Fields
}

/** Changes for each side: new values by key, null for removed ones. */
export interface Exchange {
  toHost: Record<string, unknown>
  toVirtual: Record<string, unknown>
}

/**
 * Changes of each side since the last agreed state, key by key. If both changed, the virtual side
 * wins.
 * Without that state, after a restart, the virtual side always wins. A key that only the host has
 * is new there, unless it is in `copied`: then it came from the virtual side, and was removed there
 * in the meantime.
 * Source: platform facts 6.9.
 */
export function threeWay(
  sides: Sides,
  base: Sides | undefined,
  { copied, isSame }: { copied: ReadonlySet<string>; isSame: (a: unknown, b: unknown) => boolean },
): Exchange {
  const exchange: Exchange = { toHost: {}, toVirtual: {} }
  for (const key of new Set([...Object.keys(sides.virtual), ...Object.keys(sides.host)])) {
    const values = { virtual: own(sides.virtual, key), host: own(sides.host, key) }
    const isOnHostAlone = values.virtual === undefined && values.host !== undefined
    if (base === undefined ? !isOnHostAlone : !isSame(values.virtual, own(base.virtual, key))) {
      exchange.toHost[key] = values.virtual ?? null
    } else if (base === undefined) {
      if (copied.has(key)) exchange.toHost[key] = null
      else exchange.toVirtual[key] = values.host
    } else if (!isSame(values.host, own(base.host, key))) {
      exchange.toVirtual[key] = values.host ?? null
    }
  }
  return exchange
}

/** Own member of an object: a label may be called `constructor`, which every object inherits. */
function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}
