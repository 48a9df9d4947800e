import type { Environment } from '@marcbachmann/cel-js'

/** Functions by their signatures, which say what each is called with. */
export type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>

export function registerHandlers(environment: Environment, handlers: Handlers): void {
  for (const [signature, handler] of Object.entries(handlers)) {
    environment.registerFunction(signature, handler as (...args: unknown[]) => unknown) // the signature says the types
  }
}

/** @throws Error for what would take more memory than a rule is given. */
export function withinCost<T extends string | readonly unknown[]>(made: T): T {
  if (made.length > mostMade) throw tooCostly()
  return made
}

/** Characters or items of one value that a rule makes. */
export const mostMade = 4 * 1024 * 1024

export function tooCostly(): Error {
  return new Error('operation cancelled: actual cost limit exceeded')
}
