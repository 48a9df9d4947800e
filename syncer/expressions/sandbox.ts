import {
  newQuickJSWASMModuleFromVariant,
  RELEASE_SYNC,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten'
import { virtualToHostDns } from '../names/hostDns.ts'
import type { Naming } from '../names/naming.ts'
import { RunDeadline } from './runDeadline.ts'
import { sandboxPrelude } from './sandboxPrelude.ts'
import { ownThread, threadTimeMs } from './threadTime.ts'

/** Limits of one evaluation. */
export interface SandboxLimits {
  /** Processor time, as far as the engine checks it: not within its own functions. */
  timeMs: number
  /** Memory of the whole sandbox. */
  memoryBytes: number
  stackBytes: number
  /** Size of a result's JSON. */
  resultBytes: number
}

/** Input of one evaluation. Strings are JSON. */
export interface SandboxCall {
  source: string
  value: string
  /** Undefined: the expression does not use it. */
  context: string | undefined
  naming: Naming
}

interface Open {
  runtime: QuickJSRuntime
  context: QuickJSContext
  run: QuickJSHandle
  makeContext: QuickJSHandle
  compiled: Map<string, QuickJSHandle>
  /** The last `context`, which the matches of a patch often share except for the path. */
  lastContext: { json: string; handle: QuickJSHandle } | undefined
}

const mostCompiled = 500

/**
 * A separate engine without access to this one. Expressions are compiled once; all objects that could keep state are
 * frozen, and after a failure that may have left state behind the engine is recreated.
 * Source: specification, patches[].expression.
 */
export class Sandbox {
  readonly #module: QuickJSWASMModule
  readonly #limits: SandboxLimits
  #open: Open | undefined
  /** True if the engine was interrupted and must not be reused. */
  #isSpoilt = false
  #isBroken = false
  readonly #deadline: RunDeadline
  #naming: Naming = { virtualCluster: '', hostNamespace: '' }

  private constructor(module: QuickJSWASMModule, limits: SandboxLimits) {
    this.#module = module
    this.#limits = limits
    const thread = ownThread()
    this.#deadline = new RunDeadline(
      limits.timeMs,
      () => performance.now(),
      () => threadTimeMs(thread),
    )
  }

  static async create(limits: SandboxLimits): Promise<Sandbox> {
    return new Sandbox(await newQuickJSWASMModuleFromVariant(RELEASE_SYNC), limits)
  }

  /**
   * Checks an expression. It is parsed in two kinds of brackets, to detect a string that closes the
   * enclosing bracket.
   * @throws Error with the problem.
   */
  check(source: string): void {
    const { context } = this.#ready()
    for (const [before, after] of [
      ['(', ')'],
      ['[', ']'],
    ] as const) {
      const code = `"use strict";(function(value,context){return ${before}\n${source}\n${after}})`
      const parsed = context.evalCode(code, 'expression', { compileOnly: true })
      if (parsed.error !== undefined) {
        const why = this.#describe(parsed.error)
        throw new Error(`not an ES6 expression: ${why}`)
      }
      parsed.value.dispose()
    }
  }

  /**
   * Evaluates an expression and returns JSON; `null` for null and undefined.
   * @throws Error with a message for the author of the expression.
   */
  evaluate(call: SandboxCall): string {
    const expression = this.#compile(call.source)
    const open = this.#ready()
    const { context } = open
    this.#naming = call.naming
    this.#deadline.start()
    const value = context.newString(call.value)
    try {
      const given = call.context === undefined ? context.undefined : contextOf(open, call.context)
      const result = context.callFunction(open.run, context.undefined, expression, value, given)
      if (result.error !== undefined) throw this.#failure(result.error)
      const json = context.getString(result.value)
      result.value.dispose()
      const { resultBytes } = this.#limits
      if (json.length > resultBytes) {
        throw new Error(`the result is larger than ${resultBytes} bytes`)
      }
      return json
    } finally {
      this.#deadline.stop()
      value.dispose()
      // Pending jobs would run in another evaluation.
      if (this.#isSpoilt || open.runtime.hasPendingJob()) this.close()
    }
  }

  close(): void {
    const open = this.#open
    this.#open = undefined
    this.#isSpoilt = false
    if (open === undefined) return
    try {
      for (const handle of open.compiled.values()) handle.dispose()
      open.lastContext?.handle.dispose()
      open.run.dispose()
      open.makeContext.dispose()
      open.context.dispose()
      open.runtime.dispose()
    } catch {
      // The engine aborts if it detects a memory leak, such as after very deep objects.
      this.#isBroken = true
    }
  }

  /** True if the sandbox must be replaced. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  #compile(source: string): QuickJSHandle {
    const known = this.#ready().compiled.get(source)
    if (known !== undefined) return known
    this.check(source)
    const { context, compiled } = this.#ready()
    const code = `"use strict";(function(value,context){return (\n${source}\n)})`
    const made = context.evalCode(code, 'expression')
    if (made.error !== undefined) throw this.#failure(made.error)
    if (compiled.size >= mostCompiled) forgetOldest(compiled)
    compiled.set(source, made.value)
    return made.value
  }

  #ready(): Open {
    return (this.#open ??= this.#make())
  }

  #make(): Open {
    const runtime = this.#module.newRuntime()
    runtime.setMemoryLimit(this.#limits.memoryBytes)
    runtime.setMaxStackSize(this.#limits.stackBytes)
    runtime.setInterruptHandler(() => this.#deadline.isOver())
    const context = runtime.newContext()
    const dns = context.newFunction('virtualToHostDNS', (name) =>
      context.newString(virtualToHostDns(context.getString(name), this.#naming)),
    )
    context.setProp(context.global, '__virtualToHostDNS', dns)
    dns.dispose()
    const tools = context.unwrapResult(context.evalCode(sandboxPrelude, 'prelude'))
    const run = context.getProp(tools, 'run')
    const makeContext = context.getProp(tools, 'context')
    tools.dispose()
    return { runtime, context, run, makeContext, compiled: new Map(), lastContext: undefined }
  }

  /** The error with a message for the author of the expression. */
  #failure(error: QuickJSHandle): Error {
    const message = this.#describe(error)
    const { timeMs, memoryBytes } = this.#limits
    const isLate = message.includes('interrupted')
    const isLarge = message.includes('out of memory')
    this.#isSpoilt ||= isLate || isLarge
    if (isLate) return new Error(`the expression took more than ${timeMs} ms`)
    if (isLarge) return new Error(`the expression took more than ${memoryBytes} bytes of memory`)
    return new Error(message)
  }

  /** Reads the message, with limits like an evaluation, since that may run code of the expression. */
  #describe(error: QuickJSHandle): string {
    const { context } = this.#ready()
    this.#deadline.start()
    try {
      const [name, message] = ['name', 'message'].map((key) => textProperty(context, error, key))
      if (message === undefined) return `the expression threw ${shortened(textOf(context, error))}`
      return shortened(name === undefined ? message : `${name}: ${message}`)
    } finally {
      this.#deadline.stop()
      error.dispose()
    }
  }
}

function contextOf(open: Open, json: string): QuickJSHandle {
  const { context, makeContext, lastContext } = open
  if (lastContext?.json === json) return lastContext.handle
  lastContext?.handle.dispose()
  open.lastContext = undefined
  const text = context.newString(json)
  const handle = context.unwrapResult(context.callFunction(makeContext, context.undefined, text))
  text.dispose()
  open.lastContext = { json, handle }
  return handle
}

function forgetOldest(compiled: Map<string, QuickJSHandle>): void {
  const [oldest] = compiled
  if (oldest === undefined) return
  oldest[1].dispose()
  compiled.delete(oldest[0])
}

function textProperty(context: QuickJSContext, of: QuickJSHandle, key: string): string | undefined {
  if (context.typeof(of) !== 'object') return undefined
  const handle = context.getProp(of, key)
  const text = context.typeof(handle) === 'string' ? context.getString(handle) : undefined
  handle.dispose()
  return text
}

function textOf(context: QuickJSContext, handle: QuickJSHandle): string {
  const type = context.typeof(handle)
  return type === 'string' || type === 'number'
    ? context.getString(handle)
    : `a value of type ${type}`
}

const longestMessage = 500

function shortened(message: string): string {
  return message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message
}
