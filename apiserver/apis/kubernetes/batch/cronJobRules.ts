import { invalidField, notSupportedField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { asEncoded, given, notNegative, oneOf } from '../../fieldChecks.ts'
import type { CronJobSpec, JobSpec } from '../shapes/batchV1.ts'
import { scheduleErrors } from './cronSchedule.ts'
import { jobSpecErrors } from './jobRules.ts'
import { isTimeZone } from './timeZones.ts'

export function cronJobSpec(object: ApiObject): CronJobSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

const maxNameBytes = 52

/** Errors for the name: names of jobs consist of it and a time. */
export function nameErrors({ metadata: { name = '' } }: ApiObject): FieldError[] {
  if (name.length <= maxNameBytes) return []
  const detail = `must be no more than ${maxNameBytes} characters`
  return [invalidField('metadata.name', name, detail)]
}

/**
 * Errors for a spec; `old` undefined: a new object. Stored objects may keep a time zone in the
 * schedule and an unknown time zone. Source: Kubernetes API reference, CronJobSpec v1; observed
 * answers.
 */
export function cronJobErrors(spec: CronJobSpec, old: CronJobSpec | undefined): FieldError[] {
  const { schedule = '', timeZone, jobTemplate } = spec
  const zones = { allowed: old?.schedule?.includes('TZ') === true, field: timeZone }
  const isNewZone = timeZone !== undefined && (old === undefined || old.timeZone !== timeZone)
  return [
    ...(schedule === '' ? [] : scheduleErrors('spec.schedule', schedule, zones)),
    ...notNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...(isNewZone ? zoneErrors('spec.timeZone', timeZone) : []),
    ...oneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']),
    ...templateErrors('spec.jobTemplate.spec', jobTemplate?.spec ?? {}),
    ...notNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...notNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
    ...given('spec.schedule', schedule),
  ]
}

/** Errors for the job template, which must not set a selector: each job gets its own. */
function templateErrors(path: string, spec: JobSpec): FieldError[] {
  const { selector, manualSelector } = spec
  const at = `${path}.manualSelector`
  return [
    ...jobSpecErrors(path, spec),
    ...(selector
      ? [invalidField(`${path}.selector`, asEncoded(selector), '`selector` will be auto-generated')]
      : []),
    ...(manualSelector === true ? [notSupportedField(at, true, ['nil', 'false'])] : []),
  ]
}

const zonePart = /^[A-Za-z.\-_0-9+]{1,14}$/

/** Errors for the time zone. Source: Kubernetes API reference, `timeZone`; observed answers. */
function zoneErrors(path: string, zone: string): FieldError[] {
  const wrong = (detail: string) => [invalidField(path, zone, detail)]
  if (zone === '') return wrong('timeZone must be nil or non-empty string')
  const isPart = (part: string) =>
    part !== '.' && part !== '..' && !part.startsWith('-') && zonePart.test(part)
  if (!zone.split('/').every(isPart)) return wrong(`unknown time zone ${zone}`)
  if (zone.toLowerCase() === 'local') {
    const detail =
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'
    return [...wrong(detail), ...(zone === 'Local' ? [] : wrong(`unknown time zone ${zone}`))]
  }
  return isTimeZone(zone) ? [] : wrong(`unknown time zone ${zone}`)
}
