import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Temporary folder and child processes of one run; close() removes the folder and kills the
 * processes.
 */
export class Workspace {
  readonly root = mkdtempSync(join(tmpdir(), 'conformance-'))
  readonly #children = new Set<ChildProcess>()
  #folders = 0

  /** Creates an empty folder; `label` makes it recognizable. */
  folder(label: string): string {
    const path = join(this.root, `${++this.#folders}-${label.replaceAll(/[^\w.-]+/g, '-')}`)
    mkdirSync(path)
    return path
  }

  /** Starts a program that ends with the run at the latest. */
  spawn(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const child = spawn(program, args, options)
    this.#children.add(child)
    const forget = () => this.#children.delete(child)
    child.once('exit', forget)
    child.once('error', forget)
    return child
  }

  /** Synchronous, so that it can run while the process exits. */
  close(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 })
  }
}
