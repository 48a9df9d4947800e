import { expect } from 'chai'
import { Agent } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { hasProtobuf } from '../../../apiserver/encoding/protobuf/kindIndex.ts'
import { ProtobufCodec } from '../../../apiserver/encoding/protobuf/protobufCodec.ts'
import { bodyKinds, type BodyField, type BodyKind } from '../support/bodyFields.ts'
import { HttpClient, type Answer } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

const protobufType = 'application/vnd.kubernetes.protobuf'

describe('a body of a built-in kind', () => {
  const server = useTestServer()
  const codec = new ProtobufCodec()
  const agent = new Agent({ keepAlive: true })
  after(() => {
    agent.destroy()
  })

  it('is validated alike as JSON, YAML and protobuf, whichever field is missing, empty or null', async function () {
    this.timeout(240_000)
    const { base, headers } = server().admin
    const client = new HttpClient(base, headers, agent)
    const differing: string[] = []
    for (const { kind, field, name } of await cases(client)) {
      for (const [variant, value] of variantsOf(field)) {
        // An empty list is the same as none in protobuf, and some messages show the value. The same
        // applies to an empty map, which some fields refuse, and which the real server also shows
        // as `{}` or `null`.
        const isText = Array.isArray(value) || (variant === 'empty' && refused.test(name))
        const body = bodyWith(kind, field.path, value)
        const { answers, outcomes } = await judged(client, kind, body, isText)
        const [json, ...others] = outcomes
        const isWell = answers.every(({ text }) => !text.includes('an error on the server'))
        if (isWell && others.every((other) => isDeepStrictEqual(other, json))) continue
        differing.push(
          [`${name} ${variant}`, ...outcomes.map((one) => JSON.stringify(one))].join('\n  '),
        )
      }
    }
    expect(differing.join('\n')).to.equal('')
  })

  /** Result of a body in each form, or only in the text forms. */
  async function judged(client: HttpClient, kind: BodyKind, body: object, isText: boolean) {
    const path = `${kind.path}?dryRun=All`
    const json = JSON.stringify(body)
    const [group = '', version] = kind.apiVersion.includes('/')
      ? kind.apiVersion.split('/')
      : ['', kind.apiVersion]
    const gvk = { group, version: version ?? '', kind: kind.kind }
    const answers = [
      await client.post(path, json, { 'content-type': 'application/json' }),
      await client.post(path, json, { 'content-type': 'application/yaml' }),
    ]
    if (hasProtobuf(gvk) && !isText) {
      const bytes = await codec.encode(body, gvk)
      answers.push(await client.post(path, bytes, { 'content-type': protobufType }))
    }
    return { answers, outcomes: answers.map(outcomeOf) }
  }
})

const refused = /\.openAPIV3Schema\.dependencies$|PersistentVolume spec\.capacity$/

interface Case {
  kind: BodyKind
  field: BodyField
  name: string
}

/** Each required field of each kind once, and each other field of each type. */
async function cases(client: HttpClient): Promise<Case[]> {
  const seen = new Set<string>()
  const kinds = bodyKinds((await client.get('/openapi/v2')).json)
  return kinds.filter(isBuiltIn).flatMap((kind) =>
    kind.fields.flatMap((field) => {
      const once = field.isRequired
        ? `${kind.apiVersion} ${kind.kind} ${field.identity}`
        : field.identity
      if (seen.has(once)) return []
      seen.add(once)
      return [{ kind, field, name: `${kind.apiVersion} ${kind.kind} ${field.path.join('.')}` }]
    }),
  )
}

function isBuiltIn({ apiVersion }: BodyKind): boolean {
  return !apiVersion.startsWith('management.')
}

function variantsOf({ empty }: BodyField): [string, unknown][] {
  return [
    ['missing', undefined],
    ['empty', empty],
    ['null', null],
  ]
}

/** Object that contains only the parents of one field. */
function bodyWith(
  { kind, apiVersion }: BodyKind,
  path: readonly (string | number)[],
  value: unknown,
): object {
  return { kind, apiVersion, metadata: { name: 'a' }, ...nested(path, value) }
}

function nested([first, ...rest]: readonly (string | number)[], value: unknown): object {
  const member = rest.length === 0 ? value : nested(rest, value)
  return first === 0 ? [member] : { [first ?? '']: member }
}

/** Response without the parts that differ between two requests. */
function outcomeOf(answer: Answer): unknown {
  const { status, json } = answer
  // A refusal may show the managers of fields and their times: two requests may be a second apart.
  if (status >= 400) {
    const untimed = JSON.stringify(json).replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'now')
    return { status, ...(JSON.parse(untimed) as object) }
  }
  const text = JSON.stringify(json, (name, value: unknown) =>
    varying.includes(name) ? undefined : value,
  )
  return { status, object: JSON.parse(text) as unknown }
}

const varying = [
  'uid',
  'creationTimestamp',
  'time',
  'token',
  'expirationTimestamp',
  'managedFields',
]
