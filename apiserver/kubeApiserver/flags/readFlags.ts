import { isIP } from 'node:net'
import { goQuote } from '../../meta/goQuote.ts'
import { acceptedFlags } from './acceptedFlags.ts'
import type { FlagType, KubeFlag } from './flag.ts'
import { durationMs, FlagValues, isBoolean } from './kubeFlagValues.ts'
import { usedFlags } from './usedFlags.ts'

/** Every flag of the program, in the order of the help's sections. */
export const kubeFlags: readonly KubeFlag[] = [...usedFlags, ...acceptedFlags]

/** Error for a wrong command line, with the message of the real program. */
export class FlagError extends Error {}

/** Action that the command line requests. */
export type Request = 'serve' | 'help' | 'version'

export interface ReadFlags {
  request: Request
  values: FlagValues
}

const program = 'kube-apiserver'

/**
 * Parses the arguments of kube-apiserver: `--name=value`, `--name value`, and `--name` for booleans; underscores count
 * as dashes. @throws FlagError for unknown flags and values of the wrong type, in the real program's wording.
 * Source: pflag; seen on kube-apiserver 1.37.2.
 */
export function readFlags(args: readonly string[]): ReadFlags {
  const known = new Map(kubeFlags.map((flag) => [flag.name, flag]))
  const values = new FlagValues(known)
  const words: string[] = []
  let request: Request = 'serve'
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      words.push(...args.slice(at + 1))
      break
    }
    if (!arg.startsWith('-') || arg === '-') words.push(arg)
    else if (arg === '--help' || arg === '-h') return { request: 'help', values }
    else if (/^--version(=|$)/.test(arg)) request = arg.endsWith('=false') ? request : 'version'
    else at += addFlag(values, { arg, next: args[at + 1], known })
  }
  if (request === 'serve' && words.length > 0) {
    throw new FlagError(
      `"${program}" does not take any arguments, got [${words.map(goQuote).join(' ')}]`,
    )
  }
  return { request, values }
}

interface Given {
  arg: string
  next: string | undefined
  known: ReadonlyMap<string, KubeFlag>
}

/** Adds the flag of an argument. Returns the number of further arguments that belong to it. */
function addFlag(values: FlagValues, { arg, next, known }: Given): 0 | 1 {
  const { flag, value } = flagOf(arg, known)
  const given = value ?? (flag.type === 'bool' ? 'true' : next)
  if (given === undefined) {
    throw new FlagError(
      arg.startsWith('--')
        ? `flag needs an argument: ${arg}`
        : `flag needs an argument: ${goQuoteChar(arg[1] ?? '')} in ${arg}`,
    )
  }
  const why = problem(flag.type, given)
  if (why !== undefined) {
    const shown = flag.short === undefined ? `--${flag.name}` : `-${flag.short}, --${flag.name}`
    throw new FlagError(`invalid argument ${goQuote(given)} for "${shown}" flag: ${why}`)
  }
  values.add(flag.name, given)
  return value === undefined && flag.type !== 'bool' ? 1 : 0
}

function flagOf(arg: string, known: Given['known']): { flag: KubeFlag; value: string | undefined } {
  if (!arg.startsWith('--')) return shortFlag(arg, known)
  const sign = arg.indexOf('=')
  const written = sign < 0 ? arg : arg.slice(0, sign)
  const flag = known.get(written.slice(2).replaceAll('_', '-'))
  if (flag === undefined) throw new FlagError(`unknown flag: ${written}`)
  return { flag, value: sign < 0 ? undefined : arg.slice(sign + 1) }
}

function shortFlag(arg: string, known: Given['known']) {
  const letter = arg[1] ?? ''
  const flag = [...known.values()].find(({ short }) => short === letter)
  if (flag === undefined) {
    throw new FlagError(`unknown shorthand flag: ${goQuoteChar(letter)} in ${arg}`)
  }
  const rest = arg.slice(2)
  return { flag, value: rest === '' ? undefined : rest.replace(/^=/, '') }
}

function goQuoteChar(letter: string): string {
  return `'${letter}'`
}

const integer = /^[-+]?\d+$/

/** Reason why a string is not a value of the type; undefined: valid. */
function problem(type: FlagType, text: string): string | undefined {
  const number = numbers[type]
  if (number !== undefined) {
    const { isValid, parser } = number
    return isValid(text) ? undefined : `strconv.${parser}: parsing ${goQuote(text)}: invalid syntax`
  }
  if (type === 'duration') return durationProblem(text)
  if (type !== 'ip' || isIP(text.trim()) !== 0) return undefined
  return `failed to parse IP: ${goQuote(text)}`
}

interface NumberType {
  isValid: (text: string) => boolean
  /** Go function that parses the type. */
  parser: string
}

const numbers: Partial<Record<FlagType, NumberType>> = {
  bool: { isValid: isBoolean, parser: 'ParseBool' },
  int: { isValid: (text) => integer.test(text), parser: 'ParseInt' },
  level: { isValid: (text) => /^\d+$/.test(text), parser: 'ParseUint' },
  float: { isValid: (text) => text.trim() !== '' && !Number.isNaN(+text), parser: 'ParseFloat' },
}

function durationProblem(text: string): string | undefined {
  if (durationMs(text) !== undefined) return undefined
  const isNumber = /^[-+]?\d+\.?\d*$/.test(text)
  return `time: ${isNumber ? 'missing unit in' : 'invalid'} duration ${goQuote(text)}`
}
