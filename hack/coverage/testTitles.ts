import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface TestTitle {
  /** Path of the file, relative to the repository. */
  path: string
  title: string
}

const title = /\b(?:describe|it)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
const name = /^\s*name: (['"`])((?:\\.|(?!\1)[^\\])*)\1/gm

/** Titles of tests, as written in the sources, in the order of the files. Conformance scenarios have names. */
export function testTitles(): TestTitle[] {
  return testSources().flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    const found = [...text.matchAll(title)]
    if (path.startsWith('test/conformance/')) found.push(...text.matchAll(name))
    return found.map(([, , raw = '']) => ({ path, title: raw.replace(/\\(['"`])/g, '$1') }))
  })
}

/** Test files, in order. */
function testSources(): string[] {
  return readdirSync('test', { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|go)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Formats a cell of a Markdown table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('*', '\\*')
}
