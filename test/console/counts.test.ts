import { expect } from 'chai'
import { readCounts } from '../../console/api/counts.ts'
import { eachKind } from '../../console/api/eachKind.ts'
import { kindId, type Kind } from '../../console/api/kinds.ts'

function kindOf(plural: string): Kind {
  return { group: '', version: 'v1', plural, namespaced: true } as Kind // All that counting reads.
}

describe('readCounts', () => {
  const kinds = ['a', 'b', 'c', 'd', 'e', 'f'].map(kindOf)
  const refused = new Set(['a', 'b', 'c', 'e'])

  async function counted(signal: AbortSignal): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    const list = { items: [{}], metadata: { remainingItemCount: 6 } }
    const client = {
      call: <T>(path: string) =>
        refused.has(path.slice(-1)) ? Promise.reject(new Error('503')) : Promise.resolve(list as T),
    }
    await readCounts(client, kinds, { namespace: '', signal }, (id, count) => counts.set(id, count))
    return counts
  }

  it('leaves out kinds that cannot be listed, and counts all others', async () => {
    expect(await counted(new AbortController().signal)).to.deep.equal(
      new Map([
        [kindId(kindOf('d')), 7],
        [kindId(kindOf('f')), 7],
      ]),
    )
  })

  it('names the kinds whose request failed, and keeps the order of the others', async () => {
    const { signal } = new AbortController()
    const { results, failed } = await eachKind(kinds, signal, ({ plural }) =>
      refused.has(plural) ? Promise.reject(new Error('503')) : Promise.resolve(plural),
    )
    expect(results).to.deep.equal(['d', 'f'])
    expect(failed.map(({ plural }) => plural).sort()).to.deep.equal(['a', 'b', 'c', 'e'])
  })

  it('tells nothing any more once it was aborted', async () => {
    expect((await counted(AbortSignal.abort())).size).to.equal(0)
  })
})
