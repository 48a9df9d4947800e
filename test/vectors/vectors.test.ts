import { expect } from 'chai'
import { curl } from '../differential/realServer/servers/curl.ts'
import { startOwnServer, type OwnServer } from '../differential/realServer/servers/ownServer.ts'
import { createSeeds } from '../differential/realServer/seeds/seedObjects.ts'
import { readSeeds } from '../differential/realServer/seeds/seeds.ts'
import { replay, type Replayed } from './replay.ts'
import { readUnequal, writeUnequal } from './unequal.ts'
import { readVectors, recordedTitles } from './vector.ts'

const longestMs = 120_000
/** Enough to see what is wrong. */
const shownCount = 5

/** Source: seen on kube-apiserver of the version in hack/kubernetes-version; `make vectors` records anew. */
describe('recorded responses of the real kube-apiserver', function () {
  this.timeout(5 * longestMs)
  const unequal = readUnequal()
  const listed = new Set(Object.values(unequal).flatMap(({ ids }) => ids))
  const updates = process.env['UPDATE_GOLDEN'] !== undefined
  let server: OwnServer | undefined

  before(async () => {
    server = await startOwnServer()
    await createSeeds(server.side, readSeeds())
  })

  after(async () => {
    await server?.stop()
    if (updates) writeUnequal(unequal)
  })

  for (const title of recordedTitles()) {
    it(`${title}: every response is equal, except for those listed as unequal`, async () => {
      if (server === undefined) throw new Error('the server is not started')
      const replayed = await replay(server.side, readVectors(title))
      const worse = replayed.filter(
        ({ vector, differences }) => differences.length > 0 && !listed.has(vector.id),
      )
      const better = replayed.filter(
        ({ vector, differences }) => differences.length === 0 && listed.has(vector.id),
      )
      expect(worse.slice(0, shownCount).map(shown), `${worse.length} differ`).to.deep.equal([])
      if (updates) forget(better.map(({ vector }) => vector.id))
      else
        expect(better.length, 'answered the same by now: UPDATE_GOLDEN=1 takes them off').to.equal(
          0,
        )
    })
  }

  function forget(ids: readonly string[]): void {
    for (const known of Object.values(unequal))
      known.ids = known.ids.filter((id) => !ids.includes(id))
  }
})

function shown({ vector, differences }: Replayed): string {
  const { at, ours, peer } = differences[0] ?? {}
  return `${curl(vector.call)}\n${at}: ${JSON.stringify(ours)}, recorded ${JSON.stringify(peer)}`
}
