import type { Call } from '../../base/commandSpec.ts'
import { textAt } from '../../base/apiObject.ts'
import { CliError, usageError } from '../../base/cliError.ts'
import { variable } from '../../base/program.ts'
import { readAuditFile } from '../../audit/auditFile.ts'
import {
  eventCells,
  eventColumns,
  filterOf,
  isWanted,
  type AuditEvent,
} from '../../audit/filter.ts'
import { openSession } from '../../client/session.ts'
import { formatOf, isTable, type Format } from '../../output/format.ts'
import { formatted } from '../../output/formatted.ts'
import { tableText } from '../../output/table.ts'

const defaultLines = 20
const defaultLimit = 100
const timeWidth = 27

/** Prints the newest events of the audit log file, and follows it. */
export async function tailAudit(call: Call): Promise<void> {
  const { flags, signal, terminal } = call
  const format = await formatOf(flags)
  const filter = filterOf(flags, Date.now())
  const path = flags.string('file') ?? (await configured(call, 'path'))
  if (path === undefined || path === '-')
    throw usageError(
      'the audit log is not written to a file',
      'Name a file with --file, or set audit.path in the configuration.',
    )
  const limit = numberOf(flags.string('lines'), defaultLines)
  const newest: AuditEvent[] = []
  await readAuditFile(path, { isFollowing: false, signal }, (event) => {
    if (!isWanted(event, filter)) return
    newest.push(event)
    if (newest.length > limit) newest.shift()
  })
  await showEvents(call, newest, format)
  if (!flags.is('follow')) return
  let skipped = 0
  // Events up to here were printed, or are too old.
  const last = newest.at(-1)
  await readAuditFile(path, { isFollowing: true, signal }, async (event) => {
    if (skipped === 0 && last !== undefined && !isSame(event, last)) return
    if (skipped === 0 && last !== undefined) return void skipped++
    if (isWanted(event, filter)) await terminal.out(await lineOf(event, format))
  })
}

function isSame(a: AuditEvent, b: AuditEvent): boolean {
  return a['auditID'] === b['auditID'] && a['stage'] === b['stage']
}

/** Prints events from the audit database. */
export async function queryAudit(call: Call): Promise<void> {
  const { flags } = call
  const format = await formatOf(flags)
  const filter = filterOf(flags, Date.now())
  const endpoint =
    variable(call.program, call.env, 'AUDIT_STORE') ?? (await configured(call, 'dataStoreEndpoint'))
  if (endpoint === undefined || !/^postgres(ql)?:\/\//.test(endpoint)) {
    const hint = `Set ${call.program.name.toUpperCase()}_AUDIT_STORE to its address, or audit.dataStoreEndpoint in the configuration, which you have to be allowed to see.`
    throw new CliError('no audit database is known', { hint })
  }
  const { queryAuditStore } = await import('../../audit/auditStore.ts')
  const limit = numberOf(flags.string('limit'), defaultLimit)
  await showEvents(call, await queryAuditStore(endpoint, filter, limit), format)
}

/** Audit log setting in the platform's configuration. */
async function configured(call: Call, field: string): Promise<string | undefined> {
  const { client } = await openSession(call)
  const { status } = await client.get({ plural: 'configs' }, 'config')
  return textAt(status, 'audit', field)
}

async function showEvents(
  { terminal }: Call,
  events: readonly AuditEvent[],
  format: Format,
): Promise<void> {
  if (!isTable(format)) {
    for (const event of events) await terminal.out(await lineOf(event, format))
    return
  }
  if (events.length === 0) return terminal.say('No events found.')
  await terminal.out(tableText({ columns: eventColumns, rows: events.map(eventCells) }))
}

/** Event on one line; with `-o json` as recorded. */
async function lineOf(event: AuditEvent, format: Format): Promise<string> {
  if (format.type === 'json') return `${JSON.stringify(event)}\n`
  if (!isTable(format)) return formatted(event, format)
  const [time = '', ...cells] = eventCells(event)
  return `${[time.padEnd(timeWidth), ...cells].join('   ')}\n`
}

function numberOf(given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise
  const number = Number(given)
  if (Number.isInteger(number) && number >= 0) return number
  throw usageError(`"${given}" is not a number`)
}
