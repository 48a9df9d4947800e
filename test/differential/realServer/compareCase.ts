import { setTimeout as pause } from 'node:timers/promises'
import { get, post, type Answer, type Call, type Case, type Step } from '../call.ts'
import { runCase, inNamespace, type AfterCall } from '../runCase.ts'
import { seenOf } from '../seen.ts'
import { send, type Side } from '../side.ts'
import type { Difference } from '../compare.ts'
import type { Finding } from './findings.ts'
import { unexplained, type Servers } from './servers/servers.ts'

let namespaces = 0
const longestWaitMs = 10_000

/**
 * Runs a case on both servers in a new namespace; undefined: the responses are equal, or one server
 * did not respond.
 */
export async function compareCase(
  servers: Servers,
  given: Case,
  afterCall?: AfterCall,
): Promise<Finding | undefined> {
  const namespace = `case-${process.pid}-${++namespaces}`
  const sides = [servers.ours, servers.real]
  try {
    await Promise.all(sides.map((side) => prepare(side, namespace)))
    const [ours = [], real = []] = await Promise.all(
      sides.map((side) => runCase(side, given, namespace, afterCall)),
    )
    const differences = unexplained(ours, real).sort(byWeight)
    const [first] = differences
    if (first === undefined) return undefined
    const calls = shownCalls(given.steps.slice(0, first.step + 1), real, namespace)
    return { title: given.name, calls, differences }
  } catch (error) {
    // The real server does not respond if it panics.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/** Ranks of revisions come last: they also differ if an earlier or later response does. */
function byWeight(one: Difference, other: Difference): number {
  const isRank = ({ at }: Difference) => Number(/resourceVersion$/.test(at))
  return isRank(one) - isRank(other) || one.step - other.step
}

/** Creates a namespace with the objects of controllers, which the real server does not run. */
async function prepare(side: Side, namespace: string): Promise<void> {
  await send(side, post('/api/v1/namespaces', { metadata: { name: namespace } }))
  const account = `/api/v1/namespaces/${namespace}/serviceaccounts`
  if (side.name === 'peer') await send(side, post(account, { metadata: { name: 'default' } }))
  const until = performance.now() + longestWaitMs
  while ((await send(side, get(`${account}/default`))).status !== 200) {
    if (performance.now() > until) throw new Error(`${side.name}: ${namespace} has no account`)
    await pause(5)
  }
}

/** Sent requests, with the values of the real server's responses. */
function shownCalls(steps: readonly Step[], answers: readonly Answer[], namespace: string): Call[] {
  const seen = seenOf(answers)
  return steps.map((step) => inNamespace(typeof step === 'function' ? step(seen) : step, namespace))
}
