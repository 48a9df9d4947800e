import { expect } from 'chai'
import { namespaceAdmission } from '../../../../../apiserver/apis/kubernetes/core/namespace/namespaceAdmission.ts'
import { namespaceResource } from '../../../../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import type { ApiObject } from '../../../../../apiserver/meta/types.ts'
import type { GuardedWrite } from '../../../../../apiserver/registry/storeTypes.ts'
import { failure, refusal } from '../../../../support/refusal.ts'
import { thingResource } from '../../../../support/thing.ts'

const there: Readonly<Record<string, ApiObject['metadata']>> = {
  here: {},
  going: { deletionTimestamp: '2030-01-01T00:00:00Z' },
}

const admit = namespaceAdmission(({ name }) => {
  const metadata = there[name]
  return metadata && { kind: 'Namespace', apiVersion: 'v1', metadata: { name, ...metadata } }
})

const request = (namespace: string, rest: Partial<GuardedWrite> = {}): GuardedWrite => ({
  operation: 'create',
  resource: thingResource(),
  namespace,
  name: 'a',
  ...rest,
})

describe('namespaceAdmission', () => {
  const allowed: { name: string; request: GuardedWrite }[] = [
    { name: 'a create in a namespace that is there', request: request('here') },
    { name: 'an update in one that is going', request: request('going', { operation: 'update' }) },
    { name: 'a delete in one that is going', request: request('going', { operation: 'delete' }) },
    {
      name: 'a create of a kind without namespaces',
      request: request('', { resource: namespaceResource }),
    },
  ]
  for (const each of allowed) {
    it(`allows ${each.name}`, () => admit(each.request))
  }

  it('a missing namespace: 404 NotFound', async () => {
    expect(await refusal(() => admit(request('nowhere')))).to.deep.equal(
      failure(404, 'NotFound', 'namespaces "nowhere" not found', {
        name: 'nowhere',
        kind: 'namespaces',
      }),
    )
  })

  it('a terminating namespace: 403 Forbidden with the cause NamespaceTerminating', async () => {
    expect(await refusal(() => admit(request('going')))).to.deep.equal(
      failure(
        403,
        'Forbidden',
        'things.example.dev "a" is forbidden: unable to create new content in namespace going because it is being terminated',
        {
          name: 'a',
          group: 'example.dev',
          kind: 'things',
          causes: [
            {
              reason: 'NamespaceTerminating',
              message: 'namespace going is being terminated',
              field: 'metadata.namespace',
            },
          ],
        },
      ),
    )
  })
})
