import { setTimeout as pause } from 'node:timers/promises'
import { post, remove, type Answer } from '../../call.ts'
import { inNamespace } from '../../runCase.ts'
import { send, type Side } from '../../side.ts'
import type { Finding } from '../findings.ts'
import type { Part, PartContext } from '../part.ts'
import { attempt, unexplained } from '../servers/servers.ts'
import {
  allow,
  configMap,
  configMaps,
  configurationOf,
  type Hook,
  type HookCase,
} from './hookCase.ts'
import { matchCases } from './matchCases.ts'
import { patchCases } from './patchCases.ts'
import { betaCases, responseCases, unreachableCases } from './responseCases.ts'
import { orderCases } from './orderCases.ts'
import { reviewCases } from './reviewCases.ts'
import { shownCall } from './shownCall.ts'
import { ReviewServer } from './reviewServer.ts'

/** Number of cases whose webhooks are registered at the same time. */
const batchSize = 60
const longestWaitMs = 20_000

const cases = [
  ...responseCases,
  ...betaCases,
  ...unreachableCases,
  ...reviewCases,
  ...orderCases,
  ...matchCases,
  ...patchCases,
]

/**
 * Admission webhooks, served by this process: the requests that they get, and the effect of their
 * responses.
 */
export const hookPart: Part = {
  name: 'webhooks',
  setup: { admission: { disabled: ['ServiceAccount'] } },
  titles: cases.map(({ name }) => `webhooks ${name}`),
  run: async (context) => {
    const server = await ReviewServer.open()
    const wanted = cases.filter(({ name }) => context.isWanted(`webhooks ${name}`))
    let count = 0
    try {
      for (let from = 0; from < wanted.length; from += batchSize) {
        count += await compareBatch(wanted.slice(from, from + batchSize), from, { context, server })
      }
    } finally {
      await server.close()
    }
    return count
  },
}

interface Surroundings {
  context: PartContext
  server: ReviewServer
}

interface Placed {
  given: HookCase
  id: string
}

interface Outcome {
  compared: number
  finding?: Finding
}

/**
 * Compares cases. A case that differs is repeated in a separate namespace: on a busy machine the
 * real server calls a webhook a moment after its registration, or twice.
 */
async function compareBatch(
  given: readonly HookCase[],
  from: number,
  { context, server }: Surroundings,
): Promise<number> {
  const first = await runBatch(given, `case-${from}`, { context, server })
  const differing = given.filter((_, at) => first[at]?.finding !== undefined)
  const second = await runBatch(differing, `again-${from}`, { context, server })
  for (const { finding } of second) if (finding !== undefined) context.found(finding)
  return first.reduce((sum, { compared }) => sum + compared, 0)
}

async function runBatch(
  given: readonly HookCase[],
  prefix: string,
  { context, server }: Surroundings,
): Promise<Outcome[]> {
  if (given.length === 0) return []
  const placed = given.map((one, at) => ({ given: one, id: `${prefix}-${at}` }))
  const probe: Placed = {
    given: {
      name: 'probe',
      hooks: (['validating', 'mutating'] as const).map((type) => ({
        ...{ type, name: type, behaviour: allow },
      })),
      calls: [],
    },
    id: `probe-${prefix}`,
  }
  const sides = [context.servers.ours, context.servers.real]
  const all = [...placed, probe]
  await Promise.all(sides.map((side) => prepare(side, all, server)))
  await Promise.all(sides.map((side) => reached(side, probe, server)))
  const outcomes: Outcome[] = []
  for (const one of placed) outcomes.push(await compare(one, { context, server }))
  await Promise.all(sides.map((side) => forget(side, all)))
  return outcomes
}

/**
 * Creates namespaces, their first objects, and configurations, the last of which is that of the
 * probe.
 */
async function prepare(side: Side, all: readonly Placed[], server: ReviewServer): Promise<void> {
  for (const { given, id } of all) {
    const metadata = { name: id, labels: { case: id } }
    await expectSuccess(side, post('/api/v1/namespaces', { metadata }))
    for (const call of given.setup ?? []) await expectSuccess(side, inNamespace(call, id))
  }
  for (const { given, id } of all) {
    for (const { name = 'hook', behaviour } of given.hooks) server.on(`/${id}/${name}`, behaviour)
    for (const [type, path] of Object.entries(paths)) {
      const hooks = given.hooks.filter((hook) => hook.type === type)
      if (hooks.length > 0)
        await expectSuccess(side, post(path, configured(side, { hooks, id }, server)))
    }
  }
}

const group = '/apis/admissionregistration.k8s.io/v1'
const paths = {
  validating: `${group}/validatingwebhookconfigurations`,
  mutating: `${group}/mutatingwebhookconfigurations`,
} as const

function configured(
  side: Side,
  { hooks, id }: { hooks: readonly Hook[]; id: string },
  server: ReviewServer,
): unknown {
  const type = hooks[0]?.type ?? 'validating'
  const url = (path: string) => server.url(side.name, path)
  const { caBundle } = server
  const text = JSON.stringify(configurationOf({ type, hooks, id }, { url, caBundle }))
  const filled = text.replaceAll(/\{ns\}|\{name\}/g, id).replaceAll('{url}', url(`/${id}/hook`))
  return JSON.parse(filled)
}

async function expectSuccess(side: Side, call: Parameters<typeof send>[1]): Promise<void> {
  const { status, body } = await send(side, call)
  if (status >= 300) throw new Error(`${side.name}: ${call.path}: ${body}`)
}

/**
 * Resolves once the webhooks of the probe are called, and therefore all that were registered
 * before.
 */
async function reached(side: Side, { id }: Placed, server: ReviewServer): Promise<void> {
  const until = performance.now() + longestWaitMs
  for (;;) {
    await send(side, inNamespace(post(`${configMaps}?dryRun=All`, configMap('a')), id))
    const called = new Set(server.callsOf(side.name, `/${id}/`).map(({ path }) => path))
    if (called.size === 2) return
    if (performance.now() > until) throw new Error(`${side.name}: no webhook is called`)
    await pause(50)
  }
}

async function compare({ given, id }: Placed, { context, server }: Surroundings): Promise<Outcome> {
  const { servers } = context
  const [ours, real] = await Promise.all([
    answersOf(servers.ours, { given, id }, server),
    answersOf(servers.real, { given, id }, server),
  ])
  // A request that makes the real server panic is not compared.
  if (real.some(({ status }) => status === 0)) return { compared: 0 }
  const differences = unexplained(ours, real)
  if (differences.length === 0) return { compared: real.length }
  const calls = given.calls.map((call) => inNamespace(call, id))
  const finding = { title: `webhooks ${given.name}`, calls, differences }
  return { compared: real.length, finding }
}

/** Responses, followed by the requests to the webhooks. */
async function answersOf(
  side: Side,
  { given, id }: Placed,
  server: ReviewServer,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const call of given.calls) answers.push(await attempt(side, inNamespace(call, id)))
  const told = server.callsOf(side.name, `/${id}/`).map(shownCall)
  const reviews = ['validating', 'mutating'].flatMap((type) => {
    const ofType = given.hooks.filter((hook) => hook.type === type).map(({ name = 'hook' }) => name)
    return withoutRepeated(told.filter(({ path }) => ofType.includes(path.split('/').at(-1) ?? '')))
  })
  const all = [...answers, ...reviews.map((body) => answerOf(body)), answerOf(reviews.length)]
  const own = new RegExp(`/${side.name}/`, 'g')
  return all.map((one) => ({
    ...one,
    body: one.body.replaceAll(own, '/side/').replaceAll(id, 'case').replaceAll(ofOneServer, ''),
  }))
}

/**
 * Reviews of deletions without repetitions of the previous one: kube-apiserver first deletes what
 * its cache contains, and calls again about the same state if the cache lags behind.
 */
function withoutRepeated(reviews: readonly ReturnType<typeof shownCall>[]): object[] {
  return reviews.filter((one, at) => {
    const isDeletion = one.review.request['operation'] === 'DELETE'
    return !isDeletion || JSON.stringify(one) !== JSON.stringify(reviews[at - 1])
  })
}

function answerOf(body: unknown): Answer {
  return { status: 200, headers: {}, body: JSON.stringify(body) }
}

/**
 * Parts of messages that are specific to each server: its resolver, and a revision of its store.
 */
const ofOneServer = / on [\d.]+:53(?=: no such host)|(?<=not decodable revision=)\d+/g

async function forget(side: Side, all: readonly Placed[]): Promise<void> {
  for (const { id } of all) {
    for (const path of Object.values(paths)) await send(side, remove(`${path}/${id}`))
  }
}
