import { goQuote } from '../meta/goQuote.ts'
import { isObject } from '../meta/json/isObject.ts'

/**
 * Error message for a failed step of a JSON patch, worded as by the real server's library, which
 * names the step.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function patchWords(why: string, steps: readonly unknown[]): string {
  const undecoded = undecodedWords(steps)
  if (undecoded !== undefined) return undecoded
  const missing = /^missing value: (.*)$/s.exec(why)?.[1]
  if (missing !== undefined) return missingWords(missing, steps)
  const index = /^Unable to access invalid index: (.*)$/s.exec(why)?.[1]
  if (index !== undefined) {
    const step = steps.find((one) => textOf(one, 'path')?.endsWith(`/${index}`))
    const [op, path] = [textOf(step, 'op') ?? 'add', textOf(step, 'path') ?? '']
    return `error in ${op} for path: '${path}': ${why}: invalid index referenced`
  }
  return placeWords(why, steps)
}

/** The first step whose path does not exist. Earlier steps can only fail for other reasons. */
function undecodedWords(steps: readonly unknown[]): string | undefined {
  for (const step of steps) {
    const op = textOf(step, 'op')
    if (op === undefined) continue
    if (textOf(step, 'path') === undefined) {
      return `${op} operation failed to decode path: missing value`
    }
    if ((op === 'move' || op === 'copy') && textOf(step, 'from') === undefined) {
      return `${op} operation failed to decode from: operation, missing from field: missing value`
    }
  }
  return undefined
}

function placeWords(why: string, steps: readonly unknown[]): string {
  const path = /^operation does not apply: doc is missing path: (.*)$/s.exec(why)?.[1]
  if (path === undefined) return why
  const op = textOf(stepAt(steps, 'path', path), 'op') ?? 'add'
  if (op === 'replace') {
    return `replace operation does not apply: doc is missing path: ${path}: missing value`
  }
  if (op === 'move' || op === 'copy') {
    return `${op} operation does not apply: doc is missing destination path: ${path}: missing value`
  }
  return `${op} operation does not apply: doc is missing path: ${goQuote(path)}: missing value`
}

function missingWords(path: string, steps: readonly unknown[]): string {
  const key = path.slice(path.lastIndexOf('/') + 1)
  const isMove = textOf(stepAt(steps, 'from', path), 'op') === 'move'
  const [op, place] = isMove ? ['move', key] : ['remove', path]
  return `error in ${op} for path: '${place}': Unable to remove nonexistent key: ${key}: missing value`
}

function stepAt(steps: readonly unknown[], field: string, path: string): unknown {
  return steps.find((one) => textOf(one, field) === path)
}

function textOf(step: unknown, field: string): string | undefined {
  const value = isObject(step) ? step[field] : undefined
  return typeof value === 'string' ? value : undefined
}
