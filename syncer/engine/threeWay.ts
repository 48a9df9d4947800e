type Fields = Readonly<Record<string, unknown>>

/** The same part of two objects that are synced both ways. */
export interface Sides {
  virtual: Fields
  host: Fields
}

/** What each side has to take over: new values by key, null for what is to go. */
export interface Exchange {
  toHost: Record<string, unknown>
  toVirtual: Record<string, unknown>
}

/** What changed on which side since both were last the same, key by key. Where both changed the virtual side wins.
 *
 *  Without that last state, after a restart, the virtual side wins everywhere; a key that only the host has is new there
 *  unless it once came from the virtual side, as `copied` tells: then it was removed there meanwhile.
 *  Source: platform facts 6.9. */
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

/** A label may be called `constructor`, which every object inherits. */
function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}
