import { realClock } from '../../apiserver/runtime/realClock.ts'
import { SyncConfigError } from '../../syncer/config/syncConfig.ts'
import { explainSync, type SyncExplanation } from '../../syncer/explain/explainSync.ts'
import { ObjectError } from '../../syncer/explain/readObject.ts'
import { SandboxRuntime } from '../../syncer/expressions/sandboxRuntime.ts'
import { CliError } from '../base/cliError.ts'

export interface Explained {
  config: unknown
  objects: readonly unknown[]
  name: string
  hostNamespace: string
  domain: string
}

/** Explains the sync of objects as the server would, without a server. @throws CliError. */
export async function explainOffline({
  objects,
  config,
  ...options
}: Explained): Promise<SyncExplanation[]> {
  const runtime = new SandboxRuntime({ clock: realClock })
  try {
    const explained: SyncExplanation[] = []
    for (const object of objects)
      explained.push(await explainSync(config, object, { ...options, runtime }))
    return explained
  } catch (error) {
    if (error instanceof SyncConfigError || error instanceof ObjectError)
      throw new CliError(error.problems.join('\n'), { cause: error })
    throw error
  } finally {
    await runtime.close()
  }
}
