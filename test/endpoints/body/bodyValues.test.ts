import { expect } from 'chai'
import { useTestServer } from '../support/testServer.ts'

const secretsPath = '/api/v1/namespaces/default/secrets?dryRun=All'
const mapsPath = '/api/v1/namespaces/default/configmaps'

describe('values of a body', () => {
  const server = useTestServer()
  const admin = () => server().admin
  const created = async (path: string, rest: object, name = 'a') => {
    const { metadata, ...content } = { metadata: {}, ...rest }
    const answer = await admin().post(path, { metadata: { name, ...metadata }, ...content })
    return answer
  }

  it('base64 may contain line breaks, and is returned without them (reference 3.1)', async () => {
    const answer = await created(secretsPath, { data: { a: 'YWJj\nZGVm\r\n', b: 'YR==' } })
    expect([answer.status, answer.field('data')]).to.deep.equal([201, { a: 'YWJjZGVm', b: 'YQ==' }])
  })

  it('base64 with invalid characters is 400 (seen on kube-apiserver 1.37.2)', async () => {
    const answer = await created(secretsPath, { data: { a: 'YW Jj' } })
    expect([answer.status, answer.field('message')]).to.deep.equal([
      400,
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 2',
    ])
  })

  it('a null in a list of a Go type is the zero value of its type (reference 3.1)', async () => {
    const answer = await created(`${mapsPath}?dryRun=All`, {
      metadata: { ownerReferences: [null], finalizers: [null] },
    })
    const fields = (answer.field('details', 'causes') as { field: string }[]).map(
      ({ field }) => field,
    )
    expect(answer.status).to.equal(422)
    expect(fields).to.include('metadata.ownerReferences[0].uid')
    expect(fields).to.include('metadata.finalizers[0]')
  })

  for (const [generateName, texts] of [
    ['a/b', ["may not contain '/'"]],
    ['50%/', ["may not contain '/'", "may not contain '%'"]],
    ['A B', []],
  ] as const) {
    it(`an update validates generateName ${generateName} as a path segment first (seen on kube-apiserver 1.37.2)`, async () => {
      await created(mapsPath, {}, 'prefixed')
      const path = `${mapsPath}/prefixed?dryRun=All`
      const answer = await admin().patch(path, 'merge-patch+json', { metadata: { generateName } })
      const { causes } = answer.field('details') as { causes: { message: string }[] }
      const shown = (text: string) => `Invalid value: "${generateName}": ${text}`
      const messages = causes.map(({ message }) => message)
      expect(messages.slice(0, -1)).to.deep.equal(texts.map(shown))
      expect(messages.at(-1)).to.contain(shown('a lowercase RFC 1123 subdomain'))
    })
  }

  it('a definition whose additionalProperties is neither schema nor boolean is 400 (seen on kube-apiserver 1.37.2)', async () => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All'
    const schema = { openAPIV3Schema: { additionalProperties: 'x' } }
    const answer = await created(path, { spec: { versions: [{ schema }] } }, 'as.b.c')
    expect([answer.status, answer.field('message')]).to.deep.equal([
      400,
      'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: boolean or JSON schema expected',
    ])
  })

  it('an owner reference reports its missing fields (reference 3.10)', async () => {
    const answer = await created(`${mapsPath}?dryRun=All`, { metadata: { ownerReferences: [{}] } })
    const path = 'metadata.ownerReferences[0]'
    expect(answer.field('message')).to.equal(
      `ConfigMap "a" is invalid: [${path}.apiVersion: Required value: must not be empty, ${path}.kind: Required value: must not be empty, ${path}.name: Required value: must not be empty, ${path}.uid: Required value: must not be empty]`,
    )
  })

  it('finalizers of core kinds require a domain: 422 (reference 3.10)', async () => {
    const want =
      'ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified'
    const answer = await created(`${mapsPath}?dryRun=All`, { metadata: { finalizers: ['plain'] } })
    expect([answer.status, answer.field('message')]).to.deep.equal([422, want])
    const usual = { metadata: { finalizers: ['kubernetes', 'x.dev/y'] } }
    expect((await created(`${mapsPath}?dryRun=All`, usual)).status).to.equal(201)
    await created(mapsPath, {})
    const updated = await admin().patch(`${mapsPath}/a`, 'merge-patch+json', {
      metadata: { finalizers: ['plain'] },
    })
    expect([updated.status, updated.field('message')]).to.deep.equal([422, want])
  })

  it('impossible dates are 400 (seen on kube-apiserver 1.37.2)', async () => {
    const metadata = { creationTimestamp: '2020-01-01T24:00:00Z' }
    const answer = await created(`${mapsPath}?dryRun=All`, { metadata })
    expect([answer.status, answer.field('message')]).to.deep.equal([
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: parsing time "2020-01-01T24:00:00Z": hour out of range',
    ])
  })

  it('an apply for another name reports conflicts first (reference 3.13)', async () => {
    const type = { apiVersion: 'v1', kind: 'ConfigMap' }
    const apply = async (manager: string, name: string, value: string) => {
      const body = { ...type, metadata: { name }, data: { x: value } }
      const path = `${mapsPath}/applied?fieldManager=${manager}`
      return (await admin().patch(path, 'apply-patch+yaml', body)).status
    }
    expect(await apply('one', 'applied', '1')).to.equal(201)
    expect(await apply('two', 'other', '2')).to.equal(409)
    expect(await apply('two', 'other', '1')).to.equal(400)
  })

  it('a collection at a revision is that of the revision (reference 3.8)', async () => {
    const path = '/api/v1/namespaces/kube-public/configmaps'
    const first = await created(path, {}, 'first')
    await created(path, {}, 'second')
    const version = String(first.field('metadata', 'resourceVersion'))
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] }
    const answer = await admin().delete(`${path}?resourceVersion=${version}`, body)
    const names = (answer.field('items') as { metadata: { name: string } }[]).map(
      ({ metadata }) => metadata.name,
    )
    expect([answer.status, answer.field('metadata', 'resourceVersion')]).to.deep.equal([
      200,
      version,
    ])
    expect(names).to.include('first').and.not.include('second')
  })
})
