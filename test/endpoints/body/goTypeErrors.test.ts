import { expect } from 'chai'
import { bodyObject } from '../../../apiserver/endpoints/body/bodyObject.ts'
import type { BodyOrigin } from '../../../apiserver/endpoints/body/bodyType.ts'
import { unstructuredVoice } from '../../../apiserver/endpoints/body/goVoices.ts'
import { configMapResource } from '../../../apiserver/apis/kubernetes/core/configMap.ts'
import { secretResource } from '../../../apiserver/apis/kubernetes/core/secret.ts'
import { badRequest } from '../../../apiserver/meta/statusErrors.ts'
import { StatusError } from '../../../apiserver/meta/status.ts'
import { BuiltInKinds } from '../../support/builtInKinds.ts'
import { vectorLines } from '../../support/vectorLines.ts'

/** Error of a decoder for a body, without its prefix; absent: the body is valid. `isPatched`: the body is the result of a
 *  strategic merge patch. */
interface Row {
  kind: string
  body: object
  isPatched?: boolean
  refusal?: string
}

// The file contains lines of this type.
const rows = vectorLines('goTypeErrors.vectors.jsonl', import.meta.url) as Row[]

/** Source: seen on kube-apiserver 1.37.2. */
describe('wrong types in built-in kinds', () => {
  let kinds: BuiltInKinds
  before(async () => (kinds = await BuiltInKinds.open()))
  after(() => kinds.close())

  const refusalOf = (kind: string, rest: object, isPatched: boolean): string | undefined => {
    const all = [...kinds.resources, configMapResource, secretResource]
    const resource = all.find((one) => one.kind === kind) ?? kinds.resource(kind)
    const resources = { all: () => all }
    const reading = { voice: unstructuredVoice, refuse: (why: string) => badRequest(why) }
    const origin: BodyOrigin = isPatched ? { resources, reading } : { resources }
    try {
      bodyObject({ metadata: { name: 'a' }, ...rest }, [], resource, origin)
      return undefined
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 400) throw error
      return error.message.replace(`${kind} in version "v1" cannot be handled as a ${kind}: `, '')
    }
  }

  for (const { kind, body, isPatched = false, refusal } of rows) {
    const where = isPatched ? 'the result of a strategic merge patch' : 'a body'
    it(`${refusal === undefined ? 'reads' : 'refuses'} ${kind} ${JSON.stringify(body)} in ${where}`, () => {
      expect(refusalOf(kind, body, isPatched)).to.equal(refusal)
    })
  }
})
