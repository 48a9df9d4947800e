import { type ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Workspace } from '../conformance/support/workspace.ts'
import { eventually } from '../conformance/support/eventually.ts'

/** Result of a block. */
export interface BlockResult {
  /** Standard output and standard error, interleaved as on a terminal. */
  printed: string
  /** Exit code and command of the first command that failed; undefined: none. */
  failed: string | undefined
}

const blockSeconds = 120
const backgroundSeconds = 60

// Blocks are sourced, so that variables, aliases and the current folder are kept until the end of
// the page.
const prelude = `shopt -s expand_aliases
set -o pipefail
trap 'docs_failed=\${docs_failed:-"$?: $BASH_COMMAND"}' ERR
`

/** Bash that runs the blocks of one page in order, in a separate folder. */
export class PageShell {
  readonly #bash: ChildProcess
  readonly #control: string
  #blocks = 0
  #reported = ''

  constructor(workspace: Workspace, cwd: string, env: NodeJS.ProcessEnv) {
    this.#control = workspace.folder('blocks')
    this.#bash = workspace.spawn('bash', ['--noprofile', '--norc'], {
      cwd,
      env,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    })
    this.#bash.stdin?.on('error', () => undefined)
    // Sound: the fourth entry of stdio is a pipe.
    const reports = this.#bash.stdio[3] as Socket
    reports.setEncoding('utf8').on('data', (text: string) => (this.#reported += text))
    this.#send(prelude)
  }

  /** Runs a block to completion. @throws Error if it takes too long. */
  async run(text: string): Promise<BlockResult> {
    const { script, output, id } = this.#write(text)
    this.#send(`docs_failed=
. ${script} > ${output} 2>&1 < /dev/null
echo "${id} $docs_failed" >&3
`)
    const report = new RegExp(`^${id} (.*)$`, 'm')
    await this.#until(() => report.test(this.#reported), blockSeconds, output)
    const [, failed = ''] = report.exec(this.#reported) ?? []
    return {
      printed: readFileSync(output, 'utf8'),
      failed: failed === '' ? undefined : failed,
    }
  }

  /**
   * Starts a block and leaves it running once it has printed `text`. @throws Error if it never
   * prints it.
   */
  async start(text: string, block: string): Promise<void> {
    const { script, output } = this.#write(block)
    // Job control runs the block in a separate process group, which close() ends.
    this.#send(`set -m; ( . ${script} ) > ${output} 2>&1 < /dev/null & set +m\n`)
    await this.#until(() => readFileSync(output, 'utf8').includes(text), backgroundSeconds, output)
  }

  /** Ends the shell and all processes that blocks left running. */
  async close(): Promise<void> {
    if (this.#bash.exitCode !== null) return
    this.#send('for job in $(jobs -p); do kill -TERM -- -$job; done; wait; exit\n')
    const ended = new Promise((resolve) => this.#bash.once('exit', resolve))
    const timer = setTimeout(() => this.#bash.kill('SIGKILL'), 20_000)
    await ended
    clearTimeout(timer)
  }

  #write(text: string): { script: string; output: string; id: string } {
    const id = `block${++this.#blocks}`
    mkdirSync(this.#control, { recursive: true })
    const script = join(this.#control, `${id}.sh`)
    const output = join(this.#control, `${id}.out`)
    writeFileSync(script, `${text}\n`)
    writeFileSync(output, '')
    return { script, output, id }
  }

  #send(text: string): void {
    this.#bash.stdin?.write(text)
  }

  async #until(test: () => boolean, seconds: number, output: string): Promise<void> {
    await eventually(() => {
      if (test()) return
      const ended = this.#bash.exitCode === null ? 'is not done' : 'ended the shell'
      throw new Error(`the block ${ended}; it printed:\n${readFileSync(output, 'utf8')}`)
    }, seconds)
  }
}

/** Port of this machine that is currently free. */
export async function freePort(): Promise<number> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  // Sound: a listening TCP server has an address with a port.
  return (address as { port: number }).port
}
