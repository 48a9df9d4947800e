import { expect } from 'chai'
import { parse } from 'yaml'
import type { ApiObject } from '../support/objects.ts'
import type { Scenario } from '../support/scenario.ts'
import type { CurlContext } from './curlContext.ts'

const yaml = 'application/yaml'
const secrets = 'namespaces/default/sharedsecrets'

const secretYaml = (name: string, displayName: string) => `apiVersion: management.platform/v1
kind: SharedSecret
metadata:
  name: ${name}
  namespace: default
spec:
  displayName: ${displayName}
  data:
    password: c2VjcmV0 # a comment, as people leave them
`

export const curlScenarios: readonly Scenario<CurlContext>[] = [
  {
    name: 'POST, GET, PUT, PATCH and DELETE of a shared secret, with YAML bodies',
    run: async ({ send }) => {
      const post = { method: 'POST', path: secrets, contentType: yaml }
      const created = await send({ ...post, body: secretYaml('one', 'First') })
      expect(created).to.include({ status: 201, contentType: 'application/json' })
      // The response is the object, in JSON by default.
      const object = JSON.parse(created.body) as ApiObject
      expect(object.metadata.uid).to.match(/^[0-9a-f-]{36}$/)
      const one = `${secrets}/one`
      const accept = ['--header', `Accept: ${yaml}`]
      const read = await send({ method: 'GET', path: one, more: accept })
      expect(read).to.include({ status: 200, contentType: yaml })
      expect(parse(read.body)).to.deep.equal(object)
      const body = read.body.replace('displayName: First', 'displayName: Second')
      const put = await send({ method: 'PUT', path: one, contentType: yaml, body })
      expect(put.status, put.body).to.equal(200)
      const operations = [{ op: 'add', path: '/metadata/annotations', value: { a: 'b' } }]
      const patch = await send({
        method: 'PATCH',
        path: one,
        contentType: 'application/json-patch+json',
        body: JSON.stringify(operations),
      })
      expect(patch.status, patch.body).to.equal(200)
      const shown = { spec: { displayName: 'Second' }, metadata: { annotations: { a: 'b' } } }
      expect(JSON.parse(patch.body)).to.nested.include({
        'spec.displayName': shown.spec.displayName,
        'metadata.annotations.a': 'b',
      })
      const gone = await send({ method: 'DELETE', path: one })
      expect(JSON.parse(gone.body)).to.include({ kind: 'Status', status: 'Success' })
    },
  },
  {
    name: 'PUT of YAML with a stale resourceVersion: 409',
    run: async ({ send }) => {
      const post = { method: 'POST', path: secrets, contentType: yaml }
      const { body } = await send({
        ...post,
        body: secretYaml('stale', 'First'),
        more: ['--header', `Accept: ${yaml}`],
      })
      const put = { method: 'PUT', path: `${secrets}/stale`, contentType: yaml }
      const changed = body.replace('displayName: First', 'displayName: Second')
      expect(await send({ ...put, body: changed })).to.include({ status: 200 })
      const conflict = await send({ ...put, body: changed })
      expect(conflict.status).to.equal(409)
      expect(JSON.parse(conflict.body)).to.include({ reason: 'Conflict' })
    },
  },
  {
    name: 'POST of a user and of an access key without kind and apiVersion',
    run: async ({ send }) => {
      const body = 'metadata:\n  generateName: jane-\nspec:\n  displayName: Jane\n'
      const created = await send({ method: 'POST', path: 'users', contentType: yaml, body })
      expect(created.status, created.body).to.equal(201)
      expect(JSON.parse(created.body)).to.include({ kind: 'User' })
      const key = 'metadata:\n  generateName: key-\nspec:\n  user: admin\n'
      const made = await send({
        method: 'POST',
        path: 'ownedaccesskeys',
        contentType: yaml,
        body: key,
      })
      expect(made.status, made.body).to.equal(201)
      expect((JSON.parse(made.body) as ApiObject).spec?.['key']).to.match(/^\w{32,}$/)
    },
  },
  {
    name: 'JSON for curl is indented, without a line end, unless pretty=false',
    run: async ({ send }) => {
      const pretty = await send({ method: 'GET', path: 'users/admin' })
      expect(pretty.body).to.match(/^\{\n {2}"kind": "User",\n {2}"apiVersion": /)
      expect(pretty.body).to.match(/\}$/)
      const compact = await send({ method: 'GET', path: 'users/admin?pretty=false' })
      expect(compact.body).to.match(/^\{"kind":"User","apiVersion":/)
      expect(compact.body).to.match(/\}\n$/)
    },
  },
  {
    name: 'YAML that is not valid: 400; a body of an unknown type: 415',
    run: async ({ send }) => {
      const post = { method: 'POST', path: secrets }
      const broken = await send({ ...post, contentType: yaml, body: 'a: [b\n' })
      expect(broken.status).to.equal(400)
      expect(JSON.parse(broken.body)).to.include({ kind: 'Status', reason: 'BadRequest' })
      const unknown = await send({ ...post, contentType: 'text/csv', body: 'a,b' })
      expect(unknown.status).to.equal(415)
      expect(JSON.parse(unknown.body)).to.include({ reason: 'UnsupportedMediaType' })
    },
  },
]
