import { expect } from 'chai'
import { servingHosts } from '../../../apiserver/http/pki/servingHosts.ts'

describe('servingHosts', () => {
  const always = [
    'localhost',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    '127.0.0.1',
    '::1',
  ]

  for (const address of ['127.0.0.1', 'localhost', '192.0.2.7', '0.0.0.0', '::']) {
    it(`has loopback and cluster names, each once, for ${address}`, () => {
      const hosts = servingHosts(address)
      expect(hosts).to.include.members(always)
      expect(new Set(hosts).size).to.equal(hosts.length)
    })
  }

  it('has the address itself, but not an unspecified address', () => {
    expect(servingHosts('192.0.2.7')).to.include('192.0.2.7')
    expect(servingHosts('0.0.0.0')).not.to.include('0.0.0.0')
    expect(servingHosts('::')).not.to.include('::')
  })
})
