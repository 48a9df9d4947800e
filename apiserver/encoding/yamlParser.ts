import type * as Yaml from 'yaml'
import { badRequest, requestEntityTooLarge } from '../meta/statusErrors.ts'

/** Levels of maps and lists in a YAML body: what the parser, which recurses, can do on half of a default stack. */
export const maxYamlDepth = 250

/** A list in a map takes two places on the parser's stack for each level, and the document one. */
const maxStack = 2 * maxYamlDepth + 1

/** Lexemes and lines of a YAML body: about 20,000 short lines, read in a fifth of a second. The parser takes
 *  microseconds for each, more for wrong ones, and does not let go of the event loop meanwhile. */
const maxTokens = 100_000

/** The first document of `text`, or nothing. Scalars are left as text (`failsafe`), because what they mean is not the
 *  parser's to decide; repeated keys are the reader's to find. `lines` learns where lines begin.
 *  @throws StatusError 400 or 413 before the parser runs out of stack, memory or time. */
export function firstYamlDocument(
  yaml: typeof Yaml,
  text: string,
  lines: Yaml.LineCounter,
): Yaml.Document.Parsed | undefined {
  const composer = new yaml.Composer({
    schema: 'failsafe',
    resolveKnownTags: false,
    uniqueKeys: false,
    logLevel: 'silent',
  })
  const tokens = parse(yaml, text, lines)
  for (const document of composer.compose(tokens, true, text.length)) return document
  return undefined
}

/** The parser's own `parse`, with limits. */
function* parse(yaml: typeof Yaml, text: string, lines: Yaml.LineCounter) {
  let tokens = 0
  const count = () => {
    if (++tokens > maxTokens) {
      throw requestEntityTooLarge(`YAML of more than ${maxTokens} tokens, send JSON instead`)
    }
  }
  const parser = new yaml.Parser((offset) => {
    count()
    lines.addNewLine(offset)
  })
  lines.addNewLine(0)
  for (const lexeme of new yaml.Lexer().lex(text)) {
    count()
    yield* parser.next(lexeme)
    if (parser.stack.length > maxStack) throw badRequest('exceeded max depth')
  }
  yield* parser.end()
}
