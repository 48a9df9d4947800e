import { documentForm } from '../../apiserver/registry/objectForm.ts'
import { expect } from 'chai'
import { inGroupOrder } from '../../apiserver/apis/kubernetes/groupOrder.ts'
import { namedGroups } from '../../apiserver/discovery/servedGroups.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import { gadget } from '../support/kinds/fixtureResources.ts'

/** Source: `/apis` of kube-apiserver 1.37.2. */
describe('groups in discovery', () => {
  const of = (group: string, isDefined = false) => ({
    ...gadget,
    group,
    ...(isDefined ? { form: documentForm } : {}),
  })

  it('follow the order of the API, with unknown groups last', () => {
    const groups = ['rbac.authorization.k8s.io', 'other.dev', 'apps', '', 'batch', 'apps']
    expect(inGroupOrder(groups.map((group) => of(group))).map(({ group }) => group)).to.deep.equal([
      '',
      'apps',
      'apps',
      'batch',
      'rbac.authorization.k8s.io',
      'other.dev',
    ])
  })

  it('are sorted by name after the others if they contain custom kinds', () => {
    const set = new ResourceSet([of('z.dev', true), of('a.dev', true), of('policy'), of('apps')])
    expect(namedGroups(set).map(({ name }) => name)).to.deep.equal([
      'policy',
      'apps',
      'a.dev',
      'z.dev',
    ])
  })
})
