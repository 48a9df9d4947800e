import { expect } from 'chai'
import {
  definitionsPath as definitions,
  widgetDefinition,
  widgetsPath as widgets,
} from '../../support/definitions.ts'
import type { Answer } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
}

describe('the scale of a custom kind', () => {
  const server = useTestServer()
  const schema = { 'x-kubernetes-preserve-unknown-fields': true }
  const content = (name: string, parts: object) => ({
    ...{ kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name } },
    ...parts,
  })
  const made = async (name: string, parts: object): Promise<string> => {
    const answer = await server().admin.post(widgets, content(name, parts))
    expect(answer.status, answer.text).to.equal(201)
    return `${widgets}/${name}/scale`
  }
  const told = (answer: Answer) => [answer.status, answer.field('message')]
  const patched = (path: string, body: object, type = 'merge-patch+json') =>
    server().admin.patch(path, type, body)

  before(async () => {
    const { admin } = server()
    await admin.post(definitions, widgetDefinition(schema))
    // Created before the kind had a scale.
    await made('old', { spec: { replicas: 'x' } })
    await made('null', { spec: { replicas: null } })
    await made('flat', { spec: ['x'] })
    await made('selecting', { spec: { replicas: 1 }, status: { selector: { a: 1.5 } } })
    const version = { subresources: { scale } }
    const path = `${definitions}/widgets.example.com`
    const { versions } = (widgetDefinition(schema, { version }) as { spec: { versions: object } })
      .spec
    const answer = await admin.patch(path, 'merge-patch+json', { spec: { versions } })
    expect(answer.status, answer.text).to.equal(200)
  })

  it('a number beyond the range of a double is refused: 400', async () => {
    const path = await made('infinite', { spec: { replicas: 1 } })
    const answer = await server().admin.patch(
      path,
      'merge-patch+json',
      '{"spec":{"replicas":1e400}}',
    )
    expect(told(answer)).to.deep.equal([
      400,
      'error decoding patch: json: cannot unmarshal number 1e400 into Go value of type float64',
    ])
  })

  const refused: [parts: object, field: string, why: string][] = [
    [
      { spec: { replicas: 'x' } },
      '.spec.replicas',
      'Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64',
    ],
    [
      { spec: { replicas: 1.5 } },
      '.spec.replicas',
      'Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64',
    ],
    [
      { spec: 's' },
      '.spec.replicas',
      'Invalid value: 0: .spec.replicas accessor error: s is of the type string, expected map[string]interface{}',
    ],
    [
      { spec: { replicas: -1 } },
      '.spec.replicas',
      'Invalid value: -1: should be a non-negative integer',
    ],
    [
      { spec: { replicas: 2 ** 31 } },
      '.spec.replicas',
      'Invalid value: 2147483648: should be less than or equal to 2147483647',
    ],
    [
      { status: { replicas: [1, { b: true, a: null }] } },
      '.status.replicas',
      'Invalid value: 0: .status.replicas accessor error: [1 map[a:<nil> b:true]] is of the type []interface {}, expected int64',
    ],
    [
      { status: { selector: 5 } },
      '.status.selector',
      'Invalid value: "": .status.selector accessor error: 5 is of the type int64, expected string',
    ],
  ]
  for (const [parts, field, why] of refused) {
    it(`an object whose ${field} is invalid for its scale: 422, ${why} (reference 3.4)`, async () => {
      const answer = await server().admin.post(widgets, content('refused', parts))
      expect([answer.status, answer.field('details', 'causes')]).to.deep.equal([
        422,
        [{ reason: 'FieldValueInvalid', message: why, field }],
      ])
    })
  }

  it('an older object without a scale: 500 without a reason (reference 3.4)', async () => {
    const { admin } = server()
    const why = {
      old: '.spec.replicas accessor error: x is of the type string, expected int64',
      null: '.spec.replicas accessor error: <nil> is of the type <nil>, expected int64',
      flat: '.spec.replicas accessor error: [x] is of the type []interface {}, expected map[string]interface{}',
      selecting:
        '.status.selector accessor error: map[a:1.5] is of the type map[string]interface {}, expected string',
    }
    for (const [name, message] of Object.entries(why)) {
      const path = `${widgets}/${name}/scale`
      const answers = [await admin.get(path), await patched(path, { spec: { replicas: 2 } })]
      for (const answer of answers) {
        expect([...told(answer), answer.field('reason')]).to.deep.equal([500, message, undefined])
      }
    }
  })

  it('a patch that gives no replicas to an object without them: 400 (reference 3.9)', async () => {
    const path = await made('empty', {})
    expect(told(await server().admin.get(path))).to.deep.equal([
      500,
      'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
    ])
    const message = 'the spec replicas field ".spec.replicas" cannot be empty'
    expect(told(await patched(path, {}))).to.deep.equal([400, message])
    expect(told(await patched(path, { metadata: { resourceVersion: '1' } }))).to.deep.equal([
      400,
      message,
    ])
    const given = await patched(path, { spec: { replicas: 3 } })
    expect([given.status, given.field('spec')]).to.deep.equal([200, { replicas: 3 }])
  })

  it('negative replicas: 422 of the object (reference 3.4)', async () => {
    const path = await made('negative', { spec: { replicas: 1 } })
    expect(told(await patched(path, { spec: { replicas: -1 } }))).to.deep.equal([
      422,
      'Widget.example.com "negative" is invalid: .spec.replicas: Invalid value: -1: should be a non-negative integer',
    ])
  })

  it('a scale of another namespace: 400 (reference 1.16)', async () => {
    const path = await made('elsewhere', { spec: { replicas: 1 } })
    const answer = await server().admin.put(path, {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'elsewhere', namespace: 'other' },
    })
    expect(told(answer)).to.deep.equal([
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ])
  })

  it('a strategic merge patch: 415 with the supported types (reference 3.9)', async () => {
    const path = await made('strategic', { spec: { replicas: 1 } })
    const answer = await patched(path, {}, 'strategic-merge-patch+json')
    expect(told(answer)).to.deep.equal([
      415,
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    ])
  })

  it('its writers own the replicas, and apply may share and force (reference 3.11, 3.12)', async () => {
    const path = await made('applied', { spec: { replicas: 1 } })
    const owners = async () => {
      const entries = (await server().admin.get(`${widgets}/applied`)).field(
        'metadata',
        'managedFields',
      ) as { manager: string; subresource?: string; fieldsV1: object }[]
      return entries
        .filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes('f:replicas'))
        .map(({ manager, subresource = '' }) => `${manager} ${subresource}`)
    }
    await patched(`${path}?fieldManager=patcher`, { spec: { replicas: 2 } })
    expect(await owners()).to.deep.equal(['patcher scale'])
    const wanted = {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'applied' },
      spec: { replicas: 5 },
    }
    const conflict = await patched(`${path}?fieldManager=applier`, wanted, 'apply-patch+yaml')
    expect([conflict.status, conflict.field('reason')]).to.deep.equal([409, 'Conflict'])
    const forced = await patched(
      `${path}?fieldManager=applier&force=true`,
      wanted,
      'apply-patch+yaml',
    )
    expect([forced.status, forced.field('spec')]).to.deep.equal([200, { replicas: 5 }])
    expect(await owners()).to.deep.equal(['applier scale'])
  })
})
