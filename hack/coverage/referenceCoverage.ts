import { readFileSync, writeFileSync } from 'node:fs'
import { cell, testTitles } from './testTitles.ts'

// Writes a Markdown file that lists the tests for each section of the reference of API behaviour. A test names
// sections in its title after the word `reference`: `… (reference 1.3, 2.3)`.

interface Section {
  section: string
  /** Rows by number. */
  rows: Record<string, string>
}

const [file = 'coverage/reference-coverage.md'] = process.argv.slice(2)
// Sound: the file belongs to the repository.
const sections = JSON.parse(
  readFileSync('test/fixtures/reference/sections.json', 'utf8'),
) as Section[]
const known = sections.flatMap(({ rows }) => Object.keys(rows))
const tests = citations()
const unknown = [...tests.keys()].filter((number) => !known.includes(number))
const open = known.filter((number) => !tests.has(number))
writeFileSync(file, document())
// Written before the failure: the file shows where tests are missing.
const where = unknown.map((number) => `${number} in ${(tests.get(number) ?? []).join(', ')}`)
if (unknown.length > 0) throw new Error(`the reference has no section ${where.join('; ')}`)
if (open.length > 0) throw new Error(`no test names ${open.join(', ')}`)

/** Tests that name each section. */
function citations(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { path, title } of testTitles()) {
    for (const number of namedIn(title)) {
      found.set(number, [...(found.get(number) ?? []), `${path}: ${title}`])
    }
  }
  return found
}

function namedIn(title: string): Set<string> {
  const number = String.raw`\d{1,2}\.\d{1,2}`
  const list = String.raw`${number}(?:(?:, | – |–)${number})*`
  const places = [...title.matchAll(new RegExp(String.raw`\b(?:ref|reference) (${list})`, 'g'))]
  const numbers = places.flatMap(([, text = '']) => text.match(new RegExp(number, 'g')) ?? [])
  return new Set(numbers)
}

function document(): string {
  return [
    '# Coverage of the reference',
    '',
    'Which tests prove which section of the reference of API behaviour. Written by `make coverage-report` from',
    '`test/fixtures/reference/sections.json` and from the titles of tests, which name sections as in `… (reference 3.5)`.',
    '',
    `${known.length - open.length} of ${known.length} sections have a test.`,
    ...(open.length === 0 ? [] : ['', `Without a test: ${open.join(', ')}.`]),
    ...sections.flatMap(table),
    '',
  ].join('\n')
}

function table({ section, rows }: Section): string[] {
  const lines = Object.entries(rows).map(([number, text]) => {
    const named = (tests.get(number) ?? []).map(cell)
    return `| ${number} | ${cell(text)} | ${named.join('<br>')} |`
  })
  const head = ['| section | what it is about | tests |', '|---|---|---|']
  return ['', `## ${section}`, '', ...head, ...lines]
}
