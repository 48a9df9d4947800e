import { expect } from 'chai'
import { benchmarkCharts } from '../../hack/docs/charts/benchmarkCharts.ts'

const page = `
<!-- table: begin; written by a program -->

2026-01-02, a machine

| what | ours | ratio |
| --- | --- | --- |
| GET & LIST | 50 /s | 0.50 |
| start | 3 ms | 4.00 |
| unlimited | 7 /s |  |

<!-- table: end -->
<!-- peer: begin -->

2026-01-03, a machine

| what | times better |
| --- | --- |
| LIST | 10.0 |
| GET | 100.0 |

<!-- peer: end -->
`

describe('charts of the benchmarks', () => {
  const charts = benchmarkCharts(page)
  const bars = (name: string) =>
    [...(charts[name] ?? '').matchAll(/class="bar".* width="([\d.]+)"/g)].map(([, length]) =>
      Number(length),
    )

  it('show each rate that has a limit, as a share of it, and no time', () => {
    expect(charts['raw-limit.svg']).to.include('GET &amp; LIST</text>').and.include('50 %</text>')
    expect(charts['raw-limit.svg']).to.include('Measured 2026-01-02.')
    expect(bars('raw-limit.svg')).to.deep.equal([165])
  })

  it('show how many times better each row is, with equal lengths for equal factors', () => {
    expect(charts['library.svg']).to.include('Measured 2026-01-03.')
    expect(bars('library.svg')).to.deep.equal([165, 330])
  })
})
