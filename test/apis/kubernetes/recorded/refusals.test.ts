import { expect } from 'chai'
import { BuiltInKinds } from '../../../support/builtInKinds.ts'
import { refusal } from '../../../support/refusal.ts'
import { vectorLines } from '../../../support/vectorLines.ts'

/** Causes for refusing an object or its change. Source: seen on kube-apiserver. */
interface Row {
  kind: string
  title?: string
  sent: Record<string, unknown>
  changed?: Record<string, unknown>
  causes: string[]
}

// The file contains lines of this type.
const rows = vectorLines('refusals.vectors.jsonl', import.meta.url) as Row[]

describe('refusals of the built-in kinds', () => {
  let kinds: BuiltInKinds

  before(async () => {
    kinds = await BuiltInKinds.open()
  })

  after(() => kinds.close())

  for (const { kind, title, sent, changed, causes } of rows) {
    const shown = title ?? causes.join('; ').slice(0, 80)
    it(`refuses a ${changed === undefined ? '' : 'changed '}${kind}: ${shown}`, async () => {
      const call = changed === undefined ? kinds.create(kind, sent) : change(kind, sent, changed)
      const { details } = await refusal(call)
      const told = details?.causes?.map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`)
      expect(told).to.deep.equal(causes)
    })
  }

  async function change(kind: string, sent: Row['sent'], changed: Row['sent']): Promise<unknown> {
    const { metadata } = await kinds.create(kind, sent)
    const transform = () => kinds.object(kind, { ...changed, metadata })
    const request = kinds.request(kind)
    return kinds.store(kind).update(request, { transform }, request)
  }
})
