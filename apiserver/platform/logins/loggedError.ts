/** Maximum number of causes; deeper ones add no information. */
const maxCauses = 5

/**
 * A loggable copy of a login error: names, codes and messages along the chain of its causes, and its stack. Responses
 * of providers, which libraries attach to their errors, and quotes of parsers are removed: both contain tokens and
 * passwords.
 */
export function loggedError(error: unknown): Error {
  const logged = new Error(chainOf(error).map(sentenceOf).join('; caused by '))
  const frames = error instanceof Error ? framesOf(rootOf(error)) : ''
  logged.stack = `${logged.name}: ${logged.message}${frames}`
  return logged
}

function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  let next = error
  while (next !== undefined && chain.length < maxCauses) {
    chain.push(next)
    next = next instanceof Error && next.cause instanceof Error ? next.cause : undefined
  }
  return chain
}

function rootOf(error: Error): Error {
  const last = chainOf(error).at(-1)
  return last instanceof Error ? last : error
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = wordOf(error, 'code') ?? wordOf(error, 'error')
  const shown = error instanceof SyntaxError ? 'what was sent cannot be read' : error.message
  return `${error.name}${code === undefined ? '' : ` ${code}`}: ${shown}`
}

/** A code field of an error; codes are single words. */
function wordOf(error: Error, field: string): string | undefined {
  const value: unknown = Object.entries(error).find(([name]) => name === field)?.[1]
  return typeof value === 'string' && /^[\w.-]{1,60}$/.test(value) ? value : undefined
}

function framesOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return frames.length === 0 ? '' : `\n${frames.join('\n')}`
}
