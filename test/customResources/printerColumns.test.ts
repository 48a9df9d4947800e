import { expect } from 'chai'
import type { PrinterColumn } from '../../apiserver/customResources/definition.ts'
import { printerColumns } from '../../apiserver/customResources/printerColumns.ts'
import type { ResourceDefinition } from '../../apiserver/registry/resource.ts'
import { tableRow } from '../../apiserver/registry/table.ts'
import { newTextAllowance } from '../../apiserver/registry/visits.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { deadline } from '../support/deadlines.ts'

const columnsOf = (...paths: string[]): PrinterColumn[] =>
  paths.map((jsonPath, at) => ({ name: `c${at}`, type: 'integer', jsonPath }))

const kind = {
  ...{ group: 'a.io', version: 'v1', plural: 'as', singular: 'a', kind: 'A', namespaced: true },
  ...{ verbs: [], schema: {}, strategy: {} },
}

const cellsOf = (content: object, columns: PrinterColumn[]): unknown[] => {
  const object = { metadata: { name: 'a' }, ...content } as ApiObject
  const resource: ResourceDefinition = { ...kind, columns: printerColumns(columns) }
  return tableRow(object, resource, { include: 'None', nowMs: 0 }).cells.slice(1)
}

/** Object in which each of many nested fields leads to the same list. */
const nested = (list: unknown[]): object => {
  let value: object = { l: list }
  for (let at = 0; at < 90; at++) value = { a: value }
  return value
}

describe('printerColumns', () => {
  const many = Array.from({ length: 1_000 }, () => '..a..l[?(@.x==1)].y')
  const list = Array.from({ length: 8_000 }, () => ({ x: 0 }))

  it('fills the cells of any number of columns in bounded time', () => {
    const began = performance.now()
    const cells = cellsOf(nested(list), columnsOf(...many))
    expect(performance.now() - began).to.be.lessThan(deadline(500))
    expect(cells).to.deep.equal(many.map(() => null))
  })

  it('leaves the cells of searches empty once those of the row are spent', () => {
    const content = { ...nested(list), b: 1 }
    const paths = ['..b', '..a..l[?(@.x==1)].y', '..b', '.b']
    expect(cellsOf(content, columnsOf(...paths))).to.deep.equal([1, null, null, 1])
  })

  it('searches each row anew', () => {
    const columns = columnsOf(...Array.from({ length: 20 }, () => '..l[?(@.x==1)].y'))
    const found = { l: [{ x: 0 }, { x: 1, y: 7 }] }
    for (let row = 0; row < 3; row++)
      expect(cellsOf(found, columns)).to.deep.equal(columns.map(() => 7))
  })

  it('fills string cells with the text of a value that is created once, up to a limit of the row', () => {
    const text = 'x'.repeat(1_000_000)
    const columns = columnsOf(...Array.from({ length: 1_000 }, () => '.spec')).map((column) => ({
      ...column,
      type: 'string',
    }))
    const began = performance.now()
    const cells = cellsOf({ spec: { text, list: list.slice(0, 5_000) } }, columns)
    expect(performance.now() - began).to.be.lessThan(deadline(100))
    const filled = cells.filter((cell) => cell !== null)
    expect(filled).to.have.length(5)
    expect(filled.every((cell) => cell === cells[0])).to.equal(true)
  })

  it('shares the text of cells among the rows of a table', () => {
    const resource: ResourceDefinition = {
      ...kind,
      columns: printerColumns([{ name: 'a', type: 'string', jsonPath: '.spec' }]),
    }
    const object = { metadata: { name: 'a' }, spec: 'x'.repeat(3_000_000) } as unknown as ApiObject
    const row = { include: 'None', nowMs: 0, text: newTextAllowance(2) } as const
    const filled = [0, 1, 2].map(() => tableRow(object, resource, row).cells[1] !== null)
    expect(filled).to.deep.equal([true, true, false])
  })

  it('takes bounded steps along the paths of a row', () => {
    const deep = `.l[?(${'@.a'.padEnd(2_000, '.a')}==1)].y`
    let value: object = {}
    for (let at = 0; at < 1_000; at++) value = { a: value }
    const began = performance.now()
    const content = { l: Array.from({ length: 90 }, () => value) }
    cellsOf(content, columnsOf(...Array.from({ length: 1_000 }, () => deep)))
    expect(performance.now() - began).to.be.lessThan(deadline(300))
  })

  it('reads paths of any form in linear time', () => {
    const forms = [
      `.a[?(${' '.repeat(100_000)}`,
      `.a[?(@${' '.repeat(100_000)}x)]`,
      '.a'.repeat(200_000),
    ]
    for (const path of forms) {
      const began = performance.now()
      printerColumns(columnsOf(path))
      expect(performance.now() - began, path.slice(0, 10)).to.be.lessThan(deadline(150))
    }
  })
})
