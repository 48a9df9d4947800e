import type { Finding } from '../runtime/finding.ts'
import type { ServerOptions } from '../runtime/options/serverOptions.ts'
import { readFlags } from './config/commandLine.ts'
import { loadConfig, type Environment } from './config/config.ts'
import { doctorOutput } from './config/doctorSettings.ts'
import { configFileSetting, settings } from './config/settings.ts'
import { UsageError } from './config/usageError.ts'

/** The findings of a run as a string; success if no finding is an error. */
export interface Diagnosis {
  text: string
  isSound: boolean
}

type Examine = (options: ServerOptions | undefined) => Promise<Finding[]>

/**
 * Runs `platform-apiserver doctor`. Problems in the settings file and the environment become
 * findings. @throws UsageError for invalid flags.
 */
export async function diagnose(
  args: readonly string[],
  env: Environment,
  examine: Examine,
): Promise<Diagnosis> {
  const { words, flags, problems } = readFlags(args, [configFileSetting, ...settings, doctorOutput])
  const all = [...problems, ...words.map((word) => `unexpected argument ${JSON.stringify(word)}`)]
  const given = flags.get(doctorOutput.path) ?? { text: 'text', origin: '' }
  if (doctorOutput.read(given.text) === undefined)
    all.push(`${given.origin} must be ${doctorOutput.mustBe}`)
  if (all.length > 0) throw new UsageError(all)
  const read = await readOptions({ command: 'serve', flags, problems: [] }, env)
  const findings = [...read.findings, ...(await examine(read.options))]
  const isSound = findings.every(({ level }) => level !== 'error')
  return { text: given.text === 'json' ? asJson(findings, isSound) : asText(findings), isSound }
}

async function readOptions(
  line: Parameters<typeof loadConfig>[0],
  env: Environment,
): Promise<{ findings: Finding[]; options: ServerOptions | undefined }> {
  const check = 'settings'
  try {
    const options = await loadConfig(line, env)
    return { findings: [{ check, level: 'ok', message: 'the settings are valid' }], options }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const advice = 'correct it; folder, certificates and ports are checked then'
    const findings = error.problems.map((message): Finding => ({
      check,
      level: 'error',
      message,
      advice,
    }))
    return { findings, options: undefined }
  }
}

function asJson(findings: readonly Finding[], isSound: boolean): string {
  return `${JSON.stringify({ ok: isSound, findings }, undefined, 2)}\n`
}

const width = 13

function asText(findings: readonly Finding[]): string {
  const lines = findings.map(({ check, level, message, advice }) => {
    const line = `${level.padEnd(9)}${check.padEnd(width)}${message}\n`
    return advice === undefined ? line : `${line}${' '.repeat(9 + width)}${advice}\n`
  })
  return [...lines, `${conclusion(findings)}\n`].join('')
}

function conclusion(findings: readonly Finding[]): string {
  const count = (wanted: Finding['level']) =>
    findings.filter(({ level }) => level === wanted).length
  const [errors, warnings] = [count('error'), count('warning')]
  if (errors + warnings === 0) return 'everything is in order'
  return `${errors} error${errors === 1 ? '' : 's'}, ${warnings} warning${warnings === 1 ? '' : 's'}`
}
