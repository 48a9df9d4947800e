/** A step of a path: a key, an index, or `*` for every child. */
export interface PathSegment {
  text: string
  /** True if the part was in brackets. */
  bracketed: boolean
}

/**
 * Parses a path such as `spec.rules[*]["a.b"].host`; the empty path means the whole object.
 * @throws PathError if quotes or brackets do not match. Source: platform facts 6.3.
 */
export function parsePath(path: string): PathSegment[] {
  const reading: Reading = { segments: [], text: '', isQuoted: false, isBracketed: false }
  for (const letter of path.trim()) readLetter(reading, letter)
  if (reading.isQuoted) throw new PathError('unexpected unclosed quote')
  if (reading.isBracketed) throw new PathError('unexpected unclosed bracket')
  endSegment(reading)
  return reading.segments
}

/** A malformed path. */
class PathError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PathError'
  }
}

/** A matched path in the form of `context.path`. Source: platform facts 6.3. */
export function showPath(keys: readonly string[]): string {
  return keys.map((key) => (/[.[\]]/.test(key) ? `"${key}"` : key)).join('.')
}

interface Reading {
  segments: PathSegment[]
  text: string
  isQuoted: boolean
  isBracketed: boolean
}

function readLetter(reading: Reading, letter: string): void {
  if (letter === '"') reading.isQuoted = !reading.isQuoted
  else if (reading.isQuoted) reading.text += letter
  else if (letter === '[') openBracket(reading)
  else if (letter === ']') closeBracket(reading)
  else if (letter === '.' && !reading.isBracketed) endSegment(reading)
  else reading.text += letter
}

function openBracket(reading: Reading): void {
  if (reading.isBracketed) throw new PathError('unexpected bracket in bracket')
  endSegment(reading)
  reading.isBracketed = true
}

function closeBracket(reading: Reading): void {
  if (!reading.isBracketed) throw new PathError('unexpected bracket close')
  if (reading.text === '') throw new PathError('unexpected empty segment')
  reading.segments.push({ text: reading.text, bracketed: true })
  reading.text = ''
  reading.isBracketed = false
}

function endSegment(reading: Reading): void {
  if (reading.text !== '') reading.segments.push({ text: reading.text, bracketed: false })
  reading.text = ''
}
