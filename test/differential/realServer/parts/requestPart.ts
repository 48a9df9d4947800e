import type { Part } from '../part.ts'
import { createSeeds } from '../seeds/seedObjects.ts'
import { readSeeds } from '../seeds/seeds.ts'
import { compareCall } from '../servers/servers.ts'
import { inLanes } from './inLanes.ts'
import { requestsFor } from './requestCases.ts'

/** Paths, methods, queries, options and bodies that are wrong in one place, of a built-in kind and of a custom one. */
export const requestPart: Part = {
  name: 'requests',
  titles: [],
  run: async ({ servers, found }) => {
    const seeds = readSeeds().filter(({ path }) =>
      /\/leases$|\/customresourcedefinitions$|\/gadgets$/.test(path),
    )
    await Promise.all([createSeeds(servers.ours, seeds), createSeeds(servers.real, seeds)])
    const calls = seeds
      .filter(({ path }) => !path.endsWith('customresourcedefinitions'))
      .flatMap((seed) => requestsFor(seed))
    await inLanes(calls, async (call) => {
      const differences = await compareCall(servers, call)
      if (differences.length > 0) found({ title: call.path, calls: [call], differences })
    })
    return calls.length
  },
}
