import { readFileSync, writeFileSync } from 'node:fs'
import type { Setting } from '../apiserver/config/setting.ts'
import { configFileSetting, settings } from '../apiserver/config/settings.ts'

// Writes the table of settings into a Markdown file, between its two markers.

const begin = '<!-- flags: begin; written by hack/update-flags.sh -->'
const end = '<!-- flags: end -->'

const [file = 'README.md'] = process.argv.slice(2)
const text = readFileSync(file, 'utf8')
const from = text.indexOf(begin)
const to = text.indexOf(end)
if (from < 0 || to < from)
  throw new Error(`${file} needs the lines ${begin} and ${end}, in this order`)
writeFileSync(file, `${text.slice(0, from)}${begin}\n${table()}\n${text.slice(to)}`)

function table(): string {
  return [
    '| flag | variable | key in the file | default | |',
    '|---|---|---|---|---|',
    ...[configFileSetting, ...settings].map(row),
  ].join('\n')
}

function row({ flag, placeholder, env, path, inFile, defaultText, description }: Setting): string {
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
