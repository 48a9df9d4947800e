import { inspect } from 'node:util'
import { isObject } from '../../meta/json/isObject.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'
import { settings } from './settings.ts'

/**
 * Effective values by flag, in the format of `/flagz`: lists in brackets, empty if unset, with
 * secrets redacted.
 */
export function flagValues(options: ServerOptions): Record<string, string> {
  return Object.fromEntries(
    settings.map(({ flag, option, secret }) => {
      const value = valueAt(options, option)
      return [flag, secret && value !== undefined ? '[redacted]' : textOf(value)]
    }),
  )
}

function valueAt(options: ServerOptions, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), options)
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return `[${value.join(',')}]`
  return typeof value === 'string' ? value : inspect(value)
}
