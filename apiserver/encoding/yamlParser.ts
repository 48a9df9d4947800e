import type * as Yaml from 'yaml'
import { badRequest, requestEntityTooLarge } from '../meta/statusErrors.ts'
import { maxDepth } from './json.ts'
import { cutDeepTokens } from './yamlDepth.ts'

/** Levels of maps and lists in YAML that can be looked into: what the composer, which recurses, can do on half of a default
 *  stack. Flow collections may go on to `maxDepth`, unseen. */
export const maxYamlDepth = 250

/** A list in a map takes two places on the parser's stack for each level, and the document one. */
const maxStack = 2 * maxYamlDepth + 1

/** Lexemes and lines of a YAML body: about 20,000 short lines, read in a fifth of a second. The parser takes
 *  microseconds for each, more for wrong ones, and does not let go of the event loop meanwhile. */
const maxTokens = 100_000

/** A document, and where in it something is too deep to be looked into, with the bracket of what stands there. */
export interface YamlDocument {
  document: Yaml.Document.Parsed | undefined
  deep: ReadonlyMap<number, '[' | '{'>
}

/** The first document of `text`, or nothing. Scalars are left as text (`failsafe`), because what they mean is not the
 *  parser's to decide; repeated keys are the reader's to find. `lines` learns where lines begin.
 *  @throws StatusError 400 or 413 before the parser runs out of stack, memory or time. */
export function firstYamlDocument(
  yaml: typeof Yaml,
  text: string,
  lines: Yaml.LineCounter,
): YamlDocument {
  const composer = new yaml.Composer({
    schema: 'failsafe',
    resolveKnownTags: false,
    uniqueKeys: false,
    logLevel: 'silent',
  })
  const deep = new Map<number, '[' | '{'>()
  const tokens = shallow(parse(yaml, text, lines), deep)
  for (const document of composer.compose(tokens, true, text.length)) return { document, deep }
  return { document: undefined, deep }
}

/** The tokens, with documents that the composer can follow. */
function* shallow(tokens: Iterable<Yaml.CST.Token>, deep: Map<number, '[' | '{'>) {
  for (const token of tokens) {
    if (token.type === 'document')
      for (const [offset, bracket] of cutDeepTokens(token, maxYamlDepth)) deep.set(offset, bracket)
    if (token.type === 'directive') checkDirective(token.source)
    yield token
  }
}

/** Only versions that the library knows, and tags. */
function checkDirective(source: string): void {
  const [name, version] = source.split(/\s+/)
  if (name === '%YAML' && version !== '1.1')
    throw badRequest('yaml: found incompatible YAML document')
  if (name !== '%YAML' && name !== '%TAG') throw badRequest('yaml: found unknown directive name')
}

/** In the words of the library. Source: observed answers. */
function tooDeep(line: number, limit: number): Error {
  const where = line > 1 ? `line ${line}: ` : ''
  return badRequest(`yaml: ${where}exceeded max depth of ${limit}`)
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
  const flow = new FlowDepth()
  for (const lexeme of new yaml.Lexer().lex(text)) {
    count()
    yield* parser.next(lexeme)
    const limit = exceededLimit(parser, flow.after(lexeme))
    if (limit !== undefined) throw tooDeep(lines.linePos(parser.offset).line, limit)
  }
  yield* parser.end()
}

/** The limit that nesting exceeds. The parser closes blocks by recursion, brackets one by one. */
function exceededLimit({ stack }: Yaml.Parser, flowDepth: number): number | undefined {
  if (flowDepth > maxDepth) return maxDepth
  const type = stack[maxStack]?.type
  return type === 'block-map' || type === 'block-seq' ? maxYamlDepth : undefined
}

/** Counts open brackets. */
class FlowDepth {
  #depth = 0
  #isScalar = false

  after(lexeme: string): number {
    if (!this.#isScalar) {
      if (lexeme === '[' || lexeme === '{') this.#depth++
      if (lexeme === ']' || lexeme === '}') this.#depth--
    }
    this.#isScalar = lexeme === scalarMark
    return this.#depth
  }
}

/** What the lexer puts before the text of a scalar. */
const scalarMark = '\x1f'
