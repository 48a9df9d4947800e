import { readFileSync, writeFileSync } from 'node:fs'
import { backupSettings } from '../../apiserver/command/config/backupSettings.ts'
import type { Setting } from '../../apiserver/command/config/setting.ts'
import { configFileSetting, settings } from '../../apiserver/command/config/settings.ts'
import { syncSettings } from '../../apiserver/command/config/syncSettings.ts'

// Writes the tables of settings into a Markdown file, each between its two markers.

type Shown = Omit<Setting, 'read'>

const [file = 'docs/reference/flags.md'] = process.argv.slice(2)
const serveTable = table([configFileSetting, ...settings])
const text = withTable(readFileSync(file, 'utf8'), 'flags', serveTable)
const synced = withTable(text, 'sync flags', table(syncSettings))
writeFileSync(file, withTable(synced, 'backup flags', table(backupSettings)))

function withTable(text: string, name: string, rows: string): string {
  const begin = `<!-- ${name}: begin; written by hack/update-flags.sh -->`
  const end = `<!-- ${name}: end -->`
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from)
    throw new Error(`${file} needs the lines ${begin} and ${end}, in this order`)
  return `${text.slice(0, from)}${begin}\n${rows}\n${text.slice(to)}`
}

function table(shown: readonly Shown[]): string {
  return [
    '| flag | variable | key in the file | default | |',
    '|---|---|---|---|---|',
    ...shown.map(row),
  ].join('\n')
}

function row({ flag, placeholder, env, path, inFile, defaultText, description }: Shown): string {
  const cells = [
    code(`--${flag} ${placeholder}`),
    code(env),
    inFile ? code(path) : '',
    defaultText === '' ? '' : code(defaultText),
    escape(description),
  ]
  return `| ${cells.join(' | ')} |`
}

function code(value: string): string {
  return `\`${value.replaceAll('|', '\\|')}\``
}

function escape(value: string): string {
  return value.replaceAll('|', '\\|').replaceAll('<', '\\<')
}
