import { expect } from 'chai'
import { overlapWarnings } from '../../../apiserver/apis/kubernetes/core/volume/overlappingPaths.ts'
import { pemBlocks } from '../../../apiserver/apis/kubernetes/certificates/pemBlocks.ts'
import { isEqual } from '../../../apiserver/cel/values/comparison.ts'
import { parseJsonPath } from '../../../apiserver/customResources/jsonPath.ts'
import { parseAccept } from '../../../apiserver/encoding/acceptHeader.ts'
import { mediaTypeOf } from '../../../apiserver/encoding/contentType.ts'
import { mergedRepeats } from '../../../apiserver/endpoints/body/mergedRepeats.ts'
import { parseInt64, parseUint64 } from '../../../apiserver/meta/json/integers.ts'
import { isLiteral } from '../../../apiserver/meta/json/numberLiteral.ts'
import { parseQuantity, quantityText } from '../../../apiserver/meta/quantity.ts'
import { parseLabelSelector } from '../../../apiserver/meta/selectors/labelSelector.ts'
import { applyConflict } from '../../../apiserver/patch/apply/applyConflict.ts'
import { applyJsonPatch } from '../../../apiserver/patch/jsonPatch.ts'
import { canonicalForm } from '../../../apiserver/registry/schema/canonicalForm.ts'
import { deadline } from '../../support/deadlines.ts'

/**
 * Each takes a few milliseconds; a quadratic or exponential algorithm would take seconds to
 * minutes.
 */
const inputs: Readonly<Record<string, () => void>> = {
  'spaces in Accept': () => parseAccept(`a/b${' '.repeat(100_000)}x`),
  'a quality of digits': () => parseAccept(`a/b;q=${'1'.repeat(100_000)}x`),
  'spaces after a parameter': () =>
    mediaTypeOf(`application/json; a=b${' '.repeat(100_000)}!`, ['application/json']),
  'a quantity of digits that is none': () => parseQuantity(`${'1'.repeat(100_000)}!`),
  'a quantity of zeros': () => quantityText(`1${'0'.repeat(60_000)}`),
  'a long integer': () => {
    const digits = '7'.repeat(3_000_000)
    expect([parseInt64(digits), parseUint64(digits), isLiteral(digits)]).to.deep.equal([
      ...[undefined, undefined, true],
    ])
  },
  'blocks that do not end': () => pemBlocks('-----BEGIN a-----\n'.repeat(50_000)),
  'blocks that end elsewhere': () =>
    pemBlocks(`${'-----BEGIN a-----\n'.repeat(50_000)}${'-----END b-----\n'.repeat(50_000)}`),
  'lines outside of blocks': () => pemBlocks('\n'.repeat(8_000_000)),
  'spaces in a block': () =>
    pemBlocks(`-----BEGIN a-----\n${' '.repeat(100_000)}!\n-----END a-----\n`),
  'doubling copies': () => {
    const copies = Array.from({ length: 22 }, (_, at) => [
      { op: 'add', path: `/x${at + 1}`, value: {} },
      { op: 'copy', from: `/x${at}`, path: `/x${at + 1}/a` },
      { op: 'copy', from: `/x${at}`, path: `/x${at + 1}/b` },
    ])
    expect(() => applyJsonPatch({ x0: {} }, copies.flat())).to.throw(
      'the server rejected our request',
    )
  },
  'a selector of many keys': () => {
    const keys = Array.from({ length: 12_000 }, (_, at) => `!${at.toString(36)}`)
    const selector = parseLabelSelector(keys.join(','))
    for (let at = 0; at < 3_000; at++) selector.matches({ a: 'b', [`l${at}`]: 'c' })
  },
  'repeated members': () => {
    const members = Array.from({ length: 20_000 }, (_, at) => `"data":{"k${at}":"v"}`)
    const data = { type: 'object', additionalProperties: { type: 'string' } } as const
    const merged = mergedRepeats(`{${members.join(',')}}`, { type: 'object', properties: { data } })
    expect(Object.keys((merged as { data: object }).data)).to.have.length(20_000)
  },
  'nested files of a volume': () => {
    const items = Array.from({ length: 1_000 }, (_, at) => ({ path: 'a/'.repeat(at) }))
    expect(overlapWarnings([{ name: 'v', configMap: { items } }] as never[])).not.to.equal([])
  },
  'slashes at the end of a path': () =>
    overlapWarnings([{ configMap: { items: [{ path: `${'/'.repeat(200_000)}x` }] } }] as never[]),
  'unknown fields below a long key': () => {
    const fields = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`f${at}`, 1]))
    const schema = { type: 'object', additionalProperties: { type: 'object', properties: {} } }
    const { unknownFields } = canonicalForm({ ['k'.repeat(200_000)]: fields }, schema as never)
    expect(unknownFields.length).to.equal(100)
  },
  'conflicts below a long key': () => {
    const below = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`f:f${at}`, {}]))
    const fields = { [`f:${'k'.repeat(40_000)}`]: below }
    const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', subresource: '' } as const
    const set = { ...entry, time: undefined, set: fields }
    const { message } = applyConflict(new Map([['m', { entry: set, fields }]]))
    expect(message).to.match(/^Apply failed with 3000 conflicts/)
    expect(message.length).to.be.lessThan(2 * 1024 * 1024)
  },
  'steps of any depth': () => {
    let deep: object = { b: 1 }
    for (let at = 0; at < 180; at++) deep = { a: deep }
    parseJsonPath('..a..a..a..a..b')?.find(deep)
  },
  'values that share their parts': () => {
    const make = () => {
      let value: unknown = 1
      for (let at = 0; at < 30; at++) value = [value, value]
      return value
    }
    expect(() => isEqual(make(), make())).to.throw('cost limit')
  },
}

describe('small inputs that could take long', () => {
  for (const [what, run] of Object.entries(inputs)) {
    it(`${what} take little time`, () => {
      const began = performance.now()
      run()
      expect(performance.now() - began).to.be.lessThan(deadline(500))
    })
  }
})
