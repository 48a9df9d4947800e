import { readFile } from 'node:fs/promises'
import type { Tags } from 'yaml'
import { cannotRead } from '../../runtime/startError.ts'
import type { Given } from './commandLine.ts'
import { settings } from './settings.ts'

const paths = new Set(settings.filter(({ inFile }) => inFile).map(({ path }) => path))
const switches = new Set(settings.filter(({ isSwitch }) => isSwitch).map(({ path }) => path))
const groups = new Set(
  [...paths].filter((path) => path.includes('.')).map((path) => path.replace(/\..*/, '')),
)

/** Values of a settings file, and a sentence for each unknown or malformed key. */
export interface SettingsFile {
  file: string
  values: Map<string, Given>
  problems: string[]
}

/** Reads a YAML settings file; an empty value counts as unset. */
export async function readSettingsFile(file: string): Promise<SettingsFile> {
  const found: SettingsFile = { file, values: new Map(), problems: [] }
  try {
    const yaml = await import('yaml') // loaded on demand, since most servers have no file
    const text = await readFile(file, 'utf8')
    const document = yaml.parseDocument(text, { customTags: withoutNumbers })
    const [wrong] = [...document.errors, ...document.warnings]
    if (wrong?.code === 'MULTIPLE_DOCS') throw new Error('it holds more than one document')
    if (wrong !== undefined) throw wrong
    const top: unknown = document.toJS()
    if (isMap(top)) collect(top, '', found)
    else if (top !== null) found.problems.push(`${file} must be a map of settings`)
  } catch (error) {
    const { message } = cannotRead(`the settings file ${file}`, error)
    found.problems.push(message.split('\n')[0] ?? message) // parsers append the surrounding lines
  }
  return found
}

function collect(map: Record<string, unknown>, prefix: string, found: SettingsFile): void {
  for (const [key, value] of Object.entries(map)) {
    if (value !== null) collectOne(prefix + key, value, found)
  }
}

function collectOne(path: string, value: unknown, found: SettingsFile): void {
  const where = `${path} in ${found.file}`
  if (groups.has(path)) {
    if (isMap(value)) collect(value, `${path}.`, found)
    else found.problems.push(`${where} must be a map`)
  } else if (!paths.has(path)) {
    found.problems.push(`unknown key ${where}`)
  } else if (typeof value === 'string' || (typeof value === 'boolean' && switches.has(path))) {
    found.values.set(path, { text: String(value), origin: where })
  } else {
    found.problems.push(`${where} must be a text or a number`)
  }
}

/** Keeps numbers as strings, since an access key may consist of digits. */
function withoutNumbers(tags: Tags): Tags {
  return tags.filter((tag) => typeof tag === 'string' || !/:(int|float)$/.test(tag.tag))
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
