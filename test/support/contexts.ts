import type { RequestContext } from '../../apiserver/registry/strategy.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'

/** A client with all rights; its writes are checked. */
export function clientContext(): RequestContext {
  return { ...systemContext(), isTrusted: false }
}

export const dryRun: RequestContext = { ...clientContext(), dryRun: true }

/** A request whose warnings are kept. */
export function warned(): { context: RequestContext; warnings: string[] } {
  const warnings: string[] = []
  return { context: { ...clientContext(), warn: (text) => warnings.push(text) }, warnings }
}
