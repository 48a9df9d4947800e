import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer, Call } from '../../call.ts'
import { differences, type Difference } from '../../compare.ts'
import { deviationOf } from '../../explained.ts'
import { normalised } from '../../normalise.ts'
import { send, type Side } from '../../side.ts'
import { startOwnServer } from './ownServer.ts'
import { ownAdmission, realAdmission, type AdmissionSetup } from '../admission/admissionSetup.ts'
import type { RealPrograms } from './programs.ts'
import { startRealServer } from './realServer.ts'

/** Pair of this server and the real one, both with the same empty state. */
export interface Servers {
  ours: Side
  real: Side
  stop: () => Promise<void>
}

/** Setup of both servers. */
export interface ServerSetup {
  admission: AdmissionSetup
}

export async function startServers(
  programs: RealPrograms,
  folder: string,
  { admission }: ServerSetup = { admission: {} },
): Promise<Servers> {
  mkdirSync(folder, { recursive: true })
  const [ours, real] = await Promise.all([
    startOwnServer(ownAdmission(admission, folder)),
    startRealServer(programs, join(folder, 'real'), realAdmission(admission, folder)),
  ])
  return {
    ours: ours.side,
    real: real.side,
    stop: async () => {
      await Promise.all([ours.stop(), real.stop()])
    },
  }
}

/** Number of further requests to the real server if the answers differ. */
const moreAnswers = 60

/**
 * Unexplained differences of the responses to one request. A request that makes the real server
 * panic is not compared; one with several responses, depending on the order of a Go map, may have
 * any of them. `shown` removes from a response what is not compared.
 */
export async function compareCall(
  { ours, real }: Servers,
  call: Call,
  shown = (answer: Answer): Answer => answer,
): Promise<Difference[]> {
  const [left, right] = await Promise.all([attempt(ours, call), attempt(real, call)])
  if (right.status === 0) return []
  const differences = unexplained([shown(left)], [shown(right)])
  for (let asked = 0; differences.length > 0 && asked < moreAnswers; asked++) {
    const again = await attempt(real, call)
    if (again.status !== 0 && unexplained([shown(left)], [shown(again)]).length === 0) return []
  }
  return differences
}

/** Response; status 0 if the server closed the connection without one. */
export async function attempt(side: Side, call: Call): Promise<Answer> {
  try {
    return await send(side, call)
  } catch (error) {
    return { status: 0, headers: {}, body: String(error) }
  }
}

/** Differences of two lists of responses that no deviation explains. */
export function unexplained(ours: readonly Answer[], real: readonly Answer[]): Difference[] {
  const found = differences(normalised(ours), normalised(real))
  return found.filter((one) => deviationOf(one) === undefined)
}
