import { expect } from 'chai'
import { tableRow } from '../../../../apiserver/registry/table.ts'
import { BuiltInKinds, onePod } from '../../../support/builtInKinds.ts'
import { vectorLines } from '../../../support/vectorLines.ts'

interface Case {
  kind: string
  object: Record<string, unknown>
  /** Cells; those of `-o wide` follow a bar. */
  cells: unknown[]
}

// The file contains lines of this type.
const cases = vectorLines('columns.vectors.jsonl', import.meta.url) as Case[]

describe('columns of built-in kinds', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  for (const { kind, object, cells } of cases) {
    it(`of a ${kind}: ${cells.slice(0, 4).join(' ')}`, async () => {
      const made = await kinds.create(kind, object)
      const shown = kinds.cells({ ...made, ...('status' in object ? pick(object) : {}) })
      expect(shown).to.deep.equal(cells)
    })
  }

  const ended = [
    {
      phase: 'Succeeded',
      conditions: [
        {
          type: 'Completed',
          status: 'True',
          reason: 'Succeeded',
          message: 'The pod has completed successfully.',
        },
      ],
    },
    {
      phase: 'Failed',
      conditions: [
        { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' },
      ],
    },
    { phase: 'Running', conditions: undefined },
  ]
  for (const { phase, conditions } of ended) {
    it(`the row of a pod that is ${phase} has ${conditions?.length ?? 'no'} condition`, async () => {
      const made = await kinds.create('Pod', { spec: onePod })
      const row = tableRow({ ...made, status: { phase } }, kinds.resource('Pod'), {
        include: 'None',
        nowMs: 0,
      })
      expect(row.conditions).to.deep.equal(conditions)
    })
  }
})

function pick({ status }: Record<string, unknown>): Record<string, unknown> {
  return { status }
}
