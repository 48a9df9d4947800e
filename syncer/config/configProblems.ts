import { checkExpressions } from '../expressions/checkExpressions.ts'
import type { ExpressionRuntime } from '../expressions/expressionRuntime.ts'
import { readSyncConfig, SyncConfigError } from './syncConfig.ts'

/** What is likely a mistake in a configuration, a sentence for each thing; empty for one that cannot be used. */
export function configWarnings(given: unknown): readonly string[] {
  try {
    return readSyncConfig(given).warnings
  } catch (error) {
    if (error instanceof SyncConfigError) return []
    throw error
  }
}

/** What is wrong with a configuration, a sentence for each thing; empty: nothing.
 *  @throws Error where its expressions cannot be checked now. Source: platform facts 6.1, 6.2. */
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
