import { expect } from 'chai'
import { suiteRow, tableText } from './suiteTable.ts'

const ran = (seconds: number, failed: string[] = []) => ({ tests: 15, failed, seconds })
const head = `| suite | tests | failed here | seconds here | failed, real pair | seconds, real pair |
|---|---|---|---|---|---|
`

describe('tableText', () => {
  it('lists the tests, failures and times of each suite', () => {
    const row = suiteRow('cluster', {
      ours: [ran(3.31), ran(4.1)],
      real: [ran(9.2), ran(5, ['a'])],
    })
    expect(tableText([row])).to.equal(`${head}| cluster | 15 | 0 | 3.3, 4.1 | 1 | 9.2, 5.0 |\n`)
  })

  it('keeps earlier rows of suites that did not run', () => {
    const earlier = `${head}| client | 296 | 0 | 13.0 | 0 | 15.0 |\n| cluster | 15 | 0 | 2.0 | 0 | 5.6 |\n`
    const rows = ['source', 'cluster'].map((suite) =>
      suiteRow(suite, { ours: [ran(3)], real: [ran(9)] }),
    )
    expect(tableText(rows, earlier)).to.equal(
      `${head}| client | 296 | 0 | 13.0 | 0 | 15.0 |\n| cluster | 15 | 0 | 3.0 | 0 | 9.0 |\n| source | 15 | 0 | 3.0 | 0 | 9.0 |\n`,
    )
  })
})
