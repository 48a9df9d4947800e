import { inParallel } from '../../../support/inParallel.ts'
import type { Part } from '../part.ts'
import { metadataChanges } from '../seeds/metadataChanges.ts'
import { createSeeds } from '../seeds/seedObjects.ts'
import { readSeeds } from '../seeds/seeds.ts'
import { metadataWrites } from '../seeds/writeRequests.ts'
import { compareCall } from '../servers/servers.ts'
import { shownAnswer, width } from './writePart.ts'

/** Writes of every kind in every form, with one or two changed members of the metadata. */
export const metadataPart: Part = {
  name: 'metadata',
  titles: readSeeds().map(({ title }) => title),
  run: async ({ servers, random, isWanted, goesOn, found }) => {
    const seeds = readSeeds()
    await Promise.all([createSeeds(servers.ours, seeds), createSeeds(servers.real, seeds)])
    const changes = metadataChanges()
    const forms = seeds
      .filter(({ title }) => isWanted(title))
      .flatMap((seed) => metadataWrites(seed).map((write) => ({ seed, write })))
    let count = 0
    // Each step goes once over all forms of all kinds, with another change for each of them.
    while (goesOn(count)) {
      const round = forms.map((form) => ({
        ...form,
        change: changes[random.between(0, changes.length)] ?? {},
      }))
      await inParallel(round, width, async ({ seed, write, change }) => {
        const call = write(change)
        const differences = await compareCall(servers, call, shownAnswer(seed, call))
        if (differences.length > 0) found({ title: seed.title, calls: [call], differences })
      })
      count += round.length
    }
    return count
  },
}
