/** The descriptions of a type and of its fields. */
export interface TypeWords {
  description?: string
  fields: Record<string, string>
}

const block = String.raw`/\*\*\n((?:[ \t]*\*(?!/).*\n)*)[ \t]*\*/\n`
const typeStart = new RegExp(`${block}export (?:interface I|declare class |declare type I)`)
const fieldStart = new RegExp(String.raw`${block}[ \t]*(?:"([^"]+)"|'([^']+)')\??: (?!IoK8s)`, 'g')

/**
 * Parses the doc comments of a TypeScript declaration file with one type: of the type, and of its fields by name.
 * Fields without a comment are omitted.
 */
export function declaredWords(source: string): TypeWords {
  // The class repeats the interface.
  const first = source.split(/^export declare class /m)
  const text = first.length > 1 && source.includes('export interface') ? (first[0] ?? '') : source
  const description = typeStart.exec(source)?.[1]
  const fields: Record<string, string> = {}
  for (const [, comment = '', quoted, single] of text.matchAll(fieldStart)) {
    const name = quoted ?? single ?? ''
    fields[name] ??= commentText(comment)
  }
  return { ...(description === undefined ? {} : { description: commentText(description) }), fields }
}

function commentText(comment: string): string {
  const lines = comment.split('\n').map((line) => line.replace(/^[ \t]*\* ?/, ''))
  return (
    lines
      .join('\n')
      .trim()
      // The compiler's tag repeats the description.
      .replace(/\s+@deprecated$/, '')
      .replace(/\\([*"/])/g, '$1')
  )
}
