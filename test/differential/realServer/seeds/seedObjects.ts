import { setTimeout as pause } from 'node:timers/promises'
import { get, post, type Answer, type Call } from '../../call.ts'
import { send, type Side } from '../../side.ts'
import { seedNamespace, type Seed } from './seeds.ts'

const longestWaitMs = 20_000

/** Prerequisites of the first object that no controller of the real server creates. */
const surroundings: readonly Call[] = [
  post('/api/v1/namespaces', { metadata: { name: seedNamespace } }),
  post(`/api/v1/namespaces/${seedNamespace}/serviceaccounts`, { metadata: { name: 'default' } }),
]

/**
 * Creates the objects of all seeds. The responses are in the order of the seeds; undefined for one
 * that is not stored.
 */
export async function createSeeds(
  side: Side,
  seeds: readonly Seed[],
): Promise<(Answer | undefined)[]> {
  for (const call of surroundings) await send(side, call)
  const answers: (Answer | undefined)[] = []
  for (const { path, body, isAsked } of seeds) {
    await served(side, path)
    answers.push(isAsked ? undefined : await send(side, post(path, body)))
  }
  return answers
}

/** Waits for a custom kind, which is served a little after its definition was created. */
async function served(side: Side, path: string): Promise<void> {
  if (!path.startsWith('/apis/example.com/')) return
  const until = performance.now() + longestWaitMs
  while ((await send(side, get(path))).status !== 200) {
    if (performance.now() > until) throw new Error(`${side.name}: ${path} is not served`)
    await pause(50)
  }
}
