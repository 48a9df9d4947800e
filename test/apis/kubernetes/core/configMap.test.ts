import { expect } from 'chai'
import { configMapResource } from '../../../../apiserver/apis/kubernetes/core/configMap.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import type { Store } from '../../../../apiserver/registry/store.ts'
import { tableRow } from '../../../../apiserver/registry/table.ts'
import { refusal } from '../../../support/refusal.ts'
import { create, openStores, put, type Stores } from '../../../support/stores.ts'

const megabyte = 1024 * 1024

function configMap(content: Record<string, unknown>): ApiObject {
  const metadata = { name: 'c', namespace: 'default' }
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata, ...content }
}

describe('config maps', () => {
  let stores: Stores
  let maps: Store

  beforeEach(async () => {
    stores = await openStores()
    maps = stores.storeOf(configMapResource)
  })

  afterEach(() => stores.close())

  async function causes(call: Promise<unknown>): Promise<string[] | undefined> {
    const { code, details } = await refusal(call)
    expect(code).to.equal(422)
    return details?.causes?.map(({ field, message }) => `${field}: ${message}`)
  }

  it('keep strings and bytes, and have no generation', async () => {
    const content = { data: { a: '', b: 'text' }, binaryData: { c: 'YQ==' }, immutable: false }
    const { metadata, kind: _, apiVersion: __, ...kept } = await create(maps, configMap(content))
    expect(kept).to.deep.equal(content)
    expect(metadata).to.not.have.property('generation')
  })

  const invalid = [
    { name: 'a key in both maps', content: { data: { a: 'x' }, binaryData: { a: 'YQ==' } } },
    { name: 'a key with a slash', content: { data: { 'a/b': '' } } },
    { name: 'a key of dots', content: { binaryData: { '..': '' } } },
    { name: 'more than a megabyte', content: { data: { a: 'x'.repeat(megabyte + 1) } } },
    { name: 'bytes that are no base64', content: { binaryData: { a: 'Y' } } },
    { name: 'a number', content: { data: { a: 5 } } },
  ]
  const wanted = [
    ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    [
      `data[a/b]: Invalid value: "a/b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
    ],
    [`binaryData[..]: Invalid value: "..": must not be '..'`],
    ['[]: Too long: may not be more than 1048576 bytes'],
    ['binaryData.a: Invalid value: "Y": binaryData.a in body must be base64, RFC 4648 section 4'],
    ['data.a: Invalid value: "integer": data.a in body must be of type string: "integer"'],
  ]
  for (const [at, { name, content }] of invalid.entries()) {
    it(`${name} is refused (reference 2.5)`, async () => {
      expect(await causes(create(maps, configMap(content)))).to.deep.equal(wanted[at])
    })
  }

  it('an immutable one keeps its data and its mark; labels may change (reference 2.5)', async () => {
    await create(maps, configMap({ data: { a: 'x' }, immutable: true }))
    const text = 'Forbidden: field is immutable when `immutable` is set'
    const changed = configMap({ data: { a: 'y' }, binaryData: { b: '' } })
    expect(await causes(put(maps, changed))).to.deep.equal([
      `immutable: ${text}`,
      `data: ${text}`,
      `binaryData: ${text}`,
    ])
    const labelled = configMap({ data: { a: 'x' }, immutable: true })
    labelled.metadata.labels = { l: '1' }
    expect((await put(maps, labelled)).metadata.labels).to.deep.equal({ l: '1' })
  })

  it('the table counts both maps (reference 8.1)', async () => {
    const made = await create(maps, configMap({ data: { a: '', b: '' }, binaryData: { c: '' } }))
    const { cells } = tableRow(made, configMapResource, {
      include: 'None',
      nowMs: stores.clock.now(),
    })
    expect(cells).to.deep.equal(['c', 3, '0s'])
  })
})
