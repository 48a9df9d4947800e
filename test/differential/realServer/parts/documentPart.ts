import { get, type Answer, type Call } from '../../call.ts'
import type { Part } from '../part.ts'
import { createSeeds } from '../seeds/seedObjects.ts'
import { readSeeds } from '../seeds/seeds.ts'
import { compareCalls } from './compareCalls.ts'

const tableType = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

/** Documents that do not depend on the served kinds. */
const paths = [
  '/api',
  '/healthz',
  '/healthz?verbose',
  '/healthz/ping',
  '/healthz/etcd',
  '/healthz/none',
  '/livez',
  '/livez?verbose',
  '/livez/ping',
  '/livez?exclude=ping',
  '/livez?exclude=none',
  '/readyz',
  '/readyz?verbose',
  '/readyz/etcd',
  '/readyz/informer-sync',
  '/openapi/v3/none',
  '/apis/none.example.com',
  '/apis/apps/v9',
  '/api/v9',
  '/none',
  '/',
]

/** Tables of every kind, and the documents of the server. */
export const documentPart: Part = {
  name: 'documents',
  titles: [],
  run: async (context) => {
    const { servers } = context
    const seeds = readSeeds().filter(({ isAsked }) => !isAsked)
    await Promise.all([createSeeds(servers.ours, seeds), createSeeds(servers.real, seeds)])
    const calls: Call[] = [
      ...paths.map((path) => get(path)),
      ...seeds.map(({ address }) => get(address, tableType)),
      ...seeds.map(({ path, body }) =>
        get(`${path}?fieldSelector=metadata.name%3D${body.metadata.name}`, tableType),
      ),
    ]
    return compareCalls(context, calls, withoutLimits)
  },
}

/** Checks of request limits: the real server is started with the simpler of the two. */
const limitCheck = /^\[\+\]poststarthook\/(?:priority-and-fairness|max-in-flight)-.*\n/gm

function withoutLimits(answer: Answer): Answer {
  return { ...answer, body: answer.body.replaceAll(limitCheck, '') }
}
