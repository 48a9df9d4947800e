import { expect } from 'chai'
import { StatusError } from '../../../../../apiserver/meta/status.ts'
import { atOnce } from '../../../../../apiserver/meta/waiting/steps.ts'
import { beforeUpdate } from '../../../../../apiserver/registry/write/beforeUpdate.ts'
import { subresourceStrategy } from '../../../../../apiserver/registry/resource.ts'
import { BuiltInKinds } from '../../../../support/builtInKinds.ts'
import { clientContext } from '../../../../support/contexts.ts'
import { changedCopy } from '../../../../support/changedCopy.ts'
import { vectorLines } from '../../../../support/vectorLines.ts'

/** Stored pod, and the subresource through which it is written, if any. */
interface Stored {
  old: string
  via?: string
  metadata: object
  spec: object
  status: object
}

/**
 * Write with one changed field, and the causes if it is refused. `at` is its path; without `to` the
 * field is removed.
 */
interface Change {
  of: string
  at: string
  to?: unknown
  causes: string[]
}

/** Responses of kube-apiserver 1.37.2 to dry-run PUTs. */
const lines = vectorLines('podChanges.vectors.jsonl', import.meta.url) as (Stored | Change)[]
const pods = new Map(lines.flatMap((line) => ('old' in line ? [[line.old, line] as const] : [])))

describe('changes of pods', () => {
  let kinds: BuiltInKinds

  before(async () => {
    kinds = await BuiltInKinds.open()
  })

  after(() => kinds.close())

  const causes = ({ via, metadata, spec, status }: Stored, at: string, to: unknown): string[] => {
    const resource = kinds.resource('Pod')
    const own = via === undefined ? resource.strategy : subresourceStrategy(resource, via)
    const stored = { metadata: { ...metadata, uid: 'u', resourceVersion: '1' }, spec, status }
    const old = kinds.object('Pod', stored)
    const next = kinds.object('Pod', { ...changedCopy(stored, at.split('.'), to) })
    const step = { resource, strategy: own ?? {}, checkSchema: () => [], context: clientContext() }
    try {
      atOnce(beforeUpdate(next, old, step))
      return []
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      const { causes: found = [] } = error.toStatus().details ?? {}
      return found.map(
        ({ field, message }) => `${field ?? ''}: ${withoutDifference(message ?? '')}`,
      )
    }
  }

  for (const line of lines) {
    if ('old' in line) continue
    const stored = pods.get(line.of)
    const path = stored?.via === undefined ? '' : `/${stored.via}`
    it(`are validated at ${path} by ${line.at} of ${line.of}: ${JSON.stringify(line.to)}`, () => {
      expect(stored && causes(stored, line.at, line.to)).to.deep.equal(line.causes)
    })
  }
})

/** Beginnings of messages after which the real server appends a diff of its internal types. */
function withoutDifference(message: string): string {
  return message.replace(/(may not be changed)\n$/, '$1')
}
