import { expect } from 'chai'
import { management, useTestServer } from '../../endpoints/support/testServer.ts'

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

interface Table {
  columnDefinitions: { name: string; priority: number }[]
  rows: { cells: unknown[] }[]
}

describe('columns of the platform’s kinds', () => {
  const server = useTestServer()

  before(async () => {
    const { admin } = server()
    const made: [path: string, name: string, spec: object][] = [
      ['users', 'jane', { username: 'j', email: 'j@example.com', disabled: true }],
      ['teams', 'ops', { displayName: 'Operations', users: ['jane', 'admin'] }],
      ['ownedaccesskeys', 'off', { team: 'ops', type: 'Other', displayName: 'd', disabled: true }],
    ]
    for (const [path, name, spec] of made) {
      await admin.post(`${management}/${path}`, { metadata: { name }, spec })
    }
  })

  const cases: [path: string, columns: string[], cells: unknown[]][] = [
    [
      'users/jane',
      ['Name', 'Username', 'Email', 'Display Name +', 'Disabled +', 'Age'],
      ['jane', 'j', 'j@example.com', '', 'true'],
    ],
    ['teams/ops', ['Name', 'Display Name', 'Users', 'Age'], ['ops', 'Operations', 2]],
    [
      'ownedaccesskeys/off',
      ['Name', 'User', 'Team', 'Type', 'Display Name +', 'Disabled +', 'Last Activity +', 'Age'],
      ['off', '', 'ops', 'Other', 'd', 'true', ''],
    ],
  ]
  for (const [path, columns, cells] of cases) {
    it(`${path}: ${columns.join(', ')}, where + is for -o wide`, async () => {
      // The Accept header makes the response a table.
      const { columnDefinitions, rows } = (await server().admin.get(`${management}/${path}`, table))
        .json as Table
      const shown = columnDefinitions.map(
        ({ name, priority }) => `${name}${priority > 0 ? ' +' : ''}`,
      )
      expect([shown, rows[0]?.cells.slice(0, -1)]).to.deep.equal([columns, cells])
    })
  }
})
