import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { client, missingClient, type Client, type Report } from '../support/scenario.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { GoContext } from './goContext.ts'
import { GoModule, type GoSources } from './goModule.ts'
import { listScenarios } from './goProgram.ts'

interface GoLibrary {
  module: string
  sources: GoSources
}

/**
 * The newest client-go and one that is two years older, built from the same sources; and the
 * library for writing controllers.
 */
const libraries: readonly GoLibrary[] = [
  ...['go.mod', 'older/older.mod'].map((file) => ({
    module: 'k8s.io/client-go',
    sources: { folder: join(import.meta.dirname, '../goProgram'), file },
  })),
  {
    module: 'sigs.k8s.io/controller-runtime',
    sources: { folder: join(import.meta.dirname, '../controller'), file: 'go.mod' },
  },
]

/** Each library in each version, or the missing prerequisite of its build. */
export function goClients(around: Surroundings): Client[] {
  return libraries.map((library) => {
    const name = nameOf(library)
    const go = findOnPath('go')
    if (go === undefined) return missingClient(name, 'no go on PATH')
    return goClient(name, new GoModule(around.workspace, go, library.sources), around)
  })
}

/** The program lists its scenarios, so it is built before any can be selected. */
function goClient(name: string, module: GoModule, around: Surroundings): Client {
  return {
    name,
    run: async (report, wanted) => {
      const reason = await module.unavailable()
      if (reason !== undefined) return missingClient(name, reason).run(report, wanted)
      const program = await built(name, module, report)
      if (program === undefined) return
      const scenarios = await listScenarios(around.workspace, program)
      await client({
        name,
        scenarios: scenarios.map((listed) => ({
          name: listed.name,
          run: (context: GoContext) => context.run(listed),
        })),
        open: () => GoContext.open(around, { program, label: name }),
        forScenario: (context) => context.next(),
        close: (context) => context.close(),
      }).run(report, wanted)
    },
  }
}

async function built(name: string, module: GoModule, report: Report): Promise<string | undefined> {
  try {
    return await module.build()
  } catch (error) {
    report.failed(name, 'builds', error)
    return undefined
  }
}

/** Library name with its version, such as `client-go 0.31.3`. */
function nameOf({ module, sources: { folder, file } }: GoLibrary): string {
  const line = readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .find((text) => text.startsWith(`\t${module} v`) || text.startsWith(`require ${module} v`))
  return `${basename(module)} ${line?.split(' v')[1] ?? file}`
}
