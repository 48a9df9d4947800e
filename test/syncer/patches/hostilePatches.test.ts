import { expect } from 'chai'
import { markers } from '../../../syncer/names/markers.ts'
import { explainSync, type SyncExplanation } from '../../../syncer/explain/explainSync.ts'
import type { SandboxRuntime } from '../../../syncer/expressions/sandboxRuntime.ts'
import { applyPatches, type PatchPlace } from '../../../syncer/patches/applyPatches.ts'
import { deadline } from '../../support/deadlines.ts'
import { longestTurn } from '../../support/longestTurn.ts'
import { naming, sandbox, scope } from '../sandbox.ts'

/** The same path in many spellings, since paths may not repeat: an empty quote changes nothing. */
function spelling(at: number): string {
  const letters = [...'subsetsaddresses'].map((letter, bit) =>
    (at >> bit) & 1 ? `${letter}""` : letter,
  )
  return `${letters.slice(0, 7).join('')}[*].${letters.slice(7).join('')}`
}

const reference = { apiVersion: 'v1', kind: 'Secret' }
const endpoints = (count: number) => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'db', namespace: 'default' },
  subsets: [{ addresses: Array.from({ length: count }, () => ({ ip: '1.1.1.1' })) }],
})
const patches = (count: number, rest: string, rule: object) =>
  Array.from({ length: count }, (_, at) => ({ path: spelling(at) + rest, ...rule }))

describe('hostile patches', function () {
  this.timeout(deadline(20_000))
  let runtime: SandboxRuntime
  before(() => (runtime = sandbox()))
  after(() => runtime.close())

  const place = (): PatchPlace => ({
    ...{ direction: 'toHost', runtime, scope, marks: markers('platform') },
    ...{ namespace: 'default', virtualNamespace: 'default' },
    references: {
      toHost: ({ name, namespace }) => Promise.resolve({ name: `${name}-x`, namespace }),
      toVirtual: () => Promise.resolve(undefined),
    },
  })

  for (const [name, rest, rule] of [
    ['references', '[*].ip', { reference }],
    ['labels of large values', '', { labels: {} }],
    ['expressions for the other direction', '[*].ip', { reverseExpression: '1' }],
  ] as const) {
    it(`of which many match many values are explained up to a limit, in turns: ${name}`, async () => {
      const config = {
        sync: { toHost: { endpoints: { enabled: true, patches: patches(200, rest, rule) } } },
      }
      const options = { name: naming.virtualCluster, hostNamespace: 'team-x', domain: 'platform' }
      let explained: SyncExplanation | undefined
      const held = await longestTurn(async () => {
        explained = await explainSync(config, endpoints(3_000), { ...options, runtime })
      })
      if (name !== 'expressions for the other direction')
        expect(explained?.error).to.match(/the patches of one object show more than 50000 values$/)
      expect(held).to.be.lessThan(deadline(60))
      expect(JSON.stringify(explained).length).to.be.lessThan(5e6)
    })
  }

  it('are applied in turns', async () => {
    const held = await longestTurn(async () => {
      const { subsets } = (await applyPatches(
        endpoints(500),
        patches(150, '[*].ip', { reference }),
        place(),
      )) as ReturnType<typeof endpoints>
      expect(subsets[0]?.addresses[499]?.ip).to.equal(`1.1.1.1${'-x'.repeat(150)}`)
    })
    expect(held).to.be.lessThan(deadline(30))
  })

  it('fail beyond 100,000 matched values', async () => {
    const error = await applyPatches(
      endpoints(1_000),
      patches(101, '[*].ip', { reference }),
      place(),
    ).catch((thrown: unknown) => thrown)
    expect(String(error)).to.match(
      /^PatchError: patches\[100\] at .* the patches of one object match more than 100000 values$/,
    )
  })
})
