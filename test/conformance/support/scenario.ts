/** Client action with the expected responses. */
export interface Scenario<Context> {
  name: string
  /**
   * Reason why this client, or the server, cannot take part; undefined: it can. Called with the
   * context of the client.
   */
  skip?: (context: Context) => string | undefined | Promise<string | undefined>
  run: (context: Context) => Promise<void>
}

/** Client and its scenarios. */
export interface Client {
  name: string
  /** Reports each selected scenario. */
  run: (report: Report, wanted: Wanted) => Promise<void>
}

export interface ClientSource<Context> {
  name: string
  scenarios: readonly Scenario<Context>[]
  /** Creates the context of the client once, before its first scenario. */
  open: () => Promise<Context>
  close: (context: Context) => Promise<void>
  /** Creates the context of each scenario from that of the client; default: the same. */
  forScenario?: (context: Context) => Promise<Context>
}

export interface Report {
  passed: (client: string, name: string, ms: number) => void
  failed: (client: string, name: string, error: unknown) => void
  skipped: (client: string, name: string, reason: string) => void
  /** Reports that an attempt failed with this error, and another follows. */
  triedAgain: (client: string, name: string, error: unknown) => void
}

/** Scenarios to run, and the number of attempts. */
export interface Wanted {
  isWanted: (name: string) => boolean
  /** Number of further attempts of a failed scenario. */
  retries: number
}

/** Client that runs its scenarios one after the other. */
export function client<Context>(source: ClientSource<Context>): Client {
  return {
    name: source.name,
    run: async (report, { isWanted, retries }) => {
      const scenarios = source.scenarios.filter(({ name }) => isWanted(`${source.name}: ${name}`))
      if (scenarios.length === 0) return
      await runAll(source, scenarios, { report, retries })
    },
  }
}

/** Client that is missing on this machine. */
export function missingClient(name: string, reason: string): Client {
  return {
    name,
    run: async (report, { isWanted }) => {
      if (isWanted(`${name}: every scenario`)) report.skipped(name, 'every scenario', reason)
    },
  }
}

async function runAll<Context>(
  source: ClientSource<Context>,
  scenarios: readonly Scenario<Context>[],
  { report, retries }: Pick<Turn<Context>, 'report' | 'retries'>,
): Promise<void> {
  let context: Context
  try {
    context = await source.open()
  } catch (error) {
    return report.failed(source.name, 'starts', error)
  }
  for (const scenario of scenarios) await runOne(source, context, { scenario, report, retries })
  try {
    await source.close(context)
  } catch (error) {
    report.failed(source.name, 'ends', error)
  }
}

interface Turn<Context> {
  scenario: Scenario<Context>
  report: Report
  retries: number
}

async function runOne<Context>(
  source: ClientSource<Context>,
  context: Context,
  { scenario, report, retries }: Turn<Context>,
): Promise<void> {
  const { name, forScenario } = source
  const started = Date.now()
  try {
    const reason = await scenario.skip?.(context)
    if (reason !== undefined) return report.skipped(name, scenario.name, reason)
    await scenario.run((await forScenario?.(context)) ?? context)
    report.passed(name, scenario.name, Date.now() - started)
  } catch (error) {
    if (retries === 0) return report.failed(name, scenario.name, error)
    report.triedAgain(name, scenario.name, error)
    await runOne(source, context, { scenario, report, retries: retries - 1 })
  }
}
