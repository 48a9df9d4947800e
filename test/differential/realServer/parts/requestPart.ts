import type { Part } from '../part.ts'
import { compareCalls, seedsOfKinds } from './compareCalls.ts'
import { requestsFor } from './requestCases.ts'

/** Paths, methods, queries, options and bodies that are wrong in one place, of a built-in kind and of a custom one. */
export const requestPart: Part = {
  name: 'requests',
  titles: [],
  run: async (context) => {
    const seeds = await seedsOfKinds(context, 'leases')
    return compareCalls(context, seeds.flatMap(requestsFor))
  },
}
