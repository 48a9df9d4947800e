import type { RequestContext } from './strategy.ts'

/** The server itself as the maker of a request: controllers and start-up. */
export function systemContext(): RequestContext {
  return {
    user: { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
    dryRun: false,
    isTrusted: true,
    warn: () => undefined,
  }
}
