import { expect } from 'chai'
import { isProxyable } from '../../../../../apiserver/apis/kubernetes/core/proxy/proxyAddress.ts'

describe('isProxyable', () => {
  const allowed = ['10.0.0.1', '192.168.1.1', '8.8.8.8', '100.64.0.1', '2001:db8::1', 'fd00::1']
  for (const address of allowed) {
    it(`accepts ${address}`, () => expect(isProxyable(address)).to.equal(true))
  }

  const refused = [
    ...['127.0.0.1', '127.255.255.254', '169.254.169.254', '224.0.0.1', '239.1.1.1', '0.0.0.0'],
    ...['255.255.255.255', '::', '::1', 'fe80::1', 'febf::1', 'ff02::1', '::ffff:127.0.0.1'],
    ...['::ffff:169.254.169.254', 'localhost', '', '010.0.0.1', '10.0.0'],
  ]
  for (const address of refused) {
    it(`refuses ${address || 'an empty address'}`, () =>
      expect(isProxyable(address)).to.equal(false))
  }
})
