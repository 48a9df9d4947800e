import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { runToEnd } from '../support/command.ts'
import type { Workspace } from '../support/workspace.ts'

/** Scenario as listed by the Go program. */
export interface GoScenario {
  name: string
  /** Environment of the process. */
  env?: Record<string, string>
}

/**
 * Message of the program, one JSON object per line: a request to restart the server, or the result.
 */
type Message = RestartRequest | { passed: boolean; error?: string }

export interface RestartRequest {
  restart: 'stop' | 'kill'
  /** Flags for this start only. */
  flags?: string[]
}

interface Run {
  workspace: Workspace
  command: string[]
  env: Record<string, string>
  restart: (request: RestartRequest) => Promise<void>
}

/** Timeout, longer than the program's own for a scenario. */
const timeoutSeconds = 120

export async function listScenarios(workspace: Workspace, program: string): Promise<GoScenario[]> {
  const { code, stdout, stderr } = await runToEnd(workspace, [program, 'list'])
  if (code !== 0) throw new Error(`${program} list: ${stderr}`)
  // The program writes values of these types.
  return JSON.parse(stdout) as GoScenario[]
}

/**
 * Runs one scenario in a separate process, so that a panic in client-go ends only this scenario.
 * @throws Error with the failure of the scenario.
 */
export async function runScenario({ workspace, command, env, restart }: Run): Promise<void> {
  const [program = '', ...args] = command
  const child = workspace.spawn(program, args, { env: { ...process.env, ...env } })
  const timer = setTimeout(() => child.kill('SIGQUIT'), timeoutSeconds * 1000)
  const ended = once(child, 'close')
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('the program has no pipes')
  // A program that panicked has closed its input; its output contains the reason.
  stdin.on('error', () => undefined)
  try {
    for await (const line of createInterface({ input: stdout })) {
      const message = JSON.parse(line) as Message
      if ('restart' in message) {
        await restart(message)
        stdin.write('restarted\n')
      } else if (message.passed) return
      else throw new Error(`${message.error}\n${tail(stderr)}`)
    }
    throw new Error(`the program ended without a result\n${tail(stderr)}`)
  } finally {
    clearTimeout(timer)
    stdin.end()
    await ended
  }
}

/**
 * Message of a panic, which comes first in the last output of a Go program, before its long list of
 * goroutines.
 */
function tail(stderr: string): string {
  const panic = stderr.search(/^panic:/m)
  return panic < 0 ? stderr.slice(-2_000) : stderr.slice(Math.max(0, panic - 4_000), panic + 1_500)
}
