import { expect } from 'chai'
import type { IncomingHttpHeaders } from 'node:http'
import { TrustedProxies } from '../../../apiserver/platform/logins/trustedProxies.ts'

interface Case {
  name: string
  peer: string
  headers?: IncomingHttpHeaders
  encrypted?: boolean
  want: { address: string; base: string | undefined }
}

describe('TrustedProxies', () => {
  const originOf = (networks: readonly string[], { peer, headers = {}, encrypted }: Case) => {
    // The members of a socket that are read.
    const socket = { remoteAddress: peer, encrypted } as never
    return new TrustedProxies(networks).originOf({ headers, socket })
  }
  const forged = {
    'x-forwarded-for': '1.1.1.1',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    host: 'me.test',
  }
  const trusted = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::1']
  const cases: Case[] = [
    {
      name: 'believes nobody who is not named',
      peer: '203.0.113.9',
      headers: forged,
      want: { address: '203.0.113.9', base: undefined },
    },
    {
      name: 'believes a proxy whom it forwards for, and the address that was called',
      peer: '10.1.2.3',
      headers: { ...forged, 'x-forwarded-host': 'public.test:8443' },
      want: { address: '1.1.1.1', base: 'https://public.test:8443' },
    },
    {
      name: 'takes the nearest hop that is no trusted proxy, whatever the client wrote before it',
      peer: '10.1.2.3',
      headers: { 'x-forwarded-for': '9.9.9.9, 1.1.1.1, 192.0.2.7, 10.9.9.9', host: 'me.test' },
      want: { address: '1.1.1.1', base: 'http://me.test' },
    },
    {
      name: 'stops at what is no address',
      peer: '10.1.2.3',
      headers: { 'x-forwarded-for': '9.9.9.9, unknown, 10.0.0.1' },
      want: { address: '10.0.0.1', base: undefined },
    },
    {
      name: 'takes the proxy itself where it says nothing',
      peer: '192.0.2.7',
      encrypted: true,
      headers: { host: 'me.test' },
      want: { address: '192.0.2.7', base: 'https://me.test' },
    },
    {
      name: 'reads addresses of IPv4 in the frame of IPv6, ports and brackets',
      peer: '::ffff:10.0.0.1',
      headers: { 'x-forwarded-for': '[2001:db8::5]:4711, 10.0.0.2:80' },
      want: { address: '2001:db8::5', base: undefined },
    },
    {
      name: 'knows networks of IPv6',
      peer: 'fd00::1',
      headers: {
        'x-forwarded-for': '2001:db8::9',
        host: '[::1]:443',
        'x-forwarded-proto': 'https',
      },
      want: { address: '2001:db8::9', base: 'https://[::1]:443' },
    },
    {
      name: 'takes the last of several hosts: the proxy wrote it',
      peer: '::1',
      headers: { 'x-forwarded-host': 'evil.test, public.test', 'x-forwarded-proto': 'http, https' },
      want: { address: '::1', base: 'https://public.test' },
    },
    {
      name: 'takes no host that is none',
      peer: '::1',
      headers: { 'x-forwarded-host': 'evil.test/path', 'x-forwarded-proto': 'https' },
      want: { address: '::1', base: undefined },
    },
    {
      name: 'takes no scheme but those of the web',
      peer: '::1',
      headers: { host: 'me.test', 'x-forwarded-proto': 'javascript' },
      want: { address: '::1', base: undefined },
    },
    {
      name: 'reads the host of HTTP/2',
      peer: '::1',
      headers: { ':authority': 'two.test' },
      encrypted: true,
      want: { address: '::1', base: 'https://two.test' },
    },
  ]
  for (const each of cases) {
    it(each.name, () => expect(originOf(trusted, each)).to.deep.equal(each.want))
  }

  it('trusts nobody by default', () => {
    const each = { ...(cases[1] as Case), want: { address: '', base: undefined } }
    expect(originOf([], each)).to.deep.equal({ address: '10.1.2.3', base: undefined })
  })
})
