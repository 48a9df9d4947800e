import { client, missingClient, type Client } from '../conformance/support/scenario.ts'
import type { Surroundings } from '../conformance/support/serverProcess.ts'
import { peerPrograms, peerVersion } from '../peer/peerPrograms.ts'
import type { Case } from './call.ts'
import { allCases } from './cases/allCases.ts'
import type { Difference } from './compare.ts'
import { deviationOf, peerDifference } from './explained.ts'
import { openTwoServers, type TwoServers } from './twoServers.ts'

/**
 * The same requests to this server and to the sample API server of the real library: each
 * difference is a failure, except for those explained by docs/reference/deviations.yaml and those
 * for which this peer is no reference.
 */
export function differentialClient(around: Surroundings): Client {
  const name = `differential to sample-apiserver ${peerVersion}`
  return {
    name,
    run: async (report, wanted) => {
      if (!allCases.some((given) => wanted.isWanted(`${name}: ${given.name}`))) return
      const programs = peerPrograms()
      if (typeof programs === 'string') {
        return missingClient(name, programs).run(report, wanted)
      }
      await client<TwoServers>({
        name,
        scenarios: allCases.map((given) => ({
          name: given.name,
          run: async (servers) => check(given, await servers.compare(given)),
        })),
        open: () => openTwoServers(around, programs),
        close: (servers) => servers.close(),
      }).run(report, wanted)
    },
  }
}

/** @throws Error with every unexplained difference. */
function check({ steps }: Case, found: readonly Difference[]): void {
  const left = found.filter((one) => {
    return deviationOf(one) === undefined && peerDifference(one) === undefined
  })
  if (left.length > 0) throw new Error(left.map((one) => shown(one, steps)).join('\n'))
}

function shown({ step, at, ours, peer }: Difference, steps: Case['steps']): string {
  const call = steps[step]
  const what =
    typeof call === 'object'
      ? `${call.method ?? 'GET'} ${call.path} ${text(call.body ?? '')} ${text(call.headers)}`
      : 'a request made of answers'
  return `${step} (${what}): ${at}\n  ours ${text(ours)}\n  peer ${text(peer)}`
}

function text(value: unknown): string {
  const whole = value === undefined ? 'nothing' : JSON.stringify(value)
  return whole.length > 500 ? `${whole.slice(0, 500)}…` : whole
}
