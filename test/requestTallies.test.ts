import { expect } from 'chai'
import { RequestTallies, type RequestEnd, type RequestLabels } from '../apiserver/requestTallies.ts'

const labels: RequestLabels = {
  verb: 'GET',
  group: 'example.dev',
  version: 'v1',
  resource: 'things',
  subresource: '',
  scope: 'resource',
  component: 'apiserver',
  dry_run: '',
}
const end: RequestEnd = {
  code: 200,
  seconds: 0.02,
  bodyBytes: 1500,
  isTerminated: false,
  isAborted: false,
}
const things = { deprecationWarning: 'use others' }

describe('RequestTallies', () => {
  async function linesOf(name: string, ends: RequestEnd[]) {
    const tallies = new RequestTallies()
    for (const one of ends) tallies.of(things, 'k', () => labels).add(one)
    const found = tallies.metrics((owner) => owner === things).find((one) => one.name === name)
    return (await found?.get())?.values.map(({ labels: shown, value, metricName }) => ({
      value,
      ...('code' in shown ? { code: shown['code'] } : {}),
      ...(metricName === undefined ? {} : { metricName, le: shown['le'] }),
    }))
  }

  it('6.8: apiserver_request_terminations_total: those the server gave up on, by code', async () => {
    const busy = { ...end, code: 429, isTerminated: true }
    const late = { ...end, code: 504, isTerminated: true }
    const lines = await linesOf('apiserver_request_terminations_total', [end, busy, busy, late])
    expect(lines).to.deep.equal([
      { value: 2, code: 429 },
      { value: 1, code: 504 },
    ])
  })

  it('6.8: apiserver_request_aborts_total: answers that broke off', async () => {
    expect(await linesOf('apiserver_request_aborts_total', [end])).to.deep.equal([])
    const lines = await linesOf('apiserver_request_aborts_total', [{ ...end, isAborted: true }])
    expect(lines).to.deep.equal([{ value: 1 }])
  })

  it('6.8: apiserver_requested_deprecated_apis: one line a kind', async () => {
    const lines = await linesOf('apiserver_requested_deprecated_apis', [end, end])
    expect(lines).to.deep.equal([{ value: 1 }])
  })

  it('6.8: apiserver_response_sizes: bodies that have a length, in their buckets', async () => {
    const lines = await linesOf('apiserver_response_sizes', [end, { ...end, bodyBytes: undefined }])
    const name = 'apiserver_response_sizes'
    const bounds = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, '+Inf']
    expect(lines).to.deep.equal([
      ...bounds.map((le) => ({ value: le === 1e3 ? 0 : 1, metricName: `${name}_bucket`, le })),
      { value: 1500, metricName: `${name}_sum`, le: undefined },
      { value: 1, metricName: `${name}_count`, le: undefined },
    ])
  })
})
