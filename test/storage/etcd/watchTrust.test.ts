import { expect } from 'chai'
import { keepsProgressInOrder } from '../../../apiserver/storage/etcd/watchTrust.ts'

describe('keepsProgressInOrder', () => {
  const cases = [
    { version: '3.4.23', want: false },
    { version: '3.4.25', want: true },
    { version: '3.5.7', want: false },
    { version: '3.5.8', want: true },
    { version: '3.5.26+abc', want: true },
    { version: '3.6.0', want: true },
    { version: '3.6.16-rc.1', want: true },
    { version: '3.3.27', want: false },
    { version: '4.0.0', want: true },
  ]
  for (const { version, want } of cases) {
    it(`${want ? 'trusts' : 'does not trust'} progress notifications of ${version}`, () => {
      expect(keepsProgressInOrder(version)).to.equal(want)
    })
  }
})
