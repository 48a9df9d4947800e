import { expect } from 'chai'
import { definitionsPath as definitions } from '../../support/definitions.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { useTestServer } from '../support/testServer.ts'

const annotation = 'api-approved.kubernetes.io'
const needed = `protected groups must have approval annotation "${annotation}"`
const rule = 'https://github.com/kubernetes/enhancements/pull/1111'
const invalid = `${needed} with either a URL or a reason starting with "unapproved", see ${rule}`

const definition = (group: string, value?: string) => ({
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: {
    name: `foos.${group}`,
    ...(value === undefined ? {} : { annotations: { [annotation]: value } }),
  },
  spec: {
    ...{ group, scope: 'Namespaced', names: { plural: 'foos', kind: 'Foo' } },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
})

describe('the approval of definitions in protected groups', () => {
  const server = useTestServer()

  const condition = async (group: string) => {
    const answer = await server().admin.get(`${definitions}/foos.${group}`)
    const conditions = (answer.field('status', 'conditions') ?? []) as Record<string, string>[]
    const found = conditions.find(({ type }) => type === 'KubernetesAPIApprovalPolicyConformant')
    return found && `${found['status']} ${found['reason']}: ${found['message']}`
  }
  const becomes = (group: string, wanted: string) =>
    waitUntil(async () => (await condition(group)) === wanted)
  const annotate = (group: string, value: string | null) =>
    server().admin.patch(`${definitions}/foos.${group}`, 'merge-patch+json', {
      metadata: { annotations: { [annotation]: value } },
    })

  it('a condition reports it, and follows the annotation', async () => {
    const { admin } = server()
    expect(
      (await admin.post(definitions, definition('a.k8s.io', 'https://a.b/c'))).status,
    ).to.equal(201)
    await becomes('a.k8s.io', 'True ApprovedAnnotation: approved in https://a.b/c')
    expect((await annotate('a.k8s.io', 'unapproved, "yet"')).status).to.equal(200)
    await becomes(
      'a.k8s.io',
      String.raw`False UnapprovedAnnotation: not approved: "unapproved, \"yet\""`,
    )
  })

  it('other groups have no such condition', async () => {
    const { admin } = server()
    await admin.post(definitions, definition('example.com'))
    await waitUntil(async () => {
      const answer = await admin.get(`${definitions}/foos.example.com`)
      return ((answer.field('status', 'conditions') ?? []) as unknown[]).length === 2
    })
    expect(await condition('example.com')).to.equal(undefined)
  })

  for (const value of [
    'foo',
    '/abs',
    'mailto:a@b',
    'urn:x',
    ' https://a',
    '//host/x',
    'https://',
  ]) {
    it(`the value "${value}" is refused: 422`, async () => {
      const answer = await server().admin.post(definitions, definition('z.k8s.io', value))
      expect([answer.status, answer.field('details', 'causes')]).to.deep.equal([
        422,
        [
          {
            reason: 'FieldValueInvalid',
            message: `Invalid value: ${JSON.stringify(value)}: ${invalid}`,
            field: `metadata.annotations[${annotation}]`,
          },
        ],
      ])
    })
  }

  it('an update may not remove it: 422', async () => {
    const { admin } = server()
    await admin.post(definitions, definition('b.kubernetes.io', 'unapproved'))
    const answers = [
      await annotate('b.kubernetes.io', null),
      await annotate('b.kubernetes.io', 'x'),
    ]
    expect(
      answers.map((answer) => [answer.status, answer.field('details', 'causes', 0, 'message')]),
    ).to.deep.equal([
      [422, `Required value: ${needed}, see ${rule}`],
      [422, `Invalid value: "x": ${invalid}`],
    ])
  })
})
