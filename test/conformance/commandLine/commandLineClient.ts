import { expect } from 'chai'
import { mkdirSync } from 'node:fs'
import { writeChart } from '../helm/chart.ts'
import { helmProgram, helmVersion } from '../helm/helmProgram.ts'
import { findKubectls } from '../support/kubectlBinaries.ts'
import { client, type Client, type Scenario } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { CommandLineContext, profiles, type Profile } from './commandLineContext.ts'
import { chapters } from './commandSteps.ts'
import { contextFlows, type KubeClient } from './contextFlows.ts'

type CommandLineScenario = Scenario<CommandLineContext>

/** The built command-line client: every command, under the names of each profile. */
export function commandLineClients(around: Surroundings): Client[] {
  return [
    ...profiles.map((profile) => clientOf(around, profile, commandScenarios)),
    contextsClient(around),
  ]
}

const commandScenarios: readonly CommandLineScenario[] = [
  ...chapters.map(({ name, steps }) => ({
    name,
    run: async (context: CommandLineContext) => {
      for (const step of steps(context)) await context.check(step)
    },
  })),
  {
    name: 'has run every command',
    run: async (context) => void expect(context.untried).to.deep.equal([]),
  },
]

function clientOf(
  around: Surroundings,
  profile: Profile,
  scenarios: readonly CommandLineScenario[],
): Client {
  return client({
    name: `the command line ${profile.program}`,
    scenarios,
    open: () => CommandLineContext.open(around, profile),
    close: (context) => context.close(),
  })
}

/** kubectl, the oldest and the newest, and helm with contexts written by `use`. */
function contextsClient(around: Surroundings): Client {
  const name = 'contexts of the command line'
  return {
    name,
    run: async (report, wanted) => {
      if (!wanted.isWanted(name)) return
      const kubes = [...(await kubectls(around)), await helm(around)]
      const scenarios = [prepared, ...kubes.flatMap(contextFlows), plugin]
      const [profile] = profiles
      if (profile === undefined) return
      await client({
        name,
        scenarios,
        open: () => CommandLineContext.open(around, profile),
        close: (context) => context.close(),
      }).run(report, { ...wanted, isWanted: () => true })
    },
  }
}

const prepared: CommandLineScenario = {
  name: 'has a cluster and a virtual cluster',
  run: async (context) => {
    await context.check({ line: 'create cluster one', out: 'cluster/one created\n' })
    await context.check({
      line: 'create project shop --cluster * --template *',
      out: 'project/shop created\n',
    })
    const line = 'create virtualcluster web -p shop --template small'
    await context.check({ line, out: 'virtualcluster/web created\n' })
  },
}

const plugin: CommandLineScenario = {
  name: 'is a plugin of kubectl on PATH',
  run: async (context) => {
    const { stdout } = await context.run(['kubectl', 'platform', 'whoami'], {})
    expect(stdout).to.equal('admin\n')
  },
}

async function kubectls({ workspace }: Surroundings): Promise<KubeClient[]> {
  const found = await findKubectls(workspace)
  const ends = [...new Set([found.at(0), found.at(-1)])].filter((each) => each !== undefined)
  if (ends.length === 0)
    return [{ name: 'kubectl', missing: 'no kubectl on PATH', ttlSeconds: 0, command: () => [] }]
  return ends.map(({ path, version }) => ({
    name: `kubectl ${version}`,
    ttlSeconds: 8,
    command: (_, turn) => [path, 'create', 'configmap', `by-${version}-${turn}`],
  }))
}

async function helm({ workspace }: Surroundings): Promise<KubeClient> {
  const name = `helm ${helmVersion}`
  try {
    const program = await helmProgram(workspace)
    return {
      name,
      ttlSeconds: 15,
      command: (context, turn) => {
        const folder = context.path('small')
        mkdirSync(folder, { recursive: true })
        writeChart(folder, 'charts.test.example')
        return [program, 'upgrade', '--install', 'one', folder, '--set', `text=${turn}`]
      },
    }
  } catch (error) {
    const missing = `it cannot be had: ${error instanceof Error ? error.message : String(error)}`
    return { name, missing, ttlSeconds: 0, command: () => [] }
  }
}
