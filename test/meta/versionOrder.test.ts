import { expect } from 'chai'
import { compareVersions } from '../../apiserver/meta/versionOrder.ts'

describe('compareVersions (reference 6.2)', () => {
  it('sorts stable before beta before alpha, higher first, other names last', () => {
    const best = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2']
    const all = [...best, 'foo1', 'foo10', 'v01']
    expect([...all].reverse().sort(compareVersions)).to.deep.equal(all)
  })
})
