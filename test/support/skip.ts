/**
 * Skips the running test, or from a hook all tests of its suite. The list of skipped tests shows
 * `why`.
 */
export function skip(context: Mocha.Context, why: string): never {
  // The type is missing in the declarations. Source: mocha, lib/hook.js.
  const running = context.test as (Mocha.Runnable & { type?: string }) | undefined
  const skipped = running?.type === 'hook' ? running.parent : running
  if (skipped !== undefined) skipped.title += ` (skipped: ${why})`
  return context.skip()
}
