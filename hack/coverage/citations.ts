/** Fails for a `Source:` line that cites a section that docs/reference/ does not contain. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const folders = ['apiserver', 'cli', 'syncer', 'openapi', 'console', 'hack', 'test']
const documents = {
  reference: headings('behaviour'),
  'platform facts': headings('platform'),
  specification: headings('specification'),
}
const number = String.raw`\d{1,2}(?:\.\d{1,2})?`
const numbers = String.raw`${number}(?:(?:, | and |, and | ?– ?)${number})*`
const numbered = new RegExp(String.raw`\b(reference|platform facts) (${numbers})`, 'g')
const quoted = /\bspecification,? (?:[A-Za-z]+, )?"([^"]+)"/g

const files = execFileSync('git', ['ls-files', '--', ...folders], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file))
const broken = files.flatMap((file) =>
  citations(readFileSync(file, 'utf8'))
    .filter(({ document, section }) => !documents[document].has(section))
    .map(({ document, section }) => `${file}: ${document} ${section}`),
)
if (broken.length > 0) {
  throw new Error(`citations of sections that docs/reference/ does not have:\n${broken.join('\n')}`)
}

interface Citation {
  document: keyof typeof documents
  section: string
}

/** Citations in comments, whose lines are joined, since a citation may be broken between lines. */
function citations(text: string): Citation[] {
  const comments = text.match(/\/\*[\s\S]*?\*\/|(?:^\s*\/\/.*\n)+/gm) ?? []
  return comments.flatMap((comment) => {
    const line = comment.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')
    const sections = [...line.matchAll(numbered)].flatMap(([, document = '', list = '']) =>
      (list.match(new RegExp(number, 'g')) ?? []).map((section) => ({
        // The expression matches no other word.
        document: document as keyof typeof documents,
        section,
      })),
    )
    const named = [...line.matchAll(quoted)].map(([, section = '']) => ({
      document: 'specification' as const,
      section,
    }))
    return [...sections, ...named]
  })
}

/** Numbers of the headings of a document, or their words if they have none; quoted words of a text count, too. */
function headings(name: string): Set<string> {
  const text = readFileSync(`docs/reference/${name}.md`, 'utf8')
  const found = [...text.matchAll(/^#+ (?:(\d[\d.]*) )?(.*)$/gm)]
  const places = [...text.matchAll(/"([^"]+)"/g)].map(([, words = '']) => words)
  return new Set([...found.map(([, at, words = '']) => at ?? words), ...places])
}
