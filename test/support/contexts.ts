import type { RequestContext } from '../../apiserver/registry/strategy.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'

/** Context of a client with all rights, whose writes are validated. */
export function clientContext(): RequestContext {
  return { ...systemContext(), isTrusted: false }
}

export const dryRun: RequestContext = { ...clientContext(), dryRun: true }

/** Request context that collects warnings. */
export function warned(): { context: RequestContext; warnings: string[] } {
  const warnings: string[] = []
  return { context: { ...clientContext(), warn: (text) => warnings.push(text) }, warnings }
}
