import { expect } from 'chai'
import {
  RequestTallies,
  type RequestEnd,
  type RequestLabels,
} from '../../apiserver/metrics/requestTallies.ts'

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
  terminatedCode: undefined,
  isAborted: false,
}
const things = { deprecationWarning: 'use others' }
const owners = {
  isDeprecated: (owner: object | undefined) => owner !== undefined && 'deprecationWarning' in owner,
  isPassing: (owner: object | undefined) => owner !== undefined && 'isPassing' in owner,
}

describe('RequestTallies', () => {
  async function linesOf(name: string, ends: RequestEnd[]) {
    const tallies = new RequestTallies(owners)
    for (const one of ends) tallies.of(things, 'k', () => labels).add(one)
    const found = tallies.metrics().find((one) => one.name === name)
    return (await found?.get())?.values.map(({ labels: shown, value, metricName }) => ({
      value,
      ...('code' in shown ? { code: shown['code'] } : {}),
      ...(metricName === undefined ? {} : { metricName, le: shown['le'] }),
    }))
  }

  it('apiserver_request_terminations_total: requests the server gave up on, by code (reference 6.8)', async () => {
    const busy = { ...end, code: 429, terminatedCode: 429 }
    const late = { ...end, code: 504, terminatedCode: 504 }
    const lines = await linesOf('apiserver_request_terminations_total', [end, busy, busy, late])
    expect(lines).to.deep.equal([
      { value: 2, code: 429 },
      { value: 1, code: 504 },
    ])
  })

  it('apiserver_request_aborts_total: broken responses (reference 6.8)', async () => {
    expect(await linesOf('apiserver_request_aborts_total', [end])).to.deep.equal([])
    const lines = await linesOf('apiserver_request_aborts_total', [{ ...end, isAborted: true }])
    expect(lines).to.deep.equal([{ value: 1 }])
  })

  it('apiserver_requested_deprecated_apis: one line per kind (reference 6.8)', async () => {
    const lines = await linesOf('apiserver_requested_deprecated_apis', [end, end])
    expect(lines).to.deep.equal([{ value: 1 }])
  })

  it('apiserver_response_sizes: bodies of known length, in buckets (reference 6.8)', async () => {
    const lines = await linesOf('apiserver_response_sizes', [end, { ...end, bodyBytes: undefined }])
    const name = 'apiserver_response_sizes'
    const bounds = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, '+Inf']
    expect(lines).to.deep.equal([
      ...bounds.map((le) => ({ value: le === 1e3 ? 0 : 1, metricName: `${name}_bucket`, le })),
      { value: 1500, metricName: `${name}_sum`, le: undefined },
      { value: 1, metricName: `${name}_count`, le: undefined },
    ])
  })

  describe('for custom kinds', () => {
    const custom = (resource: string) => ({ isPassing: true, resource })
    const countsOf = async (tallies: RequestTallies, name = 'apiserver_request_total') => {
      const lines = await tallies
        .metrics()
        .find((one) => one.name === name)
        ?.get()
      return (lines?.values ?? []).map(({ labels: shown, value }) => [shown['resource'], value])
    }
    const of = (tallies: RequestTallies, owner: { resource: string }, verb = 'GET') =>
      tallies.of(owner, verb, () => ({ ...labels, verb, resource: owner.resource }))

    it('continues the line of a changed kind', async () => {
      const tallies = new RequestTallies(owners)
      of(tallies, custom('things')).add(end)
      of(tallies, custom('things')).add(end)
      expect(await countsOf(tallies)).to.deep.equal([['things', 2]])
    })

    it('keeps a thousand label sets, dropping the oldest', async () => {
      const tallies = new RequestTallies(owners)
      const first = custom('k0')
      of(tallies, { resource: 'lasting' }).add(end)
      of(tallies, first).add(end)
      for (let at = 1; at <= 1_000; at++) of(tallies, custom(`k${at}`)).add(end)
      const shown = await countsOf(tallies)
      expect(shown.length).to.equal(1_001)
      expect(shown.slice(0, 2)).to.deep.equal([
        ['lasting', 1],
        ['k1', 1],
      ])
      of(tallies, first).add(end)
      expect((await countsOf(tallies)).at(-1)).to.deep.equal(['k0', 1])
    })

    it('apiserver_longrunning_requests: running requests are never dropped (reference 6.8)', async () => {
      const tallies = new RequestTallies(owners)
      of(tallies, custom('watched'), 'WATCH').running++
      for (let at = 1; at <= 1_500; at++) of(tallies, custom(`k${at}`)).add(end)
      const shown = await countsOf(tallies, 'apiserver_longrunning_requests')
      expect(shown).to.deep.equal([['watched', 1]])
    })
  })
})
