import { SyncConfigError, type SyncConfig } from '../config/syncConfig.ts'
import { ExpressionError, type ExpressionRuntime } from './expressionRuntime.ts'

/**
 * Refuses a configuration with a malformed expression before it is used.
 * @throws SyncConfigError. Source: specification, patches[].expression.
 */
export async function checkExpressions(
  config: SyncConfig,
  runtime: Pick<ExpressionRuntime, 'check'>,
): Promise<void> {
  const problems: string[] = []
  for (const section of ['services', 'endpoints', 'namespaces'] as const) {
    for (const [index, patch] of config[section].patches.entries()) {
      for (const field of ['expression', 'reverseExpression'] as const) {
        const source = patch[field]
        const why = source === undefined ? undefined : await problemOf(source, runtime)
        if (why !== undefined) {
          problems.push(`sync.toHost.${section}.patches[${index}].${field} is ${why}`)
        }
      }
    }
  }
  if (problems.length > 0) throw new SyncConfigError(problems)
}

async function problemOf(
  source: string,
  runtime: Pick<ExpressionRuntime, 'check'>,
): Promise<string | undefined> {
  try {
    await runtime.check(source)
    return undefined
  } catch (error) {
    // An error of a busy or closed sandbox is unrelated to the expression.
    if (error instanceof ExpressionError && error.message.startsWith('not an ')) {
      return error.message
    }
    throw error
  }
}
