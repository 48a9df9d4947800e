import { lexer, walkTokens, type Token } from 'marked'
import type { Page } from './pages.ts'

/**
 * Fenced block. The info string is the language, followed by words: `file=NAME` writes the block to a file, `output`
 * marks the output of the preceding `sh` block, `skip="REASON"` skips an `sh` block, `fails` expects an error, and
 * `background="TEXT"` keeps it running once it has printed the text.
 */
export interface CodeBlock {
  /** Line of the page with the fence, starting at 1. */
  line: number
  /** Language; empty if the fence has no info string. */
  language: string
  words: ReadonlyMap<string, string>
  /** Content, without the last line break. */
  text: string
}

/** Known words of info strings. */
export const knownWords: readonly string[] = ['file', 'output', 'skip', 'fails', 'background']

/** Fenced blocks of a page, in order, including those in lists and quotes. */
export function codeBlocks({ text }: Page): CodeBlock[] {
  const blocks: CodeBlock[] = []
  let from = 0
  const visit = (token: Token) => {
    if (token.type !== 'code' || token['codeBlockStyle'] === 'indented') return
    // Sound: these are the fields of marked's code tokens.
    const { lang = '', text: contents } = token as unknown as { lang?: string; text: string }
    const at = fenceAt(text, from)
    from = at.end
    blocks.push({ line: at.line, ...infoOf(lang), text: contents })
  }
  void walkTokens(lexer(text), visit)
  return blocks
}

/** Next opening fence at or after `from`, and the end of its block. */
function fenceAt(text: string, from: number): { line: number; end: number } {
  const fence = /^ *(?:> ?)?(`{3,}|~{3,})/gm
  fence.lastIndex = from
  const opening = fence.exec(text)
  if (opening === null) return { line: 0, end: text.length }
  const [, marks = ''] = opening
  const closing = new RegExp(`^ *(?:> ?)?${marks} *$`, 'gm')
  closing.lastIndex = fence.lastIndex
  const end = closing.exec(text) === null ? text.length : closing.lastIndex
  return { line: text.slice(0, opening.index).split('\n').length, end }
}

function infoOf(info: string): Pick<CodeBlock, 'language' | 'words'> {
  const [language = '', ...rest] = info.match(/[^\s="]+(?:=(?:"[^"]*"|\S+))?/g) ?? []
  const words = rest.map((word): [string, string] => {
    const [, name = '', value = ''] = /^([^=]+)=?"?(.*?)"?$/.exec(word) ?? []
    return [name, value]
  })
  return { language, words: new Map(words) }
}
