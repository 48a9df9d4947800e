import { expect } from 'chai'
import type { ObjectMeta } from '../../../apiserver/meta/types.ts'
import {
  dedupOwners,
  matchNamespace,
  wipeSystemMetadata,
} from '../../../apiserver/registry/write/metadataSteps.ts'
import { failure, refusal } from '../../support/refusal.ts'

describe('wipeSystemMetadata', () => {
  it('removes fields set only by the server, and keeps the rest (reference 3.1)', () => {
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

describe('dedupOwners', () => {
  const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Node', name: 'n', uid })
  const found = (origin: 'body' | 'later') => {
    const ownerReferences = ['u', 'v', 'u', 'v'].map(owner)
    const object = { kind: 'Thing', apiVersion: 'v1', metadata: { ownerReferences } }
    return [dedupOwners(object, origin), object.metadata.ownerReferences.length]
  }
  const told = (when: string) =>
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u, v`

  it('drops repeated owners, and names their position (reference 1.8)', () => {
    expect(found('body')).to.deep.equal([told(''), 2])
    expect(found('later')).to.deep.equal([told(' after mutating admission happens'), 2])
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
    it(`${name} (reference 1.16)`, () => {
      matchNamespace(meta, request)
      expect(meta).to.deep.equal(want)
    })
  }

  it('another namespace: 400 BadRequest (reference 1.16)', async () => {
    expect(await refusal(() => matchNamespace({ namespace: 'a' }, 'b'))).to.deep.equal(
      failure(
        400,
        'BadRequest',
        'the namespace of the provided object does not match the namespace sent on the request',
      ),
    )
  })
})
