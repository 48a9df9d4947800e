import type { Part } from '../part.ts'
import { compareCalls, createdSeeds, seedsOfKinds } from './compareCalls.ts'
import { internalFieldRequests, requestsFor } from './requestCases.ts'

/**
 * Paths, methods, queries, options and bodies with one error, for a built-in kind and a custom one.
 */
export const requestPart: Part = {
  name: 'requests',
  titles: [],
  run: async (context) => {
    const seeds = await seedsOfKinds(context, 'leases')
    const workloads = await createdSeeds(context, ['deployments', 'daemonsets'])
    const calls = [...seeds.flatMap(requestsFor), ...workloads.flatMap(internalFieldRequests)]
    return compareCalls(context, calls)
  },
}
