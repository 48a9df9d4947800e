import { expect } from 'chai'
import type { Answer } from './call.ts'
import { differences } from './compare.ts'
import { deviationOf } from './explained.ts'
import { normalised } from './normalise.ts'

const uid = '00000000-0000-4000-8000-00000000000'
const answer = (body: unknown, headers: Answer['headers'] = {}, status = 200): Answer => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const bodies = (...answers: Answer[]) => normalised(answers).map(({ body }) => body)

describe('normalised', () => {
  it('numbers UIDs by first occurrence across the responses of a case', () => {
    expect(bodies(answer({ uid: `${uid}7` }), answer([`${uid}3`, `${uid}7`]))).to.deep.equal([
      { uid: 'uid1' },
      ['uid2', 'uid1'],
    ])
  })

  it('ranks revisions, those in continue tokens too', () => {
    const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":9,"start":"/a"}').toString('base64url')
    const metadata = { resourceVersion: '40', continue: token }
    expect(bodies(answer({ metadata }), answer({ resourceVersion: '10' }))).to.deep.equal([
      {
        metadata: {
          resourceVersion: 'rv3',
          continue: { v: 'meta.k8s.io/v1', resourceVersion: 'rv1', start: 'a' },
        },
      },
      { resourceVersion: 'rv2' },
    ])
  })

  it('compares the revision of a list with those of objects', () => {
    const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":9,"start":"/a"}').toString('base64url')
    const list = { metadata: { resourceVersion: '41', continue: token }, items: [] }
    const object = { metadata: { resourceVersion: '40' } }
    expect(bodies(answer(list), answer(object))).to.deep.equal([
      {
        metadata: {
          resourceVersion: 'list revision rv1',
          continue: { v: 'meta.k8s.io/v1', resourceVersion: 'list revision rv0', start: 'a' },
        },
        items: [],
      },
      { metadata: { resourceVersion: 'rv1' } },
    ])
  })

  it('sorts the errors of an applied configuration', () => {
    const refused = (...lines: string[]) =>
      answer({ message: `failed: errors:\n${lines.join('\n')}` })
    const [one, other] = ['  .a: expected string', '  .b: expected map']
    expect(bodies(refused(other, one))).to.deep.equal(bodies(refused(one, other)))
  })

  it('orders managers that wrote in different seconds, and keeps the order within one', () => {
    const entry = (manager: string, operation: string, second: number) => ({
      manager,
      operation,
      time: `2030-01-01T00:00:0${second}Z`,
    })
    const named = (...entries: object[]) =>
      bodies(answer({ managedFields: entries })).map((body) =>
        (body as { managedFields: { manager: string }[] }).managedFields.map((one) => one.manager),
      )
    const [b, a, u] = [entry('b', 'Apply', 1), entry('a', 'Apply', 2), entry('a', 'Update', 1)]
    expect(named(u, b, a)).to.deep.equal([['a', 'b', 'a']])
    expect(named(entry('b', 'Apply', 1), entry('a', 'Apply', 1))).to.deep.equal([['b', 'a']])
  })

  it('reads YAML and the events of a stream', () => {
    const yaml = { 'content-type': 'application/yaml' }
    expect(bodies(answer('a: "b"\n', yaml), answer('{"a":1}\n{"a":2}\n'))).to.deep.equal([
      { a: 'b' },
      [{ a: 1 }, { a: 2 }],
    ])
  })

  it('keeps the headers that clients use', () => {
    const headers = { 'content-type': 'application/json', date: 'today', warning: '299 - "b"' }
    expect(normalised([answer({}, headers)])[0]?.headers).to.deep.equal({
      'content-type': 'application/json',
      warning: '299 - "b"',
    })
  })
})

describe('differences', () => {
  const between = (ours: Answer, peer: Answer) =>
    differences(normalised([ours]), normalised([peer])).map(({ at, ours: left, peer: right }) => [
      at,
      left,
      right,
    ])

  it('names each place', () => {
    expect(between(answer({ a: [1, { b: 2 }] }), answer({ a: [1, { b: 3, c: 4 }] }))).to.deep.equal(
      [
        ['body.a[1].b', 2, 3],
        ['body.a[1].c', undefined, 4],
      ],
    )
  })

  it('reports only the responses for a different status', () => {
    const refused = answer({ reason: 'Conflict', message: 'no' }, {}, 409)
    expect(between(answer({ a: 1 }), refused)).to.deep.equal([
      ['status', '200 {"a":1}', '409 Conflict no'],
    ])
  })

  it('explains only known differences', () => {
    const [unknown] = differences(normalised([answer({ a: 1 })]), normalised([answer({ a: 2 })]))
    expect(unknown && deviationOf(unknown)).to.equal(undefined)
    const [known] = differences(
      normalised([answer({ reason: 'Unauthorized', message: 'Unauthorized' }, {}, 401)]),
      normalised([answer({ reason: 'Forbidden', message: 'User "system:anonymous"' }, {}, 403)]),
    )
    expect(known && deviationOf(known)).to.equal('Requests without credentials')
  })
})
