import { aggregateText } from '../../../meta/fieldErrors.ts'
import { createHash } from 'node:crypto'
import type { Clock } from '../../../meta/clock.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { StatusError } from '../../../meta/status.ts'
import type { AdmissionRequest } from '../../../registry/admission.ts'
import type { EventLimit, EventLimitType } from '../../../runtime/options/eventLimits.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import { isTarget } from '../podTarget.ts'
import { TokenBuckets } from './tokenBuckets.ts'

/** Refuses events of core/v1 above the limits of their namespace, user, source or the server. Source: Kubernetes,
 *  EventRateLimit. */
export function eventRateLimit(limits: readonly EventLimit[], clock: Clock): AdmissionPlugin {
  const enforced = limits.map((limit) => ({
    type: limit.type,
    buckets: new TokenBuckets(limit, clock),
  }))
  return {
    name: 'EventRateLimit',
    handles: (target) =>
      isTarget(target, { group: '', plural: 'events', operations: ['CREATE', 'UPDATE'] }),
    validate: (request) => {
      if (request.context.dryRun) return
      // Every limit is charged, even after another limit refused the event.
      const problems = enforced.flatMap(({ type, buckets }) => {
        const key = keys[type](request)
        return buckets.take(stored(key)) ? [] : [`limit reached on type ${type} for key ${key}`]
      })
      if (problems.length === 0) return
      const why = aggregateText(problems)
      throw new StatusError(429, 'TooManyRequests', `Too many requests: ${why}`)
    },
  }
}

const keys: Readonly<Record<EventLimitType, (request: AdmissionRequest) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ context }) => context.user.name,
  SourceAndObject: ({ object }) => {
    const [source, subject] = [partOf(object?.['source']), partOf(object?.['involvedObject'])]
    const fields = ['kind', 'namespace', 'name', 'uid', 'apiVersion']
    return [source('component'), source('host'), ...fields.map(subject)].join('')
  },
}

function partOf(value: unknown): (name: string) => string {
  const fields = isObject(value) ? value : {}
  return (name) => (typeof fields[name] === 'string' ? fields[name] : '')
}

const longestKey = 128

/**
 * Shortens a key: clients choose the strings in keys, so long keys are replaced by their digests.
 */
function stored(key: string): string {
  return key.length <= longestKey ? key : createHash('sha256').update(key).digest('base64')
}
