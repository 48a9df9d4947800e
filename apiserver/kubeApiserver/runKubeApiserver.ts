import { FlagError, readFlags, type ReadFlags } from './flags/readFlags.ts'
import type { FlagValues } from './flags/kubeFlagValues.ts'
import { helpText } from './flags/kubeHelp.ts'

/** The interface of the program to its process. */
export interface ProgramSurroundings {
  env: Readonly<Record<string, string | undefined>>
  writeOut(text: string): Promise<void>
  writeError(text: string): void
  /** Resolves when the process is asked to stop. */
  stopRequested: Promise<void>
  /** Called when the modules of the server are loaded, before it opens. */
  beforeServing(): void
  /** Describes an error that prevented the start. */
  describe(error: unknown): string
}

/** Runs as kube-apiserver. Returns the exit code: 0 stopped, 1 wrong usage or could not start. */
export async function runKubeApiserver(
  args: readonly string[],
  around: ProgramSurroundings,
): Promise<number> {
  let read: ReadFlags
  try {
    read = readFlags(args)
  } catch (error) {
    if (!(error instanceof FlagError)) throw error
    around.writeError(`Error: ${error.message}\n`)
    return 1
  }
  switch (read.request) {
    case 'help':
      await around.writeOut(helpText())
      return 0
    case 'version': {
      const { kubernetesVersion } = await import('../discovery/kubernetesVersion.ts')
      await around.writeOut(`Kubernetes ${kubernetesVersion}\n`)
      return 0
    }
    case 'serve':
      return serve(read.values, around)
  }
}

async function serve(values: FlagValues, around: ProgramSurroundings): Promise<number> {
  try {
    const { openClusterServer } = await import('./cluster/openClusterServer.ts') // loaded on demand, for a quick --help
    around.beforeServing()
    const server = await openClusterServer(values, around.env)
    await around.stopRequested
    await server.stop()
    return 0
  } catch (error) {
    around.writeError(`kube-apiserver: command failed: ${around.describe(error)}\n`)
    return 1
  }
}
