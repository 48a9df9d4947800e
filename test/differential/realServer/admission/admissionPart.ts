import { setTimeout as pause } from 'node:timers/promises'
import {
  optionalPlugins,
  readRecording,
  recordings,
  type RecordedStep,
  type Recording,
} from '../../../support/tables/admissionRecordings.ts'
import type { Answer } from '../../call.ts'
import type { Difference } from '../../compare.ts'
import type { Part, PartContext } from '../part.ts'
import { answerOf, callOf, configuresAdmission, isDryRun } from '../recordedSteps.ts'
import { unexplained, type Servers, type ServerSetup } from '../servers/servers.ts'

/** Time within which the real server applies a configuration. */
const followingMs = 15_000
const betweenTriesMs = 250

/** Live requests of the recordings: plugins, policies, and their objects. */
function admissionPart(
  name: string,
  setup: ServerSetup,
  isWanted: (recording: Recording) => boolean,
): Part {
  const wanted = recordings.filter(isWanted)
  return {
    ...{ name, setup },
    titles: wanted.map(({ file }) => `admission ${file}`),
    run: async (context) => {
      let count = 0
      for (const { file } of wanted) {
        const title = `admission ${file}`
        if (context.isWanted(title)) count += await compareRecording(context, file, title)
      }
      return count
    },
  }
}

export const admissionParts: readonly Part[] = [
  admissionPart(
    'admission',
    // No controller creates the accounts of pods.
    { admission: { enabled: ['NodeRestriction', 'RuntimeClass'], disabled: ['ServiceAccount'] } },
    ({ isOptional }) => isOptional !== true,
  ),
  admissionPart(
    'admission-plugins',
    { admission: { enabled: [...optionalPlugins, 'RuntimeClass'], disabled: ['ServiceAccount'] } },
    ({ isOptional }) => isOptional === true,
  ),
]

async function compareRecording(
  { servers, found }: PartContext,
  file: string,
  title: string,
): Promise<number> {
  const steps = readRecording(file)
  let isFollowing = false
  for (const step of steps) {
    const differences = await compareStep(servers, step, isFollowing)
    isFollowing ||= configuresAdmission(step)
    if (differences.length === 0 || isNotCompared(step)) continue
    const call = await callOf(servers.real, step)
    found({ title: `${title}: ${step.name ?? step.path}`, calls: [call], differences })
  }
  return steps.length
}

/**
 * Differences in a step; a request that changes nothing is repeated on the real server while it
 * applies a configuration.
 */
async function compareStep(
  { ours, real }: Servers,
  step: RecordedStep,
  isFollowing: boolean,
): Promise<Difference[]> {
  const own = await answerOf(ours, step)
  const until = performance.now() + (isFollowing && isDryRun(step.path) ? followingMs : 0)
  for (;;) {
    const answer = await answerOf(real, step)
    if (answer.status === 0) return []
    const differences = unexplained([named(own)], [named(answer)])
    if (differences.length === 0 || performance.now() > until) return differences
    await pause(betweenTriesMs)
  }
}

const flowObjects =
  /\/flowcontrol\.apiserver\.k8s\.io\/v1\/(flowschemas|prioritylevelconfigurations)(\/exempt.*)?$/

/**
 * Steps about objects that a controller created, namely the default account and the first objects
 * of flow control, and one that shows a fault of the real server: its informer of config maps
 * remains stopped after the last policy with parameters of that kind was deleted.
 */
function isNotCompared({ name, method, path, body = {} }: RecordedStep): boolean {
  if (name === 'params by selector') return true
  const { metadata } = body as { metadata?: { name?: string } }
  const isAccount = path.endsWith('/serviceaccounts') && metadata?.name === 'default'
  return isAccount || (method !== 'POST' && flowObjects.test(path.replace(/\?.*/, '')))
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Administrator in a signing request, whose groups differ between the servers. */
const requester = /"uid":"[^"]*","groups":\["system:masters"[^\]]*\](,"extra":\{[^}]*\})?/g

/**
 * Number of a binding at the end of its name. The real server evaluates several bindings of a
 * policy in the order of a map.
 */
const boundBy = /(with binding 'b\d+-\d+)-\d+'/g

/** Response without UIDs, user and order of bindings, which are specific to each server. */
function named(answer: Answer): Answer {
  const body = answer.body
    .replaceAll(requester, '"groups":[]')
    .replaceAll(uid, 'uid')
    .replaceAll(boundBy, "$1'")
  return { ...answer, body }
}
