import { expect } from 'chai'
import { curl } from '../differential/realServer/servers/curl.ts'
import { startOwnServer, type OwnServer } from '../differential/realServer/servers/ownServer.ts'
import { createSeeds } from '../differential/realServer/seeds/seedObjects.ts'
import { readSeeds } from '../differential/realServer/seeds/seeds.ts'
import { replay, type Replayed } from './replay.ts'
import { readVectors, recordedTitles } from './vector.ts'

const longestMs = 120_000
/** Number of differences shown, enough to recognize the error. */
const shownCount = 5

/**
 * Source: seen on kube-apiserver of the version in hack/kubernetes-version; `make vectors` records
 * it again.
 */
describe('recorded responses of the real kube-apiserver', function () {
  this.timeout(5 * longestMs)
  let server: OwnServer | undefined

  before(async () => {
    server = await startOwnServer()
    await createSeeds(server.side, readSeeds())
  })

  after(() => server?.stop())

  for (const title of recordedTitles()) {
    it(`${title}: every response is equal`, async () => {
      if (server === undefined) throw new Error('the server is not started')
      const replayed = await replay(server.side, readVectors(title))
      const unequal = replayed.filter(({ differences }) => differences.length > 0)
      expect(unequal.slice(0, shownCount).map(shown), `${unequal.length} differ`).to.deep.equal([])
    })
  }
})

function shown({ vector, differences }: Replayed): string {
  const { at, ours, peer } = differences[0] ?? {}
  return `${curl(vector.call)}\n${at}: ${JSON.stringify(ours)}, recorded ${JSON.stringify(peer)}`
}
