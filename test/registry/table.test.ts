import { expect } from 'chai'
import {
  ageColumn,
  columnDefinitions,
  humanDuration,
  nameColumn,
  parseIncludeObject,
  partialMetadata,
  tableRow,
} from '../../apiserver/registry/table.ts'
import { refusal, failure } from '../support/refusal.ts'
import { thing, thingResource } from '../support/thing.ts'

const created = '2030-01-01T00:00:00Z'
const nowMs = Date.parse(created) + 90_000

describe('tables', () => {
  const object = thing('a', { creationTimestamp: created, spec: { size: 1 } })
  const metadata = {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: object.metadata,
  }

  it('a kind without columns has name and creation time (reference 8.1)', () => {
    const resource = thingResource()
    expect(columnDefinitions(resource)).to.deep.equal([
      {
        name: 'Name',
        type: 'string',
        format: 'name',
        description: 'Name must be unique within a namespace.',
        priority: 0,
      },
      {
        name: 'Created At',
        type: 'date',
        format: '',
        description: 'Creation time, RFC 3339 in UTC.',
        priority: 0,
      },
    ])
    expect(tableRow(object, resource, { include: 'Metadata', nowMs })).to.deep.equal({
      cells: ['a', created],
      object: metadata,
    })
  })

  it('a row has the metadata, the object or nothing (reference 8.1)', () => {
    const resource = { ...thingResource(), columns: [nameColumn, ageColumn] }
    const cells = ['a', '90s']
    expect([
      tableRow(object, resource, { include: 'Metadata', nowMs }),
      tableRow(object, resource, { include: 'Object', nowMs }),
      tableRow(object, resource, { include: 'None', nowMs }),
    ]).to.deep.equal([
      { cells, object: metadata },
      { cells, object },
      { cells, object: null },
    ])
  })

  it('an empty object, as of a bookmark, has cells too (reference 5.8)', () => {
    const empty = { ...thing(''), metadata: { resourceVersion: '5' } }
    expect(tableRow(empty, thingResource(), { include: 'None', nowMs })).to.deep.equal({
      cells: ['', '0001-01-01T00:00:00Z'],
      object: null,
    })
    expect(ageColumn.cell(empty, nowMs)).to.equal('<unknown>')
  })

  it('metadata is available in an older version (reference 8.1)', () => {
    expect(partialMetadata(object, thingResource(), 'v1beta1').apiVersion).to.equal(
      'meta.k8s.io/v1beta1',
    )
  })

  it('a row of an older table has the older metadata (reference 8.1)', () => {
    const include = parseIncludeObject('', 'v1beta1')
    const row = tableRow(object, thingResource(), { include, nowMs })
    expect(row.object).to.deep.equal(partialMetadata(object, thingResource(), 'v1beta1'))
  })

  it('includeObject (reference 8.1)', async () => {
    expect(
      ['', 'Metadata', 'Object', 'None'].map((value) => parseIncludeObject(value)),
    ).to.deep.equal(['Metadata', 'Metadata', 'Object', 'None'])
    expect(await refusal(() => parseIncludeObject('X'))).to.deep.equal(
      failure(
        400,
        'BadRequest',
        `Unable to convert to Table as requested: includeObject: Invalid value: "X": must be 'Metadata', 'Object', 'None', or empty`,
      ),
    )
  })
})

const s = 1_000
const m = 60 * s
const h = 60 * m
const d = 24 * h
const y = 365 * d

describe('humanDuration', () => {
  const vectors: [number, string][] = [
    [-3 * s, '<invalid>'],
    [-2 * s, '<invalid>'],
    [-2 * s + 1, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [999, '0s'],
    [119 * s + 999, '119s'],
    [2 * m, '2m'],
    [2 * m + 1 * s, '2m1s'],
    [9 * m + 59 * s, '9m59s'],
    [10 * m + 59 * s, '10m'],
    [2 * h, '120m'],
    [179 * m + 59 * s, '179m'],
    [3 * h, '3h'],
    [3 * h + 5 * m, '3h5m'],
    [7 * h + 59 * m + 59 * s, '7h59m'],
    [8 * h + 30 * m, '8h'],
    [47 * h + 59 * m, '47h'],
    [2 * d, '2d'],
    [2 * d + 3 * h, '2d3h'],
    [7 * d + 23 * h, '7d23h'],
    [8 * d + 23 * h, '8d'],
    [2 * y - 1, '729d'],
    [2 * y, '2y'],
    [2 * y + 5 * d, '2y5d'],
    [8 * y - 1, '7y364d'],
    [8 * y + 100 * d, '8y'],
  ]
  for (const [ms, want] of vectors) {
    it(`${ms} ms is ${want} (reference 8.1)`, () => expect(humanDuration(ms)).to.equal(want))
  }
})
