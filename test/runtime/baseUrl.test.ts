import { expect } from 'chai'
import { baseUrl } from '../../apiserver/runtime/baseUrl.ts'

describe('baseUrl', () => {
  const cases = [
    { address: '127.0.0.1', want: 'https://127.0.0.1:8443' },
    { address: '::1', want: 'https://[::1]:8443' },
    { address: '0.0.0.0', want: 'https://127.0.0.1:8443' },
    { address: '::', want: 'https://[::1]:8443' },
    { address: 'localhost', want: 'https://localhost:8443' },
  ]
  for (const { address, want } of cases) {
    it(`of ${address} is ${want}`, () => expect(baseUrl('https', address, 8443)).to.equal(want))
  }
})
