import { lexer, walkTokens, type Token } from 'marked'
import type { Page } from './pages.ts'

/**
 * A fenced block. Its info string is the language, then words: `file=NAME` writes the block to a file, `output` is what
 * the `sh` block before it prints, `skip="REASON"` keeps an `sh` block from being run, `fails` says that it ends with an
 * error, and `background="TEXT"` that it runs on once it has printed the text.
 */
export interface CodeBlock {
  /** Line of the page with the fence, from 1. */
  line: number
  /** Empty if the fence has no info string. */
  language: string
  words: ReadonlyMap<string, string>
  /** Contents, without the last line break. */
  text: string
}

/** Words of info strings that have a meaning. */
export const knownWords: readonly string[] = ['file', 'output', 'skip', 'fails', 'background']

/** Fenced blocks of a page, in order; also those in lists and quotes. */
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

/** The next opening fence at or after `from`, and where its block ends. */
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
