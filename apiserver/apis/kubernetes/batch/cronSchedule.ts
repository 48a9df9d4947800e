import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { isTimeZone } from './timeZones.ts'

interface Part {
  least: number
  most: number
  names?: readonly string[]
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const days = 'sun mon tue wed thu fri sat'.split(' ')

/** Minute, hour, day of month, month, day of week. */
const parts: readonly Part[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: months },
  { least: 0, most: 6, names: days },
]

const descriptors = [
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]

/**
 * Errors for a schedule: the first one, in the wording of Go's cron parser. Source: Kubernetes
 * documentation, "Schedule syntax".
 */
export function scheduleErrors(path: string, schedule: string, zones: ScheduleZones): FieldError[] {
  const details = [scheduleProblem(schedule), zoneProblem(schedule, zones)]
  return details.flatMap((why) => (why === undefined ? [] : [invalidField(path, schedule, why)]))
}

/** Time zone rules of a schedule: whether the schedule may name a zone, and the separate field. */
interface ScheduleZones {
  allowed: boolean
  field: string | undefined
}

function zoneProblem(schedule: string, { allowed, field }: ScheduleZones): string | undefined {
  if (!schedule.includes('TZ')) return undefined
  if (!allowed) return 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
  if (field === undefined) return undefined
  return 'cannot use both timeZone field and TZ or CRON_TZ in schedule'
}

function scheduleProblem(text: string): string | undefined {
  const [prefix = '', zone = ''] = /^(?:CRON_)?TZ=(\S*)\s*/.exec(text) ?? []
  const isKnown = ['', 'Local'].includes(zone) || isTimeZone(zone)
  if (!isKnown) return `provided bad location ${zone}: unknown time zone ${zone}`
  const schedule = text.slice(prefix.length)
  return schedule.startsWith('@') ? descriptorProblem(schedule) : fieldsProblem(schedule)
}

function fieldsProblem(schedule: string): string | undefined {
  const fields = schedule.split(/\s+/).filter((field) => field !== '')
  if (fields.length !== parts.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`
  }
  for (const [index, part] of parts.entries()) {
    for (const range of (fields[index] ?? '').split(',').filter((one) => one !== '')) {
      const problem = rangeProblem(range, part)
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined
  const every = '@every '
  if (!text.startsWith(every)) return `unrecognized descriptor: ${text}`
  const problem = durationProblem(text.slice(every.length))
  return problem && `failed to parse duration ${text}: time: ${problem}`
}

const durationUnits = ['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h']

/** First error of a duration such as `1h30m`; undefined: valid. Source: Go, time.ParseDuration. */
function durationProblem(text: string): string | undefined {
  const shown = JSON.stringify(text)
  let rest = text.replace(/^[-+]/, '')
  if (rest === '0') return undefined
  if (rest === '') return `invalid duration ${shown}`
  while (rest !== '') {
    const [number] = /^(\d+(\.\d*)?|\.\d+)/.exec(rest) ?? []
    if (number === undefined) return `invalid duration ${shown}`
    rest = rest.slice(number.length)
    const [unit = ''] = /^[^.\d]*/.exec(rest) ?? []
    if (unit === '') return `missing unit in duration ${shown}`
    if (!durationUnits.includes(unit))
      return `unknown unit ${JSON.stringify(unit)} in duration ${shown}`
    rest = rest.slice(unit.length)
  }
  return undefined
}

function rangeProblem(text: string, part: Part): string | undefined {
  const [span = '', step, ...more] = text.split('/')
  if (more.length > 0) return `too many slashes: ${text}`
  const [low = '', high, ...others] = span.split('-')
  if (others.length > 0) return `too many hyphens: ${text}`
  const problem = step === undefined ? undefined : stepProblem(step, text)
  if (problem !== undefined || low === '*' || low === '?') return problem
  return spanProblem([low, high ?? low], part, text)
}

function stepProblem(step: string, text: string): string | undefined {
  if (!/^\d+$/.test(step)) return unreadable(step)
  return Number(step) === 0 ? `step of range should be a positive number: ${text}` : undefined
}

function spanProblem([low, high]: [string, string], part: Part, text: string): string | undefined {
  const [start, end] = [numberOf(low, part), numberOf(high, part)]
  if (start === undefined) return unreadable(low)
  if (end === undefined) return unreadable(high)
  const { least, most } = part
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${text}`
  if (end > most) return `end of range (${end}) above maximum (${most}): ${text}`
  return start > end
    ? `beginning of range (${start}) beyond end of range (${end}): ${text}`
    : undefined
}

function numberOf(text: string, { names = [], least }: Part): number | undefined {
  const at = names.indexOf(text.toLowerCase())
  if (at >= 0) return at + least
  return /^\+?\d+$/.test(text) ? Number(text) : undefined
}

function unreadable(text: string): string {
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`
}
