import type { RequestContext } from '../../apiserver/registry/strategy.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'

export const dryRun: RequestContext = { ...systemContext(), dryRun: true }

/** A request whose warnings are kept. */
export function warned(): { context: RequestContext; warnings: string[] } {
  const warnings: string[] = []
  return { context: { ...systemContext(), warn: (text) => warnings.push(text) }, warnings }
}
