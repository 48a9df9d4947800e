import { expect } from 'chai'
import type { ResourceDefinition } from '../../apiserver/registry/resource.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'

describe('ResourceSet', () => {
  const v1 = definition('v1', ['crew'])
  const v2 = definition('v2')
  const set = () => new ResourceSet([v1, v2])

  it('finds a version by plural and by alias', () => {
    const found = [
      set().get(v2, 'crews'),
      set().get(v1, 'crew'),
      set().get(v2, 'crew'),
      set().get({ group: 'other', version: 'v1' }, 'crews'),
    ]
    expect(found).to.deep.equal([v2, v1, undefined, undefined])
  })

  it('prefers a plural to an alias of the same name', () => {
    const aliased = definition('v1', ['crews'], 'boats')
    const crews = definition('v1')
    expect(new ResourceSet([aliased, crews]).get(crews, 'crews')).to.equal(crews)
  })

  it('finds the version of a resource that was registered first', () => {
    const target = { group: 'sea', resource: 'crews' }
    const others = { group: 'land', resource: 'crews' }
    expect([set().ofGroupResource(target), set().ofGroupResource(others)]).to.deep.equal([
      v1,
      undefined,
    ])
  })

  it('forgets a removed resource and serves a replaced one after a lookup', () => {
    const changing = set()
    const before = changing.all()
    changing.remove(v1)
    const replaced = { ...v2 }
    changing.add(replaced)
    expect(before).to.deep.equal([v1, v2])
    expect(changing.all().length).to.equal(1)
    expect(changing.get(v1, 'crew')).to.equal(undefined)
    expect(changing.get(v2, 'crews')).to.equal(replaced)
  })
})

function definition(version: string, aliases: string[] = [], plural = 'crews') {
  // Lookups read only these members.
  return { group: 'sea', version, plural, aliases } as unknown as ResourceDefinition
}
