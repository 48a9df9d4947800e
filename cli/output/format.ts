import { readFile } from 'node:fs/promises'
import { usageError } from '../base/cliError.ts'
import type { Flags } from '../base/flags.ts'

/** Parsed value of `--output`. */
export type Format =
  | { type: 'table' | 'wide' | 'json' | 'yaml' | 'name' }
  | { type: 'jsonpath' | 'go-template'; template: string }

const plainTypes = ['table', 'wide', 'json', 'yaml', 'name'] as const
const templateForm = /^(jsonpath|go-template)(-file)?=(.*)$/s

/** @throws CliError usage. */
export async function formatOf(flags: Flags): Promise<Format> {
  const given = flags.string('output') ?? 'table'
  const plain = plainTypes.find((type) => type === given)
  if (plain !== undefined) return { type: plain }
  const [, type, isFile, template = ''] = templateForm.exec(given) ?? []
  if (type === undefined || template === '') {
    const known = `${plainTypes.join(', ')}, jsonpath=… or go-template=…`
    throw usageError(`unknown output format "${given}"`, `Give one of ${known}.`)
  }
  return {
    // Sound by the pattern.
    type: type as 'jsonpath' | 'go-template',
    template: isFile === undefined ? template : await readFile(template, 'utf8'),
  }
}

/** Reports whether a format shows the server's table. */
export function isTable({ type }: Format): boolean {
  return type === 'table' || type === 'wide'
}
