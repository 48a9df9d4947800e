import { expect } from 'chai'
import { definitionColumns } from '../../../../apiserver/apis/kubernetes/apiextensions/definitionColumns.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'

/** Source: the tables of kube-apiserver 1.37.2. */
describe('definitionColumns', () => {
  const definition = (rest: object): ApiObject => ({
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'widgets.example.com', creationTimestamp: '2026-11-23T15:53:46Z' },
    ...rest,
  })
  const cells = (object: ApiObject) => definitionColumns.slice(1).map(({ cell }) => cell(object, 0))

  it('lists served versions by name and marks the storage version', () => {
    const object = definition({
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget', shortNames: ['wg', 'wi'] },
        versions: [
          { name: 'v1beta1', served: true, storage: false },
          { name: 'v1', served: true, storage: true },
          { name: 'v1alpha1', served: false, storage: false },
        ],
      },
      status: { conditions: [{ type: 'Established', status: 'True' }] },
    })
    expect(cells(object)).to.deep.equal([
      'Namespaced',
      'v1(storage),v1beta1',
      '2026-11-23T15:53:46Z',
      'example.com',
      'Widget',
      'wg,wi',
      true,
    ])
  })

  it('shows a definition that is not yet established', () => {
    const object = definition({ spec: { names: { kind: 'Widget' }, versions: [] } })
    expect(cells(object).slice(-2)).to.deep.equal(['', false])
  })
})
