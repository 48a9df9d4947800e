import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { codeBlocks, type CodeBlock } from '../../hack/docs/codeBlocks.ts'
import type { Page } from '../../hack/docs/pages.ts'
import { RunningCommand } from '../conformance/support/command.ts'
import type { Workspace } from '../conformance/support/workspace.ts'
import { outputDifference } from './expectedOutput.ts'
import { freePort, PageShell, type BlockResult } from './pageShell.ts'

export interface PageSurroundings {
  workspace: Workspace
  /** Folder with the built package. */
  program: string
  /** kubectl for the pages. */
  kubectl: string
  /** Called for each block with its output. */
  printed: (line: number, text: string) => void
  /** Called for each output that differs, which is then not an error. Absent: it is an error. */
  differs?: ((block: CodeBlock, printed: string) => void) | undefined
}

/** Port used on pages. */
const pagePort = '8443'
const startSeconds = 30

/**
 * Runs the `sh` blocks of a page, and writes its files, in order. Returns the number of blocks that
 * ran. @throws Error with the line of the first block whose result differs from the page.
 */
export async function runPage(around: PageSurroundings, page: Page): Promise<number> {
  const blocks = codeBlocks(page)
  if (!blocks.some(isRun)) return 0
  const folder = around.workspace.folder(page.file)
  const port = String(await freePort())
  const env = environment(around, folder, port)
  const server = await startPageServer(around, page, { folder, env })
  const shell = new PageShell(around.workspace, folder, env)
  try {
    return await runBlocks(blocks, { around, shell, folder, port })
  } finally {
    await shell.close()
    server?.stop('SIGTERM')
    await server?.done
  }
}

/** Reports whether a block is executed rather than only shown. */
function isRun({ language, words }: CodeBlock): boolean {
  return language === 'sh' && !words.has('skip')
}

interface Run {
  around: PageSurroundings
  shell: PageShell
  folder: string
  port: string
}

async function runBlocks(blocks: readonly CodeBlock[], run: Run): Promise<number> {
  let ran = 0
  let last: BlockResult | undefined
  for (const block of blocks) {
    const file = block.words.get('file')
    if (file !== undefined) writeInto(run.folder, file, withPort(block.text, run.port))
    if (isRun(block)) {
      last = await runBlock(block, run)
      ran++
    } else if (block.words.has('output')) compare(block, run, last)
  }
  return ran
}

async function runBlock(block: CodeBlock, { around, shell, port }: Run): Promise<BlockResult> {
  const { line, words } = block
  const text = withPort(block.text, port)
  const background = words.get('background')
  try {
    if (background !== undefined) {
      await shell.start(background, text)
      return { printed: '', failed: undefined }
    }
    const result = await shell.run(text)
    around.printed(line, result.printed)
    if (words.has('fails') === (result.failed === undefined))
      throw new Error(`${result.failed ?? 'the block did not fail'}\n${result.printed}`)
    return result
  } catch (error) {
    throw new Error(`line ${line}: ${(error as Error).message}`, { cause: error })
  }
}

function compare(
  block: CodeBlock,
  { port, around: { differs } }: Run,
  last: BlockResult | undefined,
): void {
  const printed = (last?.printed ?? '').replaceAll(port, pagePort)
  const difference = outputDifference(block.text, printed)
  if (difference === undefined) return
  if (differs === undefined) throw new Error(`line ${block.line}: ${difference}`)
  differs(block, printed)
}

function withPort(text: string, port: string): string {
  return text.replaceAll(pagePort, port)
}

function writeInto(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), `${text}\n`)
}

/**
 * Programs of the package and kubectl on PATH, a separate home folder, and the page's port as the
 * default of servers.
 */
function environment(
  { program, kubectl }: PageSurroundings,
  folder: string,
  port: string,
): NodeJS.ProcessEnv {
  const programs = join(folder, '.programs')
  const home = join(folder, '.home')
  for (const made of [programs, home, join(folder, 'node_modules')]) mkdirSync(made)
  symlinkSync(kubectl, join(programs, 'kubectl'))
  for (const [name, file] of [
    ['platform-apiserver', 'apiserver'],
    ['platform', 'cli'],
    ['kubectl-platform', 'cli'],
  ] as const)
    symlinkSync(join(program, `dist/${file}/main.js`), join(programs, name))
  symlinkSync(program, join(folder, 'node_modules/platform-apiserver'))
  symlinkSync(programs, join(folder, 'node_modules/.bin'))
  symlinkSync(join(program, 'dist'), join(folder, 'dist'))
  const path = [programs, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  return {
    ...{ PATH: path, HOME: home, TMPDIR: home, LANG: 'C.UTF-8', TERM: 'dumb', NO_COLOR: '1' },
    PLATFORM_SECURE_PORT: port,
  }
}

/** Starts the server that a page requests with `<!-- docs-test: server FLAGS -->`. */
async function startPageServer(
  { workspace }: PageSurroundings,
  page: Page,
  { folder: cwd, env }: { folder: string; env: NodeJS.ProcessEnv },
): Promise<RunningCommand | undefined> {
  const [wanted, flags = ''] = /^<!-- docs-test: server(.*) -->$/m.exec(page.text) ?? []
  if (wanted === undefined) return undefined
  const given = flags.split(' ').filter((flag) => flag !== '')
  const kubeconfig = ['--kubeconfig-out', '.data/admin.kubeconfig']
  const all = ['platform-apiserver', 'serve', '--log-format', 'json', ...kubeconfig, ...given]
  const server = new RunningCommand(workspace, all, { cwd, env, timeoutSeconds: 600 })
  await server.until(({ stdout }) => /^serving https:/m.test(stdout), startSeconds)
  return server
}
