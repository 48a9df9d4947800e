import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Writes a Markdown file that lists the tests for each row of the specification. A test cites rows in its title: `…
// (spec meta.uid)`, or `… (spec meta.uid, meta.generation)`. Titles are read from the sources, so the citation must be
// there literally.

interface Section {
  section: string
  /** Later work that the rows belong to. */
  later?: string
  /** Rows by id. */
  rows: Record<string, string>
}

const [file = 'coverage/spec-coverage.md'] = process.argv.slice(2)
// Sound: the file belongs to the repository.
const sections = JSON.parse(readFileSync('test/fixtures/spec/rows.json', 'utf8')) as Section[]
const ids = sections.flatMap(({ rows }) => Object.keys(rows))
const repeated = ids.filter((id, at) => ids.indexOf(id) !== at)
if (repeated.length > 0) throw new Error(`ids must differ: ${repeated.join(', ')}`)
const tests = citations()
const unknown = [...tests.keys()].filter((id) => !ids.includes(id))
if (unknown.length > 0) {
  const where = unknown.map((id) => `${id} in ${(tests.get(id) ?? []).join(', ')}`)
  throw new Error(`no row of test/fixtures/spec/rows.json has the id ${where.join('; ')}`)
}
const due = sections.filter(({ later }) => later === undefined)
const dueIds = due.flatMap(({ rows }) => Object.keys(rows))
const open = dueIds.filter((id) => !tests.has(id))
writeFileSync(file, document())
// Written before the failure: the file shows where tests are missing.
if (open.length > 0) throw new Error(`no test cites ${open.join(', ')}`)

/** Tests that cite each id, in the order of their files. */
function citations(): Map<string, string[]> {
  const areas = [...new Set(ids.map((id) => id.replace(/\..*/, '')))].join('|')
  const id = `(?:${areas})(?:\\.[A-Za-z0-9]+)+`
  const text = '((?:\\\\.|(?!\\1)[^\\\\\\n])*?)'
  const cited = new RegExp(`(['"\`])(?:${text}[( ])?spec (${id}(?:, ${id})*)\\)?\\1`, 'g')
  const found = new Map<string, string[]>()
  for (const path of sources('test')) {
    for (const [, , words = '', list = ''] of readFileSync(path, 'utf8').matchAll(cited)) {
      const test = `${path}: ${title(words)}`
      for (const one of list.split(', ')) found.set(one, [...(found.get(one) ?? []), test])
    }
  }
  return found
}

/** Title without its citations. */
function title(words: string): string {
  return words
    .replace(/ ?\([^(]*$/, '')
    .replace(/\\(['"`])/g, '$1')
    .trim()
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|go)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function document(): string {
  const later = ids.length - dueIds.length
  return [
    '# Coverage of the specification',
    '',
    'Which tests prove which row. Written by `make coverage-report` from `test/fixtures/spec/rows.json` and from the',
    'titles of tests, which cite rows as in `… (spec meta.uid)`.',
    '',
    `${dueIds.length - open.length} of ${dueIds.length} rows have a test; ${later} more belong to later work.`,
    ...(open.length === 0 ? [] : ['', `Without a test: ${open.map(code).join(', ')}.`]),
    ...sections.flatMap(table),
    '',
  ].join('\n')
}

function table({ section, later, rows }: Section): string[] {
  const note = later === undefined ? [] : [`These rows belong to ${later}.`, '']
  const lines = Object.entries(rows).map(
    ([id, text]) =>
      `| ${code(id)} | ${escape(text)} | ${(tests.get(id) ?? []).map(escape).join('<br>')} |`,
  )
  return [
    '',
    `## ${section}`,
    '',
    ...note,
    '| row | what it says | tests |',
    '|---|---|---|',
    ...lines,
  ]
}

function code(value: string): string {
  return `\`${value}\``
}

function escape(value: string): string {
  return value.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('*', '\\*')
}
