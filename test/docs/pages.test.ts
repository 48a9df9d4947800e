import { expect } from 'chai'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { codeBlocks, knownWords } from '../../hack/docs/codeBlocks.ts'
import { deadLinks, linksOf } from '../../hack/docs/deadLinks.ts'
import { headingsOf } from '../../hack/docs/headings.ts'
import { readPages } from '../../hack/docs/pages.ts'
import { outputDifference } from './expectedOutput.ts'

const root = join(import.meta.dirname, '../..')

describe('documentation pages', () => {
  const pages = readPages(root)
  const blocks = pages.flatMap((page) =>
    codeBlocks(page).map((block, index, all) => ({
      ...block,
      where: `${page.file}:${block.line}`,
      before: all[index - 1],
    })),
  )

  it('have at least fifty blocks to run', () => {
    expect(pages.length).to.be.above(50)
    expect(blocks.filter(({ language }) => language === 'sh').length).to.be.above(30)
  })

  it('name the language of each block', () => {
    const bare = blocks.filter(({ language }) => language === '')
    expect(bare.map(({ where }) => where)).to.deep.equal([])
  })

  it('use sh for commands that make docs-test runs', () => {
    const others = blocks.filter(({ language }) => /^(bash|shell|console|zsh)$/.test(language))
    expect(others.map(({ where }) => where)).to.deep.equal([])
  })

  it('give a reason for each block that is not run', () => {
    const silent = blocks.filter(({ words }) => words.has('skip') && words.get('skip') === '')
    expect(silent.map(({ where }) => where)).to.deep.equal([])
  })

  it('use only known words in info strings', () => {
    const unknown = blocks.flatMap(({ words, where }) =>
      [...words.keys()].filter((word) => !knownWords.includes(word)).map((word) => [where, word]),
    )
    expect(unknown).to.deep.equal([])
  })

  it('show output only after executed commands', () => {
    const lost = blocks.filter(
      ({ words, before }) =>
        words.has('output') && (before?.language !== 'sh' || before.words.has('skip')),
    )
    expect(lost.map(({ where }) => where)).to.deep.equal([])
  })

  it('have no dead links', () => {
    expect(deadLinks(root, pages)).to.deep.equal([])
  })

  for (const { index, below } of [
    { index: 'docs/README.md', below: /^docs\/(?!decisions\/.*\/)/ },
    { index: 'docs/decisions/README.md', below: /^docs\/decisions\// },
  ])
    it(`are listed in ${index}`, () => {
      const listed = linksFrom(index)
      const missing = pages.filter(
        ({ file }) => below.test(file) && file !== index && !listed.has(file),
      )
      expect(missing.map(({ file }) => file)).to.deep.equal([])
    })

  it('have each decision in docs/decisions/README.md', () => {
    const listed = linksFrom('docs/decisions/README.md')
    const missing = pages
      .filter(({ file }) => /^docs\/decisions\/.*\//.test(file))
      .flatMap(({ file, text }) =>
        headingsOf(text)
          .filter(({ depth }) => depth === 2)
          .map(({ id }) => `${file}#${id}`),
      )
      .filter((decision) => !listed.has(decision))
    expect(missing).to.deep.equal([])
  })

  /** Link targets of a page, as paths from the root. */
  function linksFrom(index: string): ReadonlySet<string> {
    const page = pages.find(({ file }) => file === index) ?? { file: index, text: '' }
    return new Set(linksOf(page).map((href) => join(dirname(index), href)))
  }
})

describe('codeBlocks', () => {
  it('reads language, words and line, also in a list', () => {
    const text =
      '# A\n\n```sh skip="needs a disk"\ndf\n```\n\n1. One\n\n   ```yaml file=a.yaml\n   a: 1\n   ```\n'
    expect(codeBlocks({ file: 'a.md', text })).to.deep.equal([
      { line: 3, language: 'sh', words: new Map([['skip', 'needs a disk']]), text: 'df' },
      { line: 9, language: 'yaml', words: new Map([['file', 'a.yaml']]), text: 'a: 1' },
    ])
  })

  it('ignores indented text', () => {
    expect(codeBlocks({ file: 'a.md', text: 'A\n\n    rm -rf /\n' })).to.deep.equal([])
  })
})

describe('deadLinks', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'pages-'))
    for (const name of ['a.md', 'b.md']) writeFileSync(join(folder, name), '')
  })
  after(() => rmSync(folder, { recursive: true }))

  const target = { file: 'b.md', text: '# The `sync` of *it*\n\n# Twice\n\n# Twice\n' }
  for (const { href, dead } of [
    { href: 'b.md', dead: undefined },
    { href: 'b.md#the-sync-of-it', dead: undefined },
    { href: 'b.md#twice-1', dead: undefined },
    { href: '#here', dead: undefined },
    { href: 'https://example.com/missing', dead: undefined },
    { href: 'b.md#twice-2', dead: 'no heading #twice-2' },
    { href: '#there', dead: 'no heading #there' },
    { href: 'c.md', dead: 'no such file' },
    { href: '../../etc/passwd', dead: 'no such file' },
  ])
    it(`finds ${href} ${dead === undefined ? 'alive' : 'dead'}`, () => {
      const page = { file: 'a.md', text: `# Here\n\n[link](${href})\n` }
      const want = dead === undefined ? [] : [`a.md: ${href}: ${dead}`]
      expect(deadLinks(folder, [page, target])).to.deep.equal(want)
    })
})

describe('deadLinks of pages in backticks', () => {
  const root = join(import.meta.dirname, '../..')
  for (const { named, dead } of [
    { named: 'docs/README.md', dead: [] },
    { named: 'docs/reference/flags.md', dead: [] },
    { named: 'flags.md', dead: ['docs/a.md: `flags.md`: no such page'] },
    { named: 'docs/flags.md', dead: ['docs/a.md: `docs/flags.md`: no such page'] },
  ])
    it(`finds ${named} ${dead.length === 0 ? 'alive' : 'dead'}`, () => {
      expect(deadLinks(root, [{ file: 'docs/a.md', text: `See \`${named}\`.\n` }])).to.deep.equal(
        dead,
      )
    })
})

describe('outputDifference', () => {
  for (const { name, shown, printed, equal } of [
    { name: 'the same', shown: 'a\nb', printed: 'a\nb\n', equal: true },
    { name: 'another line', shown: 'a\nb', printed: 'a\nc\n', equal: false },
    { name: 'a line more', shown: 'a', printed: 'a\nb\n', equal: false },
    { name: 'a line less', shown: 'a\nb', printed: 'a\n', equal: false },
    { name: 'a placeholder in a line', shown: 'at … s', printed: 'at 12 s\n', equal: true },
    { name: 'a placeholder for other text', shown: 'at … s', printed: 'at 12 m\n', equal: false },
    { name: 'a placeholder for lines', shown: 'a\n…\nz', printed: 'a\nb\nc\nz\n', equal: true },
    { name: 'a placeholder for no line', shown: 'a\n…\nz', printed: 'a\nz\n', equal: true },
    { name: 'wider columns', shown: 'NAME  AGE', printed: 'NAME     AGE\n', equal: true },
    { name: 'a pattern taken literally', shown: 'a.c', printed: 'abc\n', equal: false },
  ])
    it(`finds ${name} ${equal ? 'equal' : 'different'}`, () => {
      expect(outputDifference(shown, printed) === undefined).to.equal(equal)
    })
})
