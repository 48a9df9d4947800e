import { expect } from 'chai'
import { storageVersionHash } from '../../apiserver/discovery/storageVersionHash.ts'

describe('storageVersionHash (reference 6.1)', () => {
  const cases = [
    { group: 'apps', version: 'v1', kind: 'Deployment', want: '8aSe+NMegvE=' },
    { group: '', version: 'v1', kind: 'Pod', want: 'xPOwRZ+Yhw8=' },
    { group: 'example.dev', version: 'v1', kind: 'Widget', want: 'dGliDuVrUiQ=' },
  ]
  for (const { want, ...gvk } of cases) {
    it(`of ${gvk.group}/${gvk.version}/${gvk.kind} is ${want}`, () => {
      expect(storageVersionHash(gvk)).to.equal(want)
    })
  }
})
