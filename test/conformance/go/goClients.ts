import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { client, missingClient, type Client, type Report } from '../support/scenario.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { GoContext } from './goContext.ts'
import { GoModule } from './goModule.ts'
import { listScenarios } from './goProgram.ts'

/** The newest client-go and one that is two years old, built from the same sources. */
const moduleFiles = ['go.mod', 'older.mod']

/** client-go in each version, or what is missing to build it. */
export function goClients(around: Surroundings): Client[] {
  return moduleFiles.map((file) => {
    const name = `client-go ${clientGoVersion(file)}`
    const go = findOnPath('go')
    if (go === undefined) return missingClient(name, 'no go on PATH')
    return goClient(name, new GoModule(around.workspace, go, file), around)
  })
}

/** The program knows its scenarios, so it is built before anything can be chosen. */
function goClient(name: string, module: GoModule, around: Surroundings): Client {
  return {
    name,
    run: async (report, isWanted) => {
      const reason = await module.unavailable()
      if (reason !== undefined) return missingClient(name, reason).run(report, isWanted)
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
      }).run(report, isWanted)
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

function clientGoVersion(file: string): string {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  return /^\tk8s\.io\/client-go v(\S+)$/m.exec(text)?.[1] ?? file
}
