import { expect } from 'chai'
import { useTestServer } from '../../endpoints/support/testServer.ts'
import { documentDifferences } from './documentDifferences.ts'
import { explainDifferences } from './explainDifferences.ts'
import { descriptionDifferences, openApiDifferences } from './openApiDifferences.ts'

const path = '/apis/example.dev/v1/widgets'
const kind = { group: 'example.dev', version: 'v1', kind: 'Widget' }
const widget = {
  description: 'A widget.',
  type: 'object',
  required: ['b', 'a'],
  properties: { a: { type: 'string', description: 'One.' }, b: { type: 'string' } },
  'x-kubernetes-group-version-kind': [kind],
}
const document = (definition: object, get: object = { operationId: 'list', parameters: [] }) => ({
  paths: { [path]: { get } },
  definitions: { 'dev.example.v1.Widget': definition },
})

describe('openApiDifferences', () => {
  const cases = [
    {
      name: 'finds none where order and descriptions differ',
      ours: document({ ...widget, description: 'Another.', required: ['a', 'b'] }),
      want: [],
    },
    {
      name: 'finds a marker of a field that is missing',
      ours: document({ ...widget, properties: { ...widget.properties, b: {} } }),
      want: ['definitions .dev.example.v1.Widget.properties.b.type'],
    },
    {
      name: 'takes parameters of the path for those of its operations',
      ours: {
        ...document(widget),
        paths: { [path]: { get: { operationId: 'list' }, parameters: [] } },
      },
      want: [],
    },
    {
      name: 'finds an operation with another id',
      ours: document(widget, { operationId: 'read', parameters: [] }),
      want: [`paths .${path}.get.operationId`],
    },
  ]
  for (const { name, ours, want } of cases) {
    it(name, () => {
      const found = openApiDifferences('v2', document(widget), ours)
      expect(found.map(({ part, path: at }) => `${part} ${at}`)).to.deep.equal(
        want.map((one) => `v2 ${one}`),
      )
    })
  }

  it('ignores definitions that no served path references', () => {
    const ours = { paths: {}, definitions: {} }
    expect(openApiDifferences('v2', document(widget), ours)).to.deep.equal([])
  })
})

describe('descriptionDifferences', () => {
  it('reports changed words but not changed whitespace', () => {
    const properties = { a: { description: ' One.\n' }, b: { description: 'Two.' } }
    const found = descriptionDifferences(
      'v2',
      document(widget),
      document({ ...widget, properties }),
    )
    expect(found.map(({ real, ours }) => [real, ours])).to.deep.equal([['', 'Two.']])
  })
})

describe('explainDifferences', () => {
  it('compares the trees of kinds through references', () => {
    const inside = (type: string) => ({
      definitions: {
        'dev.example.v1.Widget': {
          ...widget,
          properties: { a: { $ref: '#/definitions/dev.example.v1.Part' } },
        },
        'dev.example.v1.Part': { properties: { c: { type } } },
      },
    })
    const found = explainDifferences('v2', inside('string'), inside('integer'))
    expect(found.map(({ path: at }) => at)).to.deep.equal(['.fields.a.fields.c.type'])
  })
})

describe('documentDifferences', () => {
  const server = useTestServer()

  it('finds no difference between a server and itself', async function () {
    this.timeout(60_000)
    const { url, adminAccessKey } = server().running
    const same = { url: `${url}/kubernetes/management`, token: adminAccessKey }
    expect(await documentDifferences(same, same, { words: true })).to.deep.equal([])
  })
})
