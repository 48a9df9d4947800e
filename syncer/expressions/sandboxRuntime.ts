import { messageOf } from '../../apiserver/meta/messageOf.ts'
import { guarded } from '../../apiserver/meta/waiting/guarded.ts'
import { Worker } from 'node:worker_threads'
import {
  ExpressionError,
  type ExpressionInput,
  type ExpressionRuntime,
  type ExpressionScope,
} from './expressionRuntime.ts'
import type { SandboxCall, SandboxLimits } from './sandbox.ts'
import type { SandboxAnswer, SandboxRequest, SandboxSetup } from './sandboxMessages.ts'
import type { Clock, Timer } from '../../apiserver/meta/clock.ts'
import { jsonText } from '../../apiserver/meta/json/exactJson.ts'
import { threadTimeMs } from './threadTime.ts'

export interface SandboxRuntimeOptions extends SandboxLimits {
  clock: Clock
  /**
   * Processor time of one evaluation after which the thread is terminated, which also limits the engine's own
   * functions.
   */
  hangMs: number
  /** Maximum size of a value's JSON. */
  valueBytes: number
}

export const sandboxDefaults: Omit<SandboxRuntimeOptions, 'clock'> = {
  timeMs: 50,
  memoryBytes: 8 * 1024 * 1024,
  stackBytes: 256 * 1024,
  resultBytes: 256 * 1024,
  hangMs: 500,
  valueBytes: 256 * 1024,
}

interface Waiting {
  request: SandboxRequest
  resolve: (results: string[]) => void
  reject: (error: Error) => void
}

interface Thread {
  worker: Worker
  progress: Int32Array
}

/** An observation of a thread's progress. */
interface Look {
  id: number
  begun: number
  /** Time of the first observation of this state. */
  sinceMs: number
  /** The thread's processor time then; undefined: unknown. */
  usedMs: number | undefined
}

/**
 * Multiple of the time limit after which a thread without processor time, or one that does not start, is terminated.
 */
const longestWaits = 20

/**
 * Evaluates in a separate thread, which starts with the first expression and is replaced if it hangs. The requests of
 * one turn are sent together.
 */
export class SandboxRuntime implements ExpressionRuntime {
  readonly #options: SandboxRuntimeOptions
  readonly #waiting = new Map<number, Waiting>()
  #unsent: SandboxRequest[] = []
  #nextId = 1
  #thread: Promise<Thread> | undefined
  #watchdog: Timer | undefined
  /** Processor time of terminated threads. */
  #spentMs = 0
  #running: Thread | undefined
  #isClosed = false

  constructor(options: Partial<SandboxRuntimeOptions> & Pick<SandboxRuntimeOptions, 'clock'>) {
    this.#options = { ...sandboxDefaults, ...options }
  }

  async evaluate(
    source: string,
    inputs: readonly ExpressionInput[],
    scope: ExpressionScope,
  ): Promise<unknown[]> {
    const contexts = contextTexts(source, scope)
    const calls = inputs.map(({ value, path }) =>
      this.#call(source, value, { naming: scope.naming, context: contexts(path) }),
    )
    const results = await this.#request({ calls })
    return results.map((json): unknown => JSON.parse(json))
  }

  async check(source: string): Promise<void> {
    await this.#request({ check: source, calls: [] })
  }

  usedMs(): number | undefined {
    const used = this.#running === undefined ? 0 : this.#seen(this.#running).usedMs
    return used === undefined ? undefined : this.#spentMs + used
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const thread = await this.#thread?.catch(() => undefined)
    this.#thread = undefined
    this.#watchdog?.cancel()
    this.#failAll(new ExpressionError('the expression sandbox was closed'))
    await thread?.worker.terminate()
  }

  #call(
    source: string,
    value: unknown,
    rest: Pick<SandboxCall, 'naming' | 'context'>,
  ): SandboxCall {
    // Undefined represents a missing key, which has no JSON.
    const json = jsonText(value ?? null)
    const { valueBytes } = this.#options
    if (json.length > valueBytes) {
      throw new ExpressionError(`the value is larger than ${valueBytes} bytes`)
    }
    return { source, value: json, ...rest }
  }

  #request(wanted: Omit<SandboxRequest, 'id'>): Promise<string[]> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(new ExpressionError('the expression sandbox was closed'))
        return
      }
      const request = { id: this.#nextId++, ...wanted }
      this.#waiting.set(request.id, { request, resolve, reject })
      if (this.#unsent.push(request) === 1) setImmediate(() => void this.#send())
    })
  }

  async #send(): Promise<void> {
    try {
      const { worker } = await (this.#thread ??= this.#start())
      const requests = this.#unsent
      this.#unsent = []
      if (requests.length === 0) return
      worker.ref()
      worker.postMessage(requests)
      this.#watch()
    } catch (error) {
      this.#thread = undefined
      const why = messageOf(error)
      this.#failAll(new ExpressionError(`the expression sandbox does not start: ${why}`))
    }
  }

  async #start(): Promise<Thread> {
    const { timeMs, memoryBytes, stackBytes, resultBytes } = this.#options
    const { sandboxThreadUrl } = await import('./sandboxThread.ts')
    const progress = new SharedArrayBuffer(12)
    const setup: SandboxSetup = {
      role: 'expression sandbox',
      limits: { timeMs, memoryBytes, stackBytes, resultBytes },
      progress,
    }
    const isSource = sandboxThreadUrl.endsWith('.ts')
    const start = isSource ? startFromSource(sandboxThreadUrl) : new URL(sandboxThreadUrl)
    const worker = new Worker(start, { workerData: setup, eval: isSource, execArgv: [], env: {} })
    worker.unref()
    const thread = { worker, progress: new Int32Array(progress) }
    this.#running = thread
    const take = (answers: SandboxAnswer[]) => this.#take(answers, worker)
    const failed = (error: unknown) => this.#failAll(new ExpressionError(String(error)))
    worker.on('message', guarded('sandboxRuntime.answers', failed, take))
    worker.on('error', (error) => void this.#replace(thread, error.message))
    return thread
  }

  #take(answers: readonly SandboxAnswer[], worker: Worker): void {
    for (const answer of answers) {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if ('error' in answer) waiting?.reject(new ExpressionError(answer.error))
      else waiting?.resolve(answer.results)
    }
    if (this.#waiting.size > 0) return
    worker.unref() // an idle sandbox must not keep the process alive
    this.#watchdog?.cancel()
    this.#watchdog = undefined
  }

  /** Checks whether the thread is still at the same request. */
  #watch(last?: Look): void {
    if (last === undefined && this.#watchdog !== undefined) return
    this.#watchdog = this.#options.clock.setTimer(() => void this.#look(last), this.#options.hangMs)
  }

  async #look(last: Look | undefined): Promise<void> {
    const thread = await this.#thread
    if (thread === undefined || this.#isClosed) return
    const now = this.#seen(thread)
    const { id, begun } = now
    const isStuck = last !== undefined && id === last.id && begun === last.begun
    if (isStuck && this.#isHanging(last, now)) {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      const { hangMs } = this.#options
      waiting?.reject(new ExpressionError(`the expression took more than ${hangMs} ms`))
      await this.#replace(thread, id === 0 ? 'it does not answer' : undefined)
    } else if (this.#waiting.size > 0) {
      this.#watch(isStuck ? last : now)
    }
  }

  #seen({ progress }: Thread): Look {
    const [id = 0, begun = 0, number = 0] = [0, 1, 2].map((at) => Atomics.load(progress, at))
    return { id, begun, sinceMs: this.#options.clock.now(), usedMs: threadTimeMs(number) }
  }

  /** Reports whether the thread hangs, by CPU time rather than wall time, since other processes may use the CPU. */
  #isHanging(last: Look, now: Look): boolean {
    const { hangMs } = this.#options
    const waitedMs = now.sinceMs - last.sinceMs
    // Between requests it creates a sandbox, or has not started yet.
    if (waitedMs >= hangMs * longestWaits || last.id === 0) return waitedMs >= hangMs * longestWaits
    if (last.usedMs === undefined || now.usedMs === undefined) return true
    return now.usedMs - last.usedMs >= hangMs / 2
  }

  /** Terminates the thread, and passes its pending requests to a new one. */
  async #replace(thread: Thread, why: string | undefined): Promise<void> {
    this.#watchdog?.cancel()
    this.#watchdog = undefined
    this.#thread = undefined
    this.#spentMs += this.#seen(thread).usedMs ?? 0
    this.#running = undefined
    thread.worker.removeAllListeners()
    await thread.worker.terminate()
    if (why !== undefined)
      this.#failAll(new ExpressionError(`the expression sandbox failed: ${why}`))
    this.#unsent = [...this.#waiting.values()].map(({ request }) => request)
    if (this.#unsent.length > 0) await this.#send()
  }

  #failAll(error: ExpressionError): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    this.#unsent = []
    for (const { reject } of waiting) reject(error)
  }
}

/**
 * Start code when running from sources: the thread first loads the TypeScript loader, which is found from the working
 * folder.
 */
function startFromSource(url: string): string {
  return `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(url)}) })`
}

/**
 * The JSON of `context` for a path; undefined for an expression that cannot use it, which would have to contain the
 * name, perhaps with an escape.
 */
function contextTexts(
  source: string,
  scope: ExpressionScope,
): (path: string) => string | undefined {
  if (!/context|\\/.test(source)) return () => undefined
  const { naming, config, hostObject, virtualObject } = scope
  const { virtualCluster: name, hostNamespace: namespace } = naming
  const vcluster = { name, namespace, config }
  const rest = JSON.stringify({
    vcluster,
    hostObject: hostObject ?? null,
    virtualObject: virtualObject ?? null,
  })
  return (path) => `${rest.slice(0, -1)},"path":${JSON.stringify(path)}}`
}
