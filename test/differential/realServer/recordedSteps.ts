import { bodyOf, type RecordedStep } from '../../support/tables/admissionRecordings.ts'
import { get, type Answer, type Call } from '../call.ts'
import { send, type Side } from '../side.ts'
import { attempt } from './servers/servers.ts'

/** Request of a recorded step to one server. */
export async function callOf(side: Side, step: RecordedStep): Promise<Call> {
  const body = await bodyOf(step, async (path) => {
    const answer = await send(side, get(path))
    const { metadata } = JSON.parse(answer.body) as { metadata?: { uid?: string } }
    return metadata?.uid ?? ''
  })
  const { method, path, headers = {} } = step
  return { method, path, headers, ...(body === undefined ? {} : { body }) }
}

export async function answerOf(side: Side, step: RecordedStep): Promise<Answer> {
  return attempt(side, await callOf(side, step))
}

/**
 * Reports whether a step changes the admission of the servers; the real server takes a moment to
 * apply it.
 */
export function configuresAdmission({ method, path }: RecordedStep): boolean {
  return method !== 'GET' && path.includes('/admissionregistration.k8s.io/') && !isDryRun(path)
}

export function isDryRun(path: string): boolean {
  return path.includes('dryRun=All')
}
