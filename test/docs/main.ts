import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readPages, type Page } from '../../hack/docs/pages.ts'
import { findKubectls } from '../conformance/support/kubectlBinaries.ts'
import { copyProgram } from '../conformance/support/program.ts'
import { Workspace } from '../conformance/support/workspace.ts'
import type { CodeBlock } from '../../hack/docs/codeBlocks.ts'
import { runPage, type PageSurroundings } from './pageRun.ts'

const usage = `Runs the commands of README.md and docs/ against the built server, and compares what they print.

  --only PATTERN   only pages whose path matches this regular expression
  --print          also print the output of each block
  --update         write what is printed into the pages, where it differs: read the diff before you commit it
`

interface Totals {
  ran: number
  failed: string[]
}

interface Options {
  print: boolean
  update: boolean
}

type Machine = Pick<PageSurroundings, 'workspace' | 'program' | 'kubectl'>

const root = join(import.meta.dirname, '../..')
const atOnce = 2

async function runPages(
  pages: readonly Page[],
  machine: Machine,
  options: Options,
): Promise<Totals> {
  const totals: Totals = { ran: 0, failed: [] }
  const waiting = [...pages]
  const runNext = async (): Promise<void> => {
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
      try {
        const ran = await runOne(page, machine, options)
        totals.ran += ran
      } catch (error) {
        totals.failed.push(page.file)
        process.stdout.write(`FAIL  ${page.file}: ${(error as Error).message}\n`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runNext))
  return totals
}

async function runOne(page: Page, machine: Machine, { print, update }: Options): Promise<number> {
  const { file } = page
  const lines = page.text.split('\n')
  const changes: { block: CodeBlock; printed: string }[] = []
  const ran = await runPage(
    {
      ...machine,
      printed: (line, text) => print && process.stdout.write(`${file}:${line}\n${text}`),
      differs: update ? (block, printed) => changes.push({ block, printed }) : undefined,
    },
    page,
  )
  // From the end, so that lines before a change keep their numbers.
  for (const { block, printed } of changes.reverse()) {
    const old = block.text === '' ? emptyLines(lines, block.line) : block.text.split('\n').length
    lines.splice(block.line, old, ...printed.trimEnd().split('\n'))
  }
  if (changes.length > 0) writeFileSync(join(root, file), lines.join('\n'))
  if (ran > 0) process.stdout.write(`pass  ${file}: ${ran} blocks\n`)
  return ran
}

/** Number of empty lines in a block without text. */
function emptyLines(lines: readonly string[], fence: number): number {
  return lines[fence]?.startsWith('```') === true ? 0 : 1
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      print: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return void process.stdout.write(usage)
  const workspace = new Workspace()
  process.once('exit', () => workspace.close())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const kubectl = (await findKubectls(workspace)).at(-1)?.path
  if (kubectl === undefined) throw new Error('no kubectl on PATH: the pages cannot be tried')
  const program = join(copyProgram(workspace), '../../..')
  const only = new RegExp(values.only)
  const pages = readPages(root).filter(({ file }) => only.test(file))
  const { ran, failed } = await runPages(pages, { workspace, program, kubectl }, values)
  process.stdout.write(`${ran} blocks ran, ${failed.length} pages failed\n`)
  process.exit(failed.length > 0 || ran === 0 ? 1 : 0)
}

await main()
