import { checkExpressions } from '../expressions/checkExpressions.ts'
import type { ExpressionRuntime } from '../expressions/expressionRuntime.ts'
import { readSyncConfig, SyncConfigError } from './syncConfig.ts'

/** Likely mistakes in a configuration, one sentence each; empty for an invalid one. */
export function configWarnings(given: unknown): readonly string[] {
  try {
    return readSyncConfig(given).warnings
  } catch (error) {
    if (error instanceof SyncConfigError) return []
    throw error
  }
}

/**
 * Errors of a configuration, one sentence each; empty: it is valid.
 * @throws Error if its expressions cannot be checked at present. Source: platform facts 6.1, 6.2.
 */
export async function configProblems(
  given: unknown,
  runtime: Pick<ExpressionRuntime, 'check'>,
): Promise<readonly string[]> {
  try {
    await checkExpressions(readSyncConfig(given), runtime)
    return []
  } catch (error) {
    if (error instanceof SyncConfigError) return error.problems
    throw error
  }
}
