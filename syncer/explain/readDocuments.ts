import { isAlias, LineCounter, parseAllDocuments, stringify, visit, type Document } from 'yaml'

/** Invalid YAML; the message begins with the position: `line 3, column 1: …`. */
export class DocumentError extends Error {
  constructor(place: { line: number; col: number }, message: string) {
    super(`line ${place.line}, column ${place.col}: ${message}`)
    this.name = 'DocumentError'
  }
}

/**
 * Parses all non-empty documents of a YAML stream.
 * @throws DocumentError.
 */
export function readDocuments(text: string): unknown[] {
  const lineCounter = new LineCounter()
  return [...parseAllDocuments(text, { lineCounter, prettyErrors: false })].flatMap((document) => {
    const problem = problemOf(document)
    if (problem !== undefined) {
      throw new DocumentError(lineCounter.linePos(problem.at), problem.message)
    }
    const value: unknown = document.toJS()
    return value === null || value === undefined ? [] : [value]
  })
}

export function writeDocument(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
}

function problemOf(document: Document.Parsed): { at: number; message: string } | undefined {
  const [error] = document.errors
  if (error !== undefined) return { at: error.pos[0], message: error.message }
  let found: { at: number; message: string } | undefined
  visit(document, (_, node) => {
    if (!isAlias(node) || node.resolve(document) !== undefined) return undefined
    found = { at: node.range?.[0] ?? 0, message: `the anchor &${node.source} is not defined` }
    return visit.BREAK
  })
  return found
}
