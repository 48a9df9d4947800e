import { expect } from 'chai'
import { withScopeShown, withScopeOfExtra } from '../../apiserver/authentication/scopeExtra.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'

const ann = { name: 'ann', uid: '', groups: [], extra: { a: ['b'] } }
const scope = { projects: [{ project: 'größe' }] }

describe('the scope in extra', () => {
  it('encodes the scope of a credential in characters allowed in headers', () => {
    const { extra } = withScopeShown(
      { ...ann, credential: { accessKey: 'k', scope } },
      defaultNames,
    )
    expect(extra).to.deep.equal({
      a: ['b'],
      'platform/scope': ['{"projects":[{"project":"gr\\u00f6\\u00dfe"}]}'],
    })
  })

  it('is empty without a scope', () => {
    expect(withScopeShown(ann, defaultNames)).to.equal(ann)
    expect(withScopeOfExtra(ann, defaultNames)).to.equal(ann)
  })

  it('is decoded to the original', () => {
    const told = withScopeShown({ ...ann, credential: { scope } }, defaultNames)
    const { credential: _credential, ...remote } = told
    expect(withScopeOfExtra(remote, defaultNames)).to.deep.equal({ ...ann, credential: { scope } })
  })

  for (const said of [['{'], ['[]'], ['"x"'], [], ['{}', '{}']]) {
    it(`refuses ${JSON.stringify(said)}: ignoring it would grant more`, () => {
      const user = { ...ann, extra: { 'platform/scope': said } }
      expect(() => withScopeOfExtra(user, defaultNames)).to.throw(
        'extra platform/scope is not a scope',
      )
    })
  }
})
