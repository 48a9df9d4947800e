import { expect } from 'chai'
import { withScopeShown, withScopeOfExtra } from '../../apiserver/authentication/scopeExtra.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'

const ann = { name: 'ann', uid: '', groups: [], extra: { a: ['b'] } }
const scope = { projects: [{ project: 'größe' }] }

describe('the scope in extra', () => {
  it('tells what a credential is narrowed to, in letters that a header may have', () => {
    const { extra } = withScopeShown(
      { ...ann, credential: { accessKey: 'k', scope } },
      defaultNames,
    )
    expect(extra).to.deep.equal({
      a: ['b'],
      'platform/scope': ['{"projects":[{"project":"gr\\u00f6\\u00dfe"}]}'],
    })
  })

  it('is nothing where there is none', () => {
    expect(withScopeShown(ann, defaultNames)).to.equal(ann)
    expect(withScopeOfExtra(ann, defaultNames)).to.equal(ann)
  })

  it('comes back as what it was', () => {
    const told = withScopeShown({ ...ann, credential: { scope } }, defaultNames)
    const { credential: _credential, ...remote } = told
    expect(withScopeOfExtra(remote, defaultNames)).to.deep.equal({ ...ann, credential: { scope } })
  })

  for (const said of [['{'], ['[]'], ['"x"'], [], ['{}', '{}']]) {
    it(`refuses ${JSON.stringify(said)}: without it the user would have more`, () => {
      const user = { ...ann, extra: { 'platform/scope': said } }
      expect(() => withScopeOfExtra(user, defaultNames)).to.throw(
        'extra platform/scope is not a scope',
      )
    })
  }
})
