import {
  invalidField,
  notSupportedField,
  requiredField,
  forbiddenField,
  tooLongField,
} from '../../meta/fieldErrors.ts'
import type { FieldError } from '../../meta/fieldErrors.ts'
import { parseBool } from '../../encoding/queryValues.ts'
import { invalid } from '../../meta/statusErrors.ts'
import { remembered } from '../../meta/collections/memory.ts'
import type { Exchange } from '../exchange.ts'

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

/** Options in the query of a create, update or patch. */
export interface WriteOptions {
  dryRun: boolean
  fieldValidation: FieldValidation
  /** The manager of the changed fields. */
  fieldManager: string
  /** True if apply takes conflicting fields from other managers. */
  force: boolean
}

export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'

/**
 * Parses the options. `isApply`: the patch is a server-side apply, which requires a manager and may be forced.
 * @throws StatusError Invalid. Source: reference 1.13 – 1.15.
 */
export function writeOptions(exchange: Exchange, kind: OptionsKind, isApply = false): WriteOptions {
  const { query, request } = exchange
  const dryRun = query.getAll('dryRun')
  const validation = query.get('fieldValidation') ?? ''
  const manager = query.get('fieldManager') ?? ''
  const force = query.get('force')
  const errors = [
    ...(kind === 'PatchOptions' ? applyErrors(isApply, manager, force) : []),
    ...managerErrors(manager),
    ...dryRunErrors(dryRun),
    ...validationErrors(validation),
  ]
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors)
  return {
    dryRun: dryRun.length > 0,
    fieldValidation: isFieldValidation(validation) ? validation : 'Warn',
    fieldManager: manager === '' ? managerOf(request.headers['user-agent'] ?? '') : manager,
    force: force !== null && parseBool(force),
  }
}

function applyErrors(isApply: boolean, manager: string, force: string | null): FieldError[] {
  if (isApply)
    return manager === '' ? [requiredField('fieldManager', 'is required for apply patch')] : []
  return force === null ? [] : [forbiddenField('force', 'may not be specified for non-apply patch')]
}

function isFieldValidation(text: string): text is FieldValidation {
  return text === 'Ignore' || text === 'Warn' || text === 'Strict'
}

function dryRunErrors(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return []
  return [notSupportedField('dryRun', values, ['All'])]
}

function validationErrors(value: string): FieldError[] {
  if (value === '' || isFieldValidation(value)) return []
  return [notSupportedField('fieldValidation', value, ['', 'Ignore', 'Strict', 'Warn'])]
}

function managerErrors(manager: string): FieldError[] {
  const errors: FieldError[] = []
  if (Buffer.byteLength(manager) > 128) errors.push(tooLongField('fieldManager', 128))
  const odd = [...manager].find((char) => !isPrintable(char))
  if (odd !== undefined) {
    const code = odd.codePointAt(0) ?? 0
    const at = Buffer.byteLength(manager.slice(0, manager.indexOf(odd)))
    const shown = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    errors.push(
      invalidField('fieldManager', manager, `invalid character ${shown} (at position ${at})`),
    )
  }
  return errors
}

function isPrintable(char: string): boolean {
  return char === ' ' || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(char)
}

/** The default manager: the user agent up to its first slash. */
const managerOf = remembered((userAgent) => {
  const product = [...(userAgent.split('/')[0] ?? '')].filter(isPrintable).join('')
  const cut = Buffer.from(product)
    .subarray(0, 128)
    .toString('utf8')
    .replace(/\uFFFD$/, '')
  return cut === '' ? 'unknown' : cut
})
