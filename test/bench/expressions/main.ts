import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { Sandbox } from '../../../syncer/expressions/sandbox.ts'
import { sandboxDefaults, SandboxRuntime } from '../../../syncer/expressions/sandboxRuntime.ts'

// Evaluations per second: of the sandbox alone, and through its thread with 16 concurrent objects.
// Pin it to one core with taskset to compare with the target of 20,000.

const count = 100_000
const source = 'value.replace("a", "b")'
const naming = { virtualCluster: 'vcluster', hostNamespace: 'vcluster-ns' }
const scope = { naming, config: {}, hostObject: null, virtualObject: null }

const sandbox = await Sandbox.create(sandboxDefaults)
const alone = await perSecond(async () => {
  for (let done = 0; done < count; done++) {
    sandbox.evaluate({ source, value: '"abc"', context: undefined, naming })
  }
})
sandbox.close()

const runtime = new SandboxRuntime({ clock: realClock })
await runtime.check(source)
const object = async () => {
  for (let done = 0; done < count / 16; done++) {
    await runtime.evaluate(source, [{ value: 'abc', path: 'a' }], scope)
  }
}
const threaded = await perSecond(() => Promise.all(Array.from({ length: 16 }, object)))
await runtime.close()
process.stdout.write(`sandbox alone: ${alone}/s\nthrough its thread: ${threaded}/s\n`)

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return Math.round(count / ((performance.now() - started) / 1000))
}
