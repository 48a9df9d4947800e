import { expect } from 'chai'
import { StatusError } from '../../../../../apiserver/meta/status.ts'
import type { ApiObject } from '../../../../../apiserver/meta/types.ts'
import { BuiltInKinds } from '../../../../support/builtInKinds.ts'
import { changedCopy } from '../../../../support/changedCopy.ts'
import { warned } from '../../../../support/contexts.ts'
import { create } from '../../../../support/stores.ts'
import { vectorLines } from '../../../../support/vectorLines.ts'

/** Response to a new pod: causes if it is refused, warnings, and its spec if it is stored. */
interface Answer {
  causes?: string[]
  warnings?: string[]
  stored?: object
}

/** Complete pod. */
interface Seed extends Answer {
  pod: string
  metadata: object
  spec: object
}

/** Pod with one changed field. `at` is its path; without `to` the field is removed. */
interface Change extends Answer {
  of: string
  at: string
  to?: unknown
}

/** Responses of kube-apiserver 1.37.2 to dry-run creates. */
const lines = vectorLines('newPods.vectors.jsonl', import.meta.url) as (Seed | Change)[]
const seeds = new Map(lines.flatMap((line) => ('pod' in line ? [[line.pod, line] as const] : [])))

describe('new pods', () => {
  let kinds: BuiltInKinds

  before(async () => {
    kinds = await BuiltInKinds.open()
  })

  after(() => kinds.close())

  /** Response to a pod; `stored` is omitted unless requested. */
  const answer = async (pod: object, isShown: boolean): Promise<Answer> => {
    const { context, warnings } = warned()
    // A response contains each warning once.
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
  // Every stored object of the kind has a spec.
  return object['spec'] as object
}
