import { expect } from 'chai'
import { at, type PlatformContext, type PlatformScenario } from './platformContext.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/**
 * Requests of the command line for `set secret NAME.KEY VALUE`: a POST if the secret does not
 * exist, otherwise a PUT of the secret that was read.
 */
async function set(context: PlatformContext, path: string, [key, value]: [string, string]) {
  const { send, call } = context
  const [, name = ''] = /([^/]+)$/.exec(path) ?? []
  const read = await send(`GET ${path}`)
  if (read.status === 404) {
    const body = { metadata: { name }, spec: { displayName: name, data: { [key]: base64(value) } } }
    return call(201, `POST ${path.slice(0, -name.length - 1)}`, { body })
  }
  // The response is an object of the kind.
  const object = JSON.parse(read.text) as { spec: { data?: Record<string, string> } }
  object.spec.data = { ...object.spec.data, [key]: base64(value) }
  return call(200, `PUT ${path}`, { body: object })
}

async function setTwice(context: PlatformContext, path: string): Promise<void> {
  await set(context, path, ['user', 'jane'])
  await set(context, path, ['password', 'pass word'])
  const secret = await context.call(200, `GET ${path}`)
  const data = { user: base64('jane'), password: base64('pass word') }
  expect(at(secret, 'spec', 'data')).to.deep.equal(data)
}

export const secretFlows: readonly PlatformScenario[] = [
  {
    name: 'set secret and get secret: a shared secret, made and then changed (spec service.secretSync)',
    run: async (context) => {
      await setTwice(context, `namespaces/default/sharedsecrets/${context.newName('shared')}`)
      const everywhere = await context.call(200, 'GET sharedsecrets')
      expect(at(everywhere, 'kind')).to.equal('SharedSecretList')
    },
  },
  {
    name: 'set secret and get secret of a project; a secret of another project is none',
    run: async (context) => {
      const { call, newName } = context
      const project = newName('project')
      await call(201, 'POST projects', { body: { metadata: { name: project } } })
      const name = newName('secret')
      const path = `namespaces/p-${project}/projectsecrets`
      await setTwice(context, `${path}/${name}`)
      await call(404, `GET namespaces/default/projectsecrets/${name}`)
      const attributes = { verb: 'use', group: 'management.platform', resource: 'projectsecrets' }
      const resourceAttributes = { ...attributes, name, namespace: `p-${project}` }
      const body = { spec: { resourceAttributes } }
      const review = await call(201, 'POST selfsubjectaccessreviews', { body })
      expect(at(review, 'status', 'allowed')).to.equal(true)
    },
  },
  {
    name: 'a PUT of what was read before another wrote is refused, one without a version is not (spec endpoint.put.resourceVersion)',
    run: async (context) => {
      const { call, newName } = context
      const name = newName('shared')
      const path = `namespaces/default/sharedsecrets/${name}`
      await set(context, path, ['a', '1'])
      const stale = await call(200, `GET ${path}`)
      await set(context, path, ['b', '2'])
      expect(at(await call(409, `PUT ${path}`, { body: stale }), 'reason')).to.equal('Conflict')
      const body = { metadata: { name }, spec: { data: { c: base64('3') } } }
      const put = await call(200, `PUT ${path}`, { body })
      expect(at(put, 'spec', 'data')).to.deep.equal({ c: base64('3') })
    },
  },
]
