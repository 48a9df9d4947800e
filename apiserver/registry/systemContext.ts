import type { RequestContext } from './strategy.ts'

/** The context of the server's own requests: controllers and start-up. */
export function systemContext(): RequestContext {
  return {
    user: { name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} },
    dryRun: false,
    isTrusted: true,
    warn: () => undefined,
  }
}
