import { expect } from 'chai'
import { StatusError } from '../../../apiserver/meta/status.ts'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import { applyObject } from '../../../apiserver/patch/apply/applyObject.ts'
import { updateManagedFields } from '../../../apiserver/patch/apply/managers/updateManagedFields.ts'
import { second, widgetContext } from './widget.ts'
import { vectorLines } from '../../support/vectorLines.ts'

interface Operation {
  op: 'apply' | 'update'
  manager: string
  force: boolean
  subresource: string
  object: ApiObject
}

interface Scenario {
  ops: Operation[]
  results: { object?: ApiObject; error?: unknown }[]
}

/**
 * Each line is a row of requests with the results of the managedfields package of apimachinery
 * 0.37.2 and structured-merge-diff 6.4.2, for the schema of widget.ts. The n-th request is sent at
 * the n-th second.
 */
const scenarios = vectorLines('./realLibrary.jsonl', import.meta.url) as Scenario[] // written by a program that ran the library

function outcome(
  live: ApiObject | undefined,
  { op, manager, force, subresource, object }: Operation,
  now: string,
) {
  const context = widgetContext({ now, ...(subresource === '' ? {} : { subresource }) })
  try {
    return op === 'apply'
      ? { object: applyObject(live, object, { manager, force }, context) }
      : { object: updateManagedFields(live, object, manager, context) }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    return { error: error.code === 500 ? error.message : refused(error) }
  }
}

function refused({ code, message, details }: StatusError) {
  const causes = details?.causes?.map(({ field }) => field)
  return { code, message, ...(causes === undefined ? {} : { causes }) }
}

/** Sets as text, so that the order of their elements is compared, too. */
function fieldsText(object: ApiObject | undefined): string[] {
  return (object?.metadata.managedFields ?? []).map(({ fieldsV1 }) => JSON.stringify(fieldsV1))
}

describe('server-side apply against the real library (reference 3.11–3.13)', () => {
  scenarios.forEach(({ ops, results }, index) => {
    it(`scenario ${index}: ${ops.map(({ op, manager }) => `${op} by ${manager}`).join(', ')}`, () => {
      let live: ApiObject | undefined
      ops.forEach((operation, step) => {
        const before = structuredClone([live, operation.object])
        const got = outcome(live, operation, second(step))
        expect(got).to.deep.equal(results[step])
        expect(fieldsText(got.object)).to.deep.equal(fieldsText(results[step]?.object))
        expect([live, operation.object]).to.deep.equal(before)
        if (got.object === undefined) return
        live = structuredClone({ ...got.object, metadata: { ...got.object.metadata, uid: 'u' } })
      })
    })
  })
})
