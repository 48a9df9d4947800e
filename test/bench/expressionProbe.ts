/**
 * Measures expressions alone, in a separate process: `expressionProbe.ts MODE SECONDS`. Prints the
 * evaluations per second of processor time of all threads: `ours` as in the syncer, `raw` with the
 * bare engine.
 */
import { getQuickJS } from 'quickjs-emscripten'
import { realClock as clock } from '../../apiserver/runtime/realClock.ts'
import { SandboxRuntime } from '../../syncer/expressions/sandboxRuntime.ts'

const [mode = 'ours', secondsText = '1'] = process.argv.slice(2)
const expression = '"host-" + value'
/** Matches of a large object. */
const batch = Array.from({ length: 100 }, (_, at) => `value-${at}`)

async function sandboxed(): Promise<() => Promise<void>> {
  const runtime = new SandboxRuntime({ clock })
  const naming = { virtualCluster: 'web', hostNamespace: 'team' }
  const scope = { naming, config: {}, hostObject: null, virtualObject: null }
  const inputs = batch.map((value) => ({ value, path: 'metadata.annotations.team' }))
  await runtime.evaluate(expression, inputs, scope)
  return async () => {
    await runtime.evaluate(expression, inputs, scope)
  }
}

async function bare(): Promise<() => Promise<void>> {
  const context = (await getQuickJS()).newContext()
  const made = context.unwrapResult(context.evalCode(`((value) => (${expression}))`))
  return () => {
    for (const text of batch) {
      const value = context.newString(text)
      const result = context.unwrapResult(context.callFunction(made, context.undefined, value))
      context.getString(result)
      result.dispose()
      value.dispose()
    }
    return Promise.resolve()
  }
}

async function perCpuSecond(run: () => Promise<void>): Promise<number> {
  for (let round = 0; round < 100; round++) await run()
  const before = process.cpuUsage()
  const end = performance.now() + Number(secondsText) * 1000
  let evaluated = 0
  while (performance.now() < end) {
    await run()
    evaluated += batch.length
  }
  const { user, system } = process.cpuUsage(before)
  return (evaluated * 1e6) / (user + system)
}

const value = await perCpuSecond(await (mode === 'raw' ? bare() : sandboxed()))
process.stdout.write(`${Math.round(value)}\n`)
process.exit(0)
