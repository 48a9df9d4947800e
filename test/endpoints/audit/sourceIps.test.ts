import { expect } from 'chai'
import type { IncomingHttpHeaders } from 'node:http'
import { sourceIps } from '../../../apiserver/endpoints/audit/sourceIps.ts'

const cases: readonly [string, IncomingHttpHeaders, string | undefined, readonly string[]][] = [
  ['the address of the connection', {}, '10.0.0.1', ['10.0.0.1']],
  ['of a listener for both versions of IP', {}, '::ffff:10.0.0.1', ['10.0.0.1']],
  ['of version 6', {}, '2001:db8::1', ['2001:db8::1']],
  ['of a connection that is gone', {}, undefined, []],
  [
    'what proxies say, first to last',
    { 'x-forwarded-for': '1.1.1.1, 2.2.2.2', 'x-real-ip': '3.3.3.3' },
    '10.0.0.1',
    ['1.1.1.1', '2.2.2.2', '3.3.3.3', '10.0.0.1'],
  ],
  [
    'nothing twice, and no nonsense',
    { 'x-forwarded-for': '1.1.1.1,junk,<b>', 'x-real-ip': '1.1.1.1' },
    '1.1.1.1',
    ['1.1.1.1'],
  ],
]

describe('sourceIps', () => {
  for (const [name, headers, remote, want] of cases) {
    it(name, () => expect(sourceIps(headers, remote)).to.deep.equal(want))
  }
})
