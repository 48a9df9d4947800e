import { parse, parseAllDocuments, stringify } from 'yaml'

/** The one document of a YAML or JSON text, without types.
 *  @throws Error with the place of what is wrong. */
export function readDocument(text: string): unknown {
  return parse(text)
}

/** Every document of a text; empty ones are left out.
 *  @throws Error with the place of what is wrong. */
export function readDocuments(text: string): unknown[] {
  return [...parseAllDocuments(text)].flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw error
    const value: unknown = document.toJS()
    return value === null || value === undefined ? [] : [value]
  })
}

export function writeDocument(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
}
