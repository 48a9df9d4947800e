import type * as Yaml from 'yaml'
import { badRequest, requestEntityTooLarge } from '../meta/statusErrors.ts'
import { maxDepth } from './jsonShape.ts'
import { cutDeepTokens } from './yamlDepth.ts'

/**
 * Maximum depth of inspected YAML maps and lists: the recursive composer reaches it with half of a
 * default stack. Flow collections may be nested up to `maxDepth`, uninspected.
 */
export const maxYamlDepth = 250

/** A list in a map takes two entries of the parser's stack per level, and the document one. */
const maxStack = 2 * maxYamlDepth + 1

/**
 * Maximum number of tokens of a YAML body: about 16,000 short lines. The parser takes microseconds for each, more for
 * invalid ones; later steps run without pauses.
 */
const maxTokens = 80_000

/** A document, and the offsets of content that is too deep to be inspected, with its brackets. */
export interface YamlDocument {
  document: Yaml.Document.Parsed | undefined
  deep: ReadonlyMap<number, '[' | '{'>
}

/**
 * Parses the first document of `text`; undefined if it is empty. Scalars stay strings (`failsafe`), because the reader
 * interprets them; the reader also finds repeated keys. `lines` collects line starts.
 * @throws StatusError 400 or 413 before the parser runs out of stack, memory or time.
 */
export async function firstYamlDocument(
  yaml: typeof Yaml,
  text: string,
  lines: Yaml.LineCounter,
  pause: Pause,
): Promise<YamlDocument> {
  const composer = new yaml.Composer({
    schema: 'failsafe',
    resolveKnownTags: false,
    uniqueKeys: false,
    logLevel: 'silent',
  })
  const deep = new Map<number, '[' | '{'>()
  const tokens = await firstTokens(shallow(parse(yaml, text, lines), deep), pause)
  for (const document of composer.compose(tokens, true, text.length)) return { document, deep }
  return { document: undefined, deep }
}

/** Lets other work run, if the result is a promise. */
export type Pause = () => Promise<void> | undefined

/** Lexemes per turn. */
const lexemesAtOnce = 2_000

/** The tokens of the first document, up to its end marker. */
async function firstTokens(
  tokens: Iterable<Yaml.CST.Token | undefined>,
  pause: Pause,
): Promise<Yaml.CST.Token[]> {
  const found: Yaml.CST.Token[] = []
  let documents = 0
  for (const token of tokens) {
    if (token === undefined) await pause()
    else found.push(token)
    if (token?.type === 'document' && ++documents > 1) break
  }
  return found
}

/** The tokens, with documents shallow enough for the composer. */
function* shallow(tokens: Iterable<Yaml.CST.Token | undefined>, deep: Map<number, '[' | '{'>) {
  for (const token of tokens) {
    if (token === undefined) {
      yield undefined
      continue
    }
    if (token.type === 'document')
      for (const [offset, bracket] of cutDeepTokens(token, maxYamlDepth)) deep.set(offset, bracket)
    if (token.type === 'directive') checkDirective(token.source)
    yield token
  }
}

/** Checks a directive: a version supported by the library, or a tag. */
function checkDirective(source: string): void {
  const [name, version] = source.split(/\s+/)
  if (name === '%YAML' && version !== '1.1')
    throw badRequest('yaml: found incompatible YAML document')
  if (name !== '%YAML' && name !== '%TAG') throw badRequest('yaml: found unknown directive name')
}

/** An error with the library's message. Source: observed answers. */
function tooDeep(line: number, limit: number): Error {
  const where = line > 1 ? `line ${line}: ` : ''
  return badRequest(`yaml: ${where}exceeded max depth of ${limit}`)
}

/** The parser's own `parse`, with limits. It yields undefined between tokens at points where other work may run. */
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
    if (tokens % lexemesAtOnce === 0) yield undefined
  }
  yield* parser.end()
}

/** The exceeded limit of nesting; undefined: none. The parser closes blocks by recursion, brackets one by one. */
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

/** Inserted by the lexer before the text of a scalar. */
const scalarMark = '\x1f'
