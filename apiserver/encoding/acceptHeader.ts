import { trimBoth } from '../meta/trim.ts'

/** A media range of an Accept header. */
export interface AcceptClause {
  type: string
  subtype: string
  quality: number
  /** Parameters except `q`. The last of repeated names is used. */
  parameters: ReadonlyMap<string, string>
}

/**
 * Maximum number of clauses: sorting takes quadratic time, and the header is read before
 * authentication. Real clients send fewer than ten.
 */
const maxClauses = 100

/**
 * Parses the media ranges in order of preference: by quality, then ranges without wildcards first.
 * Malformed ones are omitted.
 * Source: the goautoneg library; its insertion sort with an inconsistent comparison is reproduced.
 */
export function parseAccept(header: string): AcceptClause[] {
  const sorted: AcceptClause[] = []
  for (const clause of header.split(',', maxClauses).map(parseClause)) {
    if (clause === undefined) continue
    let at = sorted.length
    for (; at > 0; at--) {
      const before = sorted[at - 1]
      if (before === undefined || !isBefore(clause, before)) break
    }
    sorted.splice(at, 0, clause)
  }
  return sorted
}

function isBefore(a: AcceptClause, b: AcceptClause): boolean {
  if (a.quality > b.quality) return true
  if (a.type !== '*' && b.type === '*') return true
  return a.subtype !== '*' && b.subtype === '*'
}

function parseClause(text: string): AcceptClause | undefined {
  const [range = '', ...rest] = trim(text).split(';')
  const [type = '', subtype = '', ...more] = range.split('/').map(trim)
  if (more.length > 0 || (subtype === '' && type !== '*')) return undefined
  const parameters = new Map<string, string>()
  let quality = 1
  for (const [name, value] of rest.flatMap(parseParameter)) {
    if (name === 'q') quality = parseQuality(value)
    else parameters.set(name, trim(value))
  }
  return { type, subtype: subtype === '' ? '*' : subtype, quality, parameters }
}

/** Parses `name=value`; anything else is ignored. */
function parseParameter(text: string): [string, string][] {
  const [name = '', value = '', ...surplus] = text.split('=')
  return value !== '' && surplus.length === 0 ? [[trim(name), value]] : []
}

/** Parses a quality; a malformed number counts as 0, which is least preferred but not refused. */
function parseQuality(text: string): number {
  return /^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/.test(text) ? Math.fround(Number(text)) : 0
}

function trim(text: string): string {
  return trimBoth(text, (char) => char === ' ')
}
