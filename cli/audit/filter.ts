import { usageError } from '../base/cliError.ts'
import type { Flags } from '../base/flags.ts'
import { at, textAt } from '../base/apiObject.ts'

/** Audit event as recorded. */
export type AuditEvent = Readonly<Record<string, unknown>>

/** Required properties of events; undefined: any. */
export interface AuditFilter {
  user?: string | undefined
  verb?: string | undefined
  resource?: string | undefined
  namespace?: string | undefined
  name?: string | undefined
  /** Status code, or a class such as 4xx. */
  code?: string | undefined
  /** Milliseconds since the epoch. */
  since?: number | undefined
}

/** @throws CliError usage. */
export function filterOf(flags: Flags, now: number): AuditFilter {
  const seconds = flags.seconds('since')
  const code = flags.string('code')
  if (code !== undefined && !/^[1-5](\d\d|xx)$/.test(code))
    throw usageError(
      `invalid status code "${code}"`,
      'Give one such as 403, or a class such as 4xx.',
    )
  return {
    user: flags.string('user'),
    verb: flags.string('verb'),
    resource: flags.string('resource'),
    namespace: flags.string('namespace'),
    name: flags.string('name'),
    code,
    since: seconds === undefined ? undefined : now - seconds * 1000,
  }
}

export function isWanted(event: AuditEvent, filter: AuditFilter): boolean {
  const equals: [string | undefined, string | undefined][] = [
    [filter.user, textAt(event, 'user', 'username')],
    [filter.verb, textAt(event, 'verb')],
    [filter.resource, textAt(event, 'objectRef', 'resource')],
    [filter.namespace, textAt(event, 'objectRef', 'namespace')],
    [filter.name, textAt(event, 'objectRef', 'name')],
  ]
  if (equals.some(([wanted, found]) => wanted !== undefined && wanted !== found)) return false
  if (filter.code !== undefined && !isCode(event, filter.code)) return false
  return filter.since === undefined || timeOf(event) >= filter.since
}

function isCode(event: AuditEvent, wanted: string): boolean {
  const code = JSON.stringify(at(event, 'responseStatus', 'code') ?? '')
  return wanted.endsWith('xx') ? code.startsWith(wanted.charAt(0)) : code === wanted
}

function timeOf(event: AuditEvent): number {
  return Date.parse(textAt(event, 'stageTimestamp') ?? '')
}

export const eventColumns = ['Time', 'User', 'Verb', 'Object', 'Code'] as const

/** Cells of an event: time, user, verb, object or path, status code. */
export function eventCells(event: AuditEvent): string[] {
  const ref = at(event, 'objectRef')
  const object = [textAt(ref, 'resource'), textAt(ref, 'subresource')].filter(
    (part) => part !== undefined,
  )
  const place = [textAt(ref, 'namespace'), textAt(ref, 'name')].filter((part) => part !== undefined)
  return [
    textAt(event, 'stageTimestamp') ?? '',
    textAt(event, 'user', 'username') ?? '<none>',
    textAt(event, 'verb') ?? '',
    object.length === 0
      ? (textAt(event, 'requestURI') ?? '')
      : `${object.join('/')} ${place.join('/')}`.trim(),
    JSON.stringify(at(event, 'responseStatus', 'code') ?? null).replace('null', '<none>'),
  ]
}
