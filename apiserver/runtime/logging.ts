import { pino, type DestinationStream } from 'pino'
import type { Clock } from '../meta/clock.ts'
import { setMember } from '../meta/json/plainMembers.ts'
import type { LogFormat, LogLevel } from './options/serverOptions.ts'
import { textLines } from './textLines.ts'

type WriteLine = (fields: Readonly<Record<string, unknown>>, message: string) => void

/**
 * Structured log lines. An error is logged in the field `err`. Fields named like a secret are redacted at any depth;
 * bodies and API objects are never logged, since their secrets can have any name.
 */
export interface Logger {
  trace: WriteLine
  debug: WriteLine
  info: WriteLine
  warn: WriteLine
  error: WriteLine
}

export interface LoggerOptions {
  level: LogLevel
  clock: Clock
  /** Default: text if standard error is a terminal and `destination` is not given, otherwise JSON. */
  format?: LogFormat | undefined
  /** Default: standard error, written in the background; buffered lines are flushed when the process exits. */
  destination?: DestinationStream
}

/** Lines with `level` as a word and `time` in RFC 3339 with milliseconds as JSON; or as text for people. */
export function createLogger({ level, clock, format, destination }: LoggerOptions): Logger {
  const isTerminal = destination === undefined && process.stderr.isTTY
  const isText = (format ?? (isTerminal ? 'text' : 'json')) === 'text'
  const out = destination ?? pino.destination({ dest: 2, sync: false })
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        // The library's own redaction by path costs ten times as much per line, and misses deeper fields.
        log: (fields) => redactMap(fields, deepestLevel),
      },
    },
    isText ? textLines(out) : out,
  )
}

const secretFields = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'sec-websocket-protocol', // browsers send the bearer token in it
  'token',
  'bearerToken',
  'accessKey',
  'adminAccessKey',
  'adminPassword',
  'privateKey',
  'clientSecret',
  'password',
])

/** Maximum depth, which bounds the work and the effect of a cycle. */
const deepestLevel = 6

function redact(value: unknown, levels: number): unknown {
  if (!isPlain(value)) return value
  if (levels === 0) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => redact(item, levels - 1))
  return redactMap(value, levels)
}

/** Reports whether a value is an array or a plain map rather than an error, a date or another class instance. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}

function redactMap(fields: object, levels: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    setMember(shown, name, secretFields.has(name) ? '[redacted]' : redact(value, levels - 1))
  }
  return shown
}

/** Seconds since a time of the monotonic clock, in milliseconds. */
export function secondsSince(beganMs: number): number {
  return Math.round(performance.now() - beganMs) / 1000
}
