import type { Case } from '../../call.ts'
import { compareCase } from '../compareCase.ts'
import type { Part } from '../part.ts'
import { createSeeds } from '../seeds/seedObjects.ts'
import { readSeeds } from '../seeds/seeds.ts'
import { drawSteps, sequenceKinds } from './sequences.ts'
import { shrink } from '../shrink.ts'

const stepsEach = 40

/** Random requests of all verbs for a few objects of one kind, with open watches. */
export const sequencePart: Part = {
  name: 'sequences',
  titles: sequenceKinds.map(({ plural }) => `sequence of ${plural}`),
  run: async ({ servers, random, isWanted, goesOn, found }) => {
    const kinds = sequenceKinds.filter(({ plural }) => isWanted(`sequence of ${plural}`))
    // The definition of the custom kind is among them.
    const seeds = readSeeds().filter(({ path }) => path.includes('customresourcedefinitions'))
    await Promise.all([createSeeds(servers.ours, seeds), createSeeds(servers.real, seeds)])
    const find = (given: Case) => compareCase(servers, given)
    let count = 0
    while (goesOn(count)) {
      const kind = kinds[random.between(0, kinds.length)]
      if (kind === undefined) return count
      const steps = drawSteps(kind, stepsEach, random)
      const given: Case = { name: `sequence of ${kind.plural}`, steps }
      const finding = await find(given)
      if (finding !== undefined) found(await shrink(given, finding, find))
      count += steps.length
    }
    return count
  },
}
