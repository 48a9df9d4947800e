import { expect } from 'chai'
import { StatusError } from '../../../../../apiserver/meta/status.ts'
import type { ApiObject } from '../../../../../apiserver/meta/types.ts'
import { BuiltInKinds } from '../../../../support/builtInKinds.ts'
import { changedCopy } from '../../../../support/changedCopy.ts'
import { warned } from '../../../../support/contexts.ts'
import { create } from '../../../../support/stores.ts'
import { vectorLines } from '../../../../support/vectorLines.ts'

/** The answer to a new pod: causes when it is refused, warnings, and its spec once it is stored. */
interface Answer {
  causes?: string[]
  warnings?: string[]
  stored?: object
}

/** A whole pod. */
interface Seed extends Answer {
  pod: string
  metadata: object
  spec: object
}

/** A pod with one field changed. `at` is its path; without `to` the field is removed. */
interface Change extends Answer {
  of: string
  at: string
  to?: unknown
}

/** Answers of kube-apiserver 1.37.2 to creates with a dry run. */
const lines = vectorLines('newPods.vectors.jsonl', import.meta.url) as (Seed | Change)[]
const seeds = new Map(lines.flatMap((line) => ('pod' in line ? [[line.pod, line] as const] : [])))

describe('new pods', () => {
  let kinds: BuiltInKinds

  before(async () => {
    kinds = await BuiltInKinds.open()
  })

  after(() => kinds.close())

  /** Answer to a pod; `stored` is omitted unless requested. */
  const answer = async (pod: object, isShown: boolean): Promise<Answer> => {
    const { context, warnings } = warned()
    // An answer tells each once.
    const told = () => (warnings.length === 0 ? {} : { warnings: [...new Set(warnings)] })
    try {
      const object = kinds.object('Pod', { ...pod })
      const made = await create(kinds.store('Pod'), object, { ...context, dryRun: true })
      return { ...told(), ...(isShown ? { stored: specOf(made) } : {}) }
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      const { causes = [] } = error.toStatus().details ?? {}
      return { causes: causes.map(({ field, message }) => `${field ?? ''}: ${message}`), ...told() }
    }
  }

  for (const { pod, metadata, spec, ...want } of seeds.values()) {
    it(`are validated as a whole: ${pod}`, async () => {
      expect(await answer({ metadata, spec }, 'stored' in want)).to.deep.equal(want)
    })
  }

  for (const line of lines) {
    if ('pod' in line) continue
    const { of, at, to, ...want } = line
    it(`are validated by ${at} of ${of}: ${JSON.stringify(to)}`, async () => {
      const { metadata, spec } = seeds.get(of) ?? {}
      const pod = changedCopy({ metadata, spec }, at.split('.'), to)
      expect(await answer(pod, false)).to.deep.equal(want)
    })
  }
})

function specOf(object: ApiObject): object {
  // Stored objects of the kind have one.
  return object['spec'] as object
}
