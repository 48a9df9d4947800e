import type { ApiServer } from '../apiServer.ts'
import { medians, type Bench } from '../bench.ts'
import { monotonicMicros, shareOf, type Period } from '../cpuProfile.ts'
import type { Row } from '../row.ts'
import { createRequest, getRequest } from '../sample.ts'
import { keyOf, rightsRequests } from '../sampleRights.ts'

const connections = 64
const counts = { users: 10_000, keys: 10_000, bindings: 1_000 }
/** Names of filter functions that check rights, as in profiles. */
const filters = ['authenticate', 'authorize']

/**
 * GET with a user's key, with many users, keys and bindings, compared with GET with the admin's key
 * without any; and the fraction of the work spent on rights.
 */
export async function rightsRows(bench: Bench): Promise<Row[]> {
  const { tool } = bench
  const folder = bench.newFolder()
  await seed(bench, await bench.startServer(folder))
  const profiles = bench.newFolder()
  const full = await bench.startServer(folder, { profile: profiles })
  const user = { ...full, token: keyOf(0) }
  // Both write profiles, because profiling costs time.
  const empty = await bench.startServer(bench.newFolder(), { profile: bench.newFolder() })
  await tool.http(empty, { ...single, request: createRequest(empty, 'get') })
  const period: Period = { fromMicros: monotonicMicros(), toMicros: 0 }
  const get = (target: ApiServer) => () => tool.http(target, load(bench, target))
  const [crowded = [], alone = []] = await bench.inTurn([get(user), get(empty)])
  period.toMicros = monotonicMicros()
  await Promise.all([full.stop(), empty.stop()])
  const share = shareOf(profiles, filters, period)
  const [ours, raw] = [medians(crowded), medians(alone)]
  return [
    {
      id: 'rights-stored',
      what: `GET by a user's key: ${counts.users} users, ${counts.keys} keys, ${counts.bindings} bindings`,
      ours: ours.perSecond,
      unit: '/s',
      raw: { value: raw.perSecond, what: "the admin's key, an empty store" },
      aim: { ratio: 0.85 },
      detail: `CPU ${ours.cpuMicros.toFixed(0)} µs (empty ${raw.cpuMicros.toFixed(0)})`,
    },
    {
      id: 'rights-share',
      what: 'authentication and authorization, of the time of that GET',
      ours: share * 100,
      unit: '%',
      aim: { most: 15 },
    },
  ]
}

const single = { connections: 1, count: 1, status: 201 }

function load({ options }: Bench, target: ApiServer) {
  const request = getRequest(target, 'get')
  return { connections, seconds: options.seconds, warm: 0.4, request, status: 200 }
}

async function seed({ tool }: Bench, server: ApiServer): Promise<void> {
  const { role, ...many } = rightsRequests(server)
  const object = createRequest(server, 'get')
  for (const request of [object, role]) await tool.http(server, { ...single, request })
  for (const [kind, request] of Object.entries(many)) {
    // The names are those of the objects that the requests create.
    const count = counts[kind as keyof typeof counts]
    await tool.http(server, { connections, count, request, status: 201 })
  }
  await server.stop()
}
