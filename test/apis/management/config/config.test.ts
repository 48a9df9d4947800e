import { expect } from 'chai'
import { configResource } from '../../../../apiserver/apis/management/config/config.ts'
import { namespaceResource } from '../../../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import { secretResource } from '../../../../apiserver/apis/kubernetes/core/secret.ts'
import { PlaneAccess } from '../../../../apiserver/apis/planeAccess.ts'
import type { AuthorizationAttributes } from '../../../../apiserver/authorization/authorizer.ts'
import { defaultNames } from '../../../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import { openPlatformConfig } from '../../../../apiserver/platform/openPlatformConfig.ts'
import type { AnswerRequest, Answers } from '../../../../apiserver/registry/answers.ts'
import { ResourceSet } from '../../../../apiserver/registry/resourceSet.ts'
import { clientContext } from '../../../support/contexts.ts'
import { refusal } from '../../../support/refusal.ts'
import { openStores, type Stores } from '../../../support/stores.ts'

function request(over: Partial<AnswerRequest> = {}): AnswerRequest {
  return {
    ...clientContext(),
    namespace: '',
    name: 'config',
    query: new URLSearchParams(),
    ...over,
  }
}

function body(yaml: string, resourceVersion?: string): ApiObject {
  return {
    kind: 'Config',
    apiVersion: 'management.platform/v1',
    metadata: { name: 'config', ...(resourceVersion === undefined ? {} : { resourceVersion }) },
    spec: { raw: Buffer.from(yaml).toString('base64') },
    status: { projectNamespacePrefix: 'ignored-' },
  }
}

const text = 'auth: {clusterManager: {host: h, bearerToken: t}}'

describe('configs', () => {
  let stores: Stores
  let answers: Required<Pick<Answers, 'get' | 'list' | 'change'>>
  let asked: AuthorizationAttributes[]
  let maySeeSecrets: boolean

  beforeEach(async () => {
    stores = await openStores()
    asked = []
    maySeeSecrets = true
    const config = openPlatformConfig({ names: defaultNames, environment: {} }, (error) => {
      throw error
    })
    const access = new PlaneAccess()
    access.bind({
      resources: new ResourceSet(),
      storeOf: (resource) => stores.storeOf(resource),
      authorize: (attributes) => {
        asked.push(attributes)
        return { allowed: maySeeSecrets, reason: '' }
      },
    })
    await config.start({
      secrets: stores.storeOf(secretResource),
      namespaces: stores.storeOf(namespaceResource),
    })
    // The kind has all three.
    answers = configResource(defaultNames, config, access).answers as typeof answers
  })
  afterEach(() => stores.close())

  const create = (object: ApiObject, over: AnswerRequest = request()) =>
    answers.change(() => Promise.resolve(object), { ...over, name: '' })
  const update = (object: ApiObject, over: AnswerRequest = request()) =>
    answers.change(() => Promise.resolve(object), over)

  const raw = (object: ApiObject) => {
    // spec is an object with raw, or without.
    const { raw: encoded = '' } = object['spec'] as { raw?: string }
    return Buffer.from(encoded, 'base64').toString()
  }

  it('return the defaults before anything is set', async () => {
    expect(await answers.get(request())).to.deep.equal({
      kind: 'Config',
      apiVersion: 'management.platform/v1',
      metadata: { name: 'config' },
      spec: {},
      status: {
        auth: { loginAccessKeyTTLSeconds: 1_728_000 },
        projectNamespacePrefix: 'p-',
      },
    })
  })

  it('are returned for any name; a list has one item (spec endpoint.Config.read)', async () => {
    await create(body(text))
    const one = await answers.get(request({ name: 'my-object' }))
    expect(one.metadata.name).to.equal('my-object')
    const [first, ...rest] = await answers.list(request({ name: '' }))
    expect([first?.metadata.name, rest]).to.deep.equal(['config', []])
    expect({ ...first, metadata: {} }).to.deep.equal({ ...one, metadata: {} })
  })

  it('are set from spec; a given status is ignored (spec config.raw)', async () => {
    const made = await create(body(text))
    expect(raw(made)).to.equal(text)
    expect(made['status']).to.deep.equal({
      auth: {
        clusterManager: { host: 'h', bearerToken: 't' },
        loginAccessKeyTTLSeconds: 1_728_000,
      },
      projectNamespacePrefix: 'p-',
    })
    expect(Object.keys(made.metadata)).to.deep.equal([
      ...['name', 'uid', 'resourceVersion', 'creationTimestamp'],
    ])
  })

  it('mask secrets for users who may not see them, in the response to their own request too', async () => {
    await create(body(text))
    maySeeSecrets = false
    const shown = [
      await answers.get(request()),
      ...(await answers.list(request())),
      await create(body(text)),
      await create(body(text), request({ dryRun: true })),
    ]
    for (const object of shown) {
      expect(JSON.stringify(object['status'])).to.include('"bearerToken":"***"')
      expect(raw(object)).to.equal(
        'auth:\n  clusterManager:\n    bearerToken: "***"\n    host: h\n',
      )
    }
    const { user } = clientContext()
    expect(asked[1]).to.deep.equal({
      ...{ user, verb: 'get', isResource: true, group: 'management.platform', version: 'v1' },
      ...{ resource: 'configs', subresource: 'secrets', namespace: '', name: 'config', path: '' },
    })
  })

  it('a dry run stores nothing', async () => {
    const shown = await create(body(text), request({ dryRun: true }))
    expect(raw(shown)).to.equal(text)
    expect((await answers.get(request()))['spec']).to.deep.equal({})
  })

  it('an update with an older resourceVersion conflicts with 409', async () => {
    const made = await create(body(text))
    const next = await update(body('{}', made.metadata.resourceVersion))
    const stale = update(body(text, made.metadata.resourceVersion))
    expect((await refusal(stale)).code).to.equal(409)
    await update(body(text, next.metadata.resourceVersion))
  })

  it('without a document: 422', async () => {
    const { code, message } = await refusal(create({ ...body(''), spec: {} }))
    expect([code, message]).to.deep.equal([
      422,
      'Config.management.platform "config" is invalid: spec.raw: Required value',
    ])
  })

  it('unknown settings are refused, warned about or ignored according to fieldValidation', async () => {
    const unknown = body('colour: red')
    const warnings: string[] = []
    const mode = (fieldValidation: string) =>
      request({
        query: new URLSearchParams({ fieldValidation }),
        warn: (warning) => warnings.push(warning),
      })
    const { details } = await refusal(create(unknown, mode('Strict')))
    expect(details?.causes).to.deep.equal([
      {
        reason: 'FieldValueForbidden',
        message: 'Forbidden: unknown setting',
        field: 'spec.raw.colour',
      },
    ])
    await create(unknown, mode('Ignore'))
    expect(warnings).to.deep.equal([])
    await create(unknown, mode('Warn'))
    expect(warnings).to.deep.equal(['unknown field "spec.raw.colour"'])
  })

  it('are read-only when disabled: 403 (spec config.disableConfigEndpoint)', async () => {
    await create(body('disableConfigEndpoint: true'))
    for (const set of [create, update]) {
      const { code, message } = await refusal(set(body('{}')))
      expect([code, message]).to.deep.equal([
        403,
        'configs.management.platform "config" is forbidden: setting the configuration through the API is disabled by disableConfigEndpoint',
      ])
    }
  })
})
