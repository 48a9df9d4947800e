import { expect } from 'chai'
import type { ObjectMeta } from '../../apiserver/meta/types.ts'
import { matchNamespace, wipeSystemMetadata } from '../../apiserver/registry/metadataSteps.ts'
import { failure, refusal } from '../support/refusal.ts'

describe('wipeSystemMetadata', () => {
  it('3.1: wipes what only the server sets, and keeps the rest', () => {
    const kept: ObjectMeta = {
      name: 'a',
      generateName: 'g',
      namespace: 'n',
      resourceVersion: '5',
      generation: 3,
      labels: { a: 'b' },
      finalizers: ['x/y'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }],
    }
    const meta: ObjectMeta = {
      ...kept,
      uid: 'u',
      selfLink: '/x',
      creationTimestamp: '2030-01-01T00:00:00Z',
      deletionTimestamp: '2030-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    }
    wipeSystemMetadata(meta)
    expect(meta).to.deep.equal(kept)
  })
})

describe('matchNamespace', () => {
  const cases: { name: string; meta: ObjectMeta; request: string; want: ObjectMeta }[] = [
    { name: 'equal', meta: { namespace: 'a' }, request: 'a', want: { namespace: 'a' } },
    { name: 'none in the body', meta: {}, request: 'a', want: { namespace: 'a' } },
    { name: 'none in the request', meta: { namespace: 'a' }, request: '', want: {} },
    { name: 'none at all', meta: {}, request: '', want: {} },
  ]
  for (const { name, meta, request, want } of cases) {
    it(`1.16: ${name}`, () => {
      matchNamespace(meta, request)
      expect(meta).to.deep.equal(want)
    })
  }

  it('1.16: another one: 400 BadRequest', async () => {
    expect(await refusal(() => matchNamespace({ namespace: 'a' }, 'b'))).to.deep.equal(
      failure(
        400,
        'BadRequest',
        'the namespace of the provided object does not match the namespace sent on the request',
      ),
    )
  })
})
