import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Known classes of findings: those in the list beside this file, one per line, with `*` for
 * anything.
 */
export function isKnownClass(): (name: string) => boolean {
  const lines = readFileSync(join(import.meta.dirname, 'known.txt'), 'utf8').split('\n')
  const forms = lines.filter((line) => line !== '' && !line.startsWith('#')).map(formOf)
  return (name) => forms.some((form) => form.test(name))
}

function formOf(line: string): RegExp {
  const parts = line.split('*').map((part) => part.replaceAll(/[.[\]()+?^${}|\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
