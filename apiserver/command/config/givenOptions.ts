import { inspect } from 'node:util'
import { isObject } from '../../meta/json/isObject.ts'
import {
  serverOptions,
  type GivenServerOptions,
  type ServerOptions,
} from '../../runtime/options/serverOptions.ts'
import { jointProblems } from './jointProblems.ts'
import type { Draft, Setting } from './setting.ts'
import { settings } from './settings.ts'

type Fields = Readonly<Record<string, unknown>>

const known = new Map(settings.map((setting) => [setting.option, setting]))
const groups = new Set([...known.keys()].flatMap((option) => option.match(/^.*(?=\.)/) ?? []))

/**
 * Options given by a program, validated like those of the command line, with defaults. Programs may
 * violate the types.
 * @throws TypeError with a sentence for each problem, one per line.
 */
export function readGivenOptions(given: GivenServerOptions): ServerOptions {
  const problems = isObject(given) ? fieldProblems(given, '') : ['the options must be an object']
  refuse(problems)
  // Programs that start servers have their own logs.
  const quiet = { ...given, logLevel: given.logLevel ?? 'silent' }
  const options: ServerOptions & Draft = serverOptions(quiet)
  refuse(jointProblems(options, ({ option }) => option))
  return options
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new TypeError(problems.join('\n'))
}

function fieldProblems(fields: Fields, prefix: string): string[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : fieldProblem(prefix + key, value),
  )
}

function fieldProblem(option: string, value: unknown): string[] {
  const setting = known.get(option)
  if (setting !== undefined) return valueProblem(setting, value)
  if (groups.has(option)) {
    return isObject(value) ? fieldProblems(value, `${option}.`) : [`${option} must be an object`]
  }
  if (option !== 'environment') return [`unknown option ${option}`]
  return isEnvironment(value) ? [] : ['environment must be an object of texts']
}

function valueProblem({ option, inCode, secret }: Setting, value: unknown): string[] {
  const shown = secret ? '' : `; it is ${inWords(value)}`
  return inCode.holds(value) ? [] : [`${option} must be ${inCode.mustBe}${shown}`]
}

function inWords(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : inspect(value, { breakLength: Infinity })
}

function isEnvironment(value: unknown): boolean {
  const isText = (one: unknown) => one === undefined || typeof one === 'string'
  return isObject(value) && Object.values(value).every(isText)
}
