import { client, missingClient, type Client } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { componentPrograms } from './componentPrograms.ts'
import { componentScenarios } from './componentScenarios.ts'
import { ComponentsWorld } from './componentsWorld.ts'

/** The real scheduler with this server, and real servers behind its APIServices. */
export function componentsClient(around: Surroundings): Client {
  const name = 'components of clusters'
  return {
    name,
    run: async (report, wanted) => {
      if (!componentScenarios.some((one) => wanted.isWanted(`${name}: ${one.name}`))) return
      const programs = await componentPrograms(around)
      if (typeof programs === 'string') {
        return missingClient(name, programs).run(report, { ...wanted, isWanted: () => true })
      }
      await client<ComponentsWorld>({
        name,
        scenarios: componentScenarios,
        open: () => ComponentsWorld.open(around, programs),
        close: (world) => world.close(),
      }).run(report, wanted)
    },
  }
}
