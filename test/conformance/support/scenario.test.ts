import { expect } from 'chai'
import { client, type Report } from './scenario.ts'

describe('scenarios of a conformance client', () => {
  it('are tried again as often as wanted, and each failed try is reported', async () => {
    const seen = await run({ failures: 2, retries: 2 })

    expect(seen).to.deep.equal(['again: try 1', 'again: try 2', 'passed'])
  })

  it('fail when the last try fails', async () => {
    const seen = await run({ failures: 2, retries: 1 })

    expect(seen).to.deep.equal(['again: try 1', 'failed: try 2'])
  })
})

async function run({
  failures,
  retries,
}: {
  failures: number
  retries: number
}): Promise<string[]> {
  const seen: string[] = []
  const report: Report = {
    passed: () => seen.push('passed'),
    failed: (_client, _name, error) => seen.push(`failed: ${(error as Error).message}`),
    skipped: () => seen.push('skipped'),
    triedAgain: (_client, _name, error) => seen.push(`again: ${(error as Error).message}`),
  }
  let tries = 0
  const attempt = async (): Promise<void> => {
    if (++tries <= failures) throw new Error(`try ${tries}`)
  }
  const source = {
    name: 'one',
    scenarios: [{ name: 'fails at first', run: attempt }],
    open: async () => undefined,
    close: async () => undefined,
  }
  await client(source).run(report, { isWanted: () => true, retries })
  return seen
}
