import { setTimeout as pause } from 'node:timers/promises'
import { get, post, type Answer } from '../../call.ts'
import { inNamespace } from '../../runCase.ts'
import { send, type Side } from '../../side.ts'
import type { Finding } from '../findings.ts'
import type { Part, PartContext } from '../part.ts'
import { attempt, unexplained } from '../servers/servers.ts'
import {
  conversionCases,
  converting,
  firstObjects,
  lastCalls,
  kinds,
  type ConversionCase,
} from './conversionCases.ts'
import { ReviewServer } from './reviewServer.ts'

const longestWaitMs = 20_000

/**
 * Conversion webhooks of custom kinds, served by this process. A case that differs is repeated once
 * in a separate namespace.
 */
export const conversionPart: Part = {
  name: 'conversion',
  titles: conversionCases.map(({ name }) => `conversion ${name}`),
  run: async (context) => {
    const server = await ReviewServer.open()
    let count = 0
    try {
      const sides = [context.servers.ours, context.servers.real]
      server.on('/convert', converting)
      await Promise.all(sides.map((side) => define(side, server)))
      for (const [at, given] of conversionCases.entries()) {
        if (!context.isWanted(`conversion ${given.name}`)) continue
        const surroundings = { context, server }
        const { compared, finding } = await compare(given, `case-${at}`, surroundings)
        count += compared
        // On a busy machine the real server reads its cache before or after a write of the case.
        if (finding === undefined) continue
        const again = await compare(given, `again-${at}`, surroundings)
        if (again.finding !== undefined) context.found(again.finding)
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

interface Outcome {
  compared: number
  finding?: Finding
}

async function compare(
  given: ConversionCase,
  id: string,
  { context: { servers }, server }: Surroundings,
): Promise<Outcome> {
  server.on('/convert', given.behaviour)
  const sides = [servers.ours, servers.real]
  await Promise.all(sides.map((side) => prepare(side, id)))
  const [ours = [], real = []] = await Promise.all(
    sides.map((side) => answersOf(side, { given, id }, server)),
  )
  server.on('/convert', converting)
  await Promise.all(
    sides.map(async (side) => {
      for (const call of lastCalls) await send(side, inNamespace(call, id))
    }),
  )
  const differences = unexplained(ours, real)
  if (differences.length === 0) return { compared: real.length }
  const calls = given.calls.map((call) => inNamespace(call, id))
  const finding = { title: `conversion ${given.name}`, calls, differences }
  return { compared: real.length, finding }
}

async function prepare(side: Side, id: string): Promise<void> {
  await send(side, post('/api/v1/namespaces', { metadata: { name: id } }))
  for (const call of firstObjects) {
    const { status, body } = await send(side, inNamespace(call, id))
    if (status >= 300) throw new Error(`${side.name}: ${call.path}: ${body}`)
  }
}

/**
 * Responses, followed by the form in which the webhook was called; the number of calls is specific
 * to each server.
 */
async function answersOf(
  side: Side,
  { given, id }: { given: ConversionCase; id: string },
  server: ReviewServer,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const before = server.callsOf(side.name, '/convert').length
  for (const call of given.calls) answers.push(await attempt(side, inNamespace(call, id)))
  const told = server.callsOf(side.name, '/convert').slice(before)
  const forms = told.map(({ line, headers, review: { kind, apiVersion, request } }) => {
    const { objects, desiredAPIVersion } = request
    const members = Object.keys(request).toSorted()
    return JSON.stringify({
      line,
      headers,
      kind,
      apiVersion,
      members,
      desiredAPIVersion,
      isList: Array.isArray(objects),
    })
  })
  const body = JSON.stringify([...new Set(forms)].toSorted())
  answers.push({ status: 200, headers: {}, body })
  const own = new RegExp(`/${side.name}/`, 'g')
  return answers.map((one) => ({
    ...one,
    body: one.body.replaceAll(own, '/side/').replaceAll(id, 'case').replaceAll(ofOneServer, ''),
  }))
}

/**
 * Parts of messages that are specific to each server: its resolver, and a revision of its store.
 */
const ofOneServer = / on [\d.]+:53(?=: no such host)|(?<=not decodable revision=)\d+/g

async function define(side: Side, server: ReviewServer): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const { status, body } = await send(side, post(path, definition(side, server)))
  if (status >= 300) throw new Error(`${side.name}: ${body}`)
  const until = performance.now() + longestWaitMs
  for (const version of ['v1', 'v2']) {
    while ((await send(side, get(`${kinds}/${version}/things`))).status !== 200) {
      if (performance.now() > until) throw new Error(`${side.name}: the kind is not served`)
      await pause(50)
    }
  }
}

function definition(side: Side, server: ReviewServer): object {
  const object = (properties: object) => ({ type: 'object', properties })
  const version = (name: string, field: string) => ({
    ...{ name, served: true, storage: name === 'v1', subresources: { status: {} } },
    schema: {
      openAPIV3Schema: object({
        spec: object({ [field]: { type: 'integer' } }),
        status: object({ ready: { type: 'integer' } }),
      }),
    },
  })
  const clientConfig = { url: server.url(side.name, '/convert'), caBundle: server.caBundle }
  return {
    ...{ kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1' },
    metadata: { name: 'things.hooked.example.com' },
    spec: {
      ...{ group: 'hooked.example.com', scope: 'Namespaced' },
      names: { plural: 'things', singular: 'thing', kind: 'Thing' },
      versions: [version('v1', 'size'), version('v2', 'count')],
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig },
      },
    },
  }
}
