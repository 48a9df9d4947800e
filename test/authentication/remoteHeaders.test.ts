import { expect } from 'chai'
import { RemoteHeaders } from '../../apiserver/authentication/remoteHeaders.ts'

const all = new RemoteHeaders()
const custom = new RemoteHeaders({
  username: ['X-Remote-User', ' X-Who '],
  uid: [],
  group: ['X-Remote-Group', 'X-Team'],
  extraPrefix: ['X-Remote-Extra-', 'X-More-'],
})

function request(...lines: [name: string, value: string][]) {
  const headers = Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value]))
  return { headers, rawHeaders: lines.flat() }
}

describe('RemoteHeaders', () => {
  const nobody = { uid: '', groups: [], extra: {} }
  const cases: { name: string; lines: [string, string][]; by?: RemoteHeaders; want: unknown }[] = [
    { name: 'no header', lines: [['Accept', '*/*']], want: undefined },
    { name: 'an empty user', lines: [['X-Remote-User', '']], want: undefined },
    {
      name: 'groups without a user',
      lines: [['X-Remote-Group', 'system:masters']],
      want: undefined,
    },
    {
      name: 'headers in any case',
      lines: [
        ['x-reMOTE-user', 'ann'],
        ['X-REMOTE-UID', '7'],
        ['x-remote-group', 'A'],
      ],
      want: { name: 'ann', uid: '7', groups: ['A'], extra: {} },
    },
    {
      name: 'a group a line, commas and all, without empty ones',
      lines: [
        ['X-Remote-User', 'ann'],
        ['X-Remote-Group', 'a, b'],
        ['X-Remote-Group', ''],
        ['X-Remote-Group', 'c'],
      ],
      want: { ...nobody, name: 'ann', groups: ['a, b', 'c'] },
    },
    {
      name: 'the first of several users',
      lines: [
        ['X-Remote-User', 'ann'],
        ['X-Remote-User', 'bob'],
      ],
      want: { ...nobody, name: 'ann' },
    },
    {
      name: 'an empty line before another as an empty header',
      lines: [
        ['X-Remote-User', ''],
        ['X-Remote-User', 'bob'],
      ],
      want: undefined,
    },
    {
      name: 'keys percent-decoded and in lower case, values as they come',
      lines: [
        ['X-Remote-User', 'ann'],
        ['X-Remote-Extra-Acme.Dev%2fProject', 'One%20'],
        ['X-Remote-Extra-acme.dev%2Fproject', 'Two'],
        ['X-Remote-Extra-Bad%zz', ''],
      ],
      want: {
        ...nobody,
        name: 'ann',
        extra: { 'acme.dev/project': ['One%20', 'Two'], 'bad%zz': [''] },
      },
    },
    {
      name: 'a key called like something of every object',
      lines: [
        ['X-Remote-User', 'ann'],
        ['X-Remote-Extra-constructor', 'x'],
      ],
      want: { ...nobody, name: 'ann', extra: { constructor: ['x'] } },
    },
    {
      name: 'UTF-8',
      lines: [['X-Remote-User', Buffer.from('jürgen 木').toString('latin1')]],
      want: { ...nobody, name: 'jürgen 木' },
    },
    {
      name: 'names that are set, in the order in which they are',
      by: custom,
      lines: [
        ['X-Team', 't'],
        ['X-Remote-Uid', '7'],
        ['X-Who', 'who'],
        ['X-Remote-Group', 'g'],
        ['X-More-a', '1'],
      ],
      want: { name: 'who', uid: '', groups: ['g', 't'], extra: { a: ['1'] } },
    },
  ]
  for (const { name, lines, by = all, want } of cases) {
    it(`reads ${name} (reference 7.4)`, () => {
      expect(by.userOf(request(...lines))).to.deep.equal(want)
    })
  }

  it('removes user headers, its own and the standard ones (reference 7.4)', () => {
    const sent = request(
      ['Accept', '*/*'],
      ['X-Remote-User', 'a'],
      ['X-Remote-Uid', 'b'],
      ['x-team', 'c'],
      ['X-Remote-Extra-A', 'd'],
      ['X-More-', 'e'],
      ['X-Remote-Addr', 'f'],
    )
    custom.clear(sent)
    expect(sent.headers).to.deep.equal({ accept: '*/*', 'x-remote-addr': 'f' })
    expect(sent.rawHeaders).to.deep.equal(['Accept', '*/*', 'X-Remote-Addr', 'f'])
  })
})
