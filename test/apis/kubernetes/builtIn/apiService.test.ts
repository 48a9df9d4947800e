import { expect } from 'chai'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import { subresourceStrategy } from '../../../../apiserver/registry/resource.ts'
import { BuiltInKinds } from '../../../support/builtInKinds.ts'
import { refusal } from '../../../support/refusal.ts'

const service = { namespace: 'n', name: 's' }
const spec = { group: 'g.io', version: 'v1', groupPriorityMinimum: 100, versionPriority: 15 }
const name = 'v1.g.io'

describe('APIService', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  const create = (change: object, metadata: object = { name }) =>
    kinds.create('APIService', { metadata, spec: { ...spec, ...change } })

  it('without a service it is local and available (reference 9.1)', async () => {
    const made = await create({})
    const { creationTimestamp } = made.metadata
    expect(made['status']).to.deep.equal({
      conditions: [
        {
          type: 'Available',
          status: 'True',
          lastTransitionTime: creationTimestamp,
          reason: 'Local',
          message: 'Local APIServices are always available',
        },
      ],
    })
    expect(kinds.cells(made)).to.deep.equal([name, 'Local', 'True', '0s'])
    expect(made.metadata['generation']).to.equal(undefined)
  })

  it('with a service it defaults to port 443 and has no condition yet (reference 9.1)', async () => {
    const made = await create({ service, caBundle: 'AA==' })
    expect(made['spec']).to.deep.equal({
      ...spec,
      service: { ...service, port: 443 },
      caBundle: 'AA==',
    })
    expect(kinds.cells(made)).to.deep.equal([name, 'n/s', 'Unknown', '0s'])
  })

  const causes: [text: string, change: object, metadata?: object][] = [
    [
      'metadata.name: Invalid value: "v2.g.io": must be `spec.version+"."+spec.group`: "v1.g.io"',
      {},
      { name: 'v2.g.io' },
    ],
    [
      'spec.group: Required value: only v1 may have an empty group and it better be legacy kube',
      { group: '', version: 'v2' },
      { name: 'v2.' },
    ],
    [
      'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
      { groupPriorityMinimum: 20_001 },
    ],
    [
      'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
      { versionPriority: 0 },
    ],
    [
      'spec.caBundle: Invalid value: "1 bytes": local APIServices may not have a caBundle',
      { caBundle: 'AA==' },
    ],
    [
      'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
      { insecureSkipTLSVerify: true },
    ],
    [
      'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present',
      { service, caBundle: 'AA==', insecureSkipTLSVerify: true },
    ],
    ['spec.service.name: Required value', { service: { namespace: 'n' } }],
    [
      'spec.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
      { service: { ...service, port: 70_000 } },
    ],
  ]
  for (const [text, change, metadata] of causes) {
    it(`${text} (reference 9.1)`, async () => {
      const { details } = await refusal(create(change, metadata))
      const found = details?.causes?.map(({ field = '', message }) => `${field}: ${message}`)
      expect(found).to.deep.equal([text])
    })
  }

  it('the core group may be named', async () => {
    const made = await create({ group: '' }, { name: 'v1.' })
    expect(made.metadata.name).to.equal('v1.')
  })

  it('its status is written separately and validated', async () => {
    await create({ service })
    const strategy = subresourceStrategy(kinds.resource('APIService'), 'status')
    if (strategy === undefined) throw new Error('it has a status')
    const target = { namespace: '', name }
    const set = (status: string, reason: string) => {
      const conditions = [{ type: 'Available', status, reason, lastTransitionTime: null }]
      const transform = (old: ApiObject): ApiObject => ({
        ...old,
        spec: {},
        status: { conditions },
      })
      return kinds
        .store('APIService')
        .update(target, { transform, strategy }, kinds.request('APIService'))
    }
    await set('False', 'ServiceNotFound')
    const { object } = kinds.store('APIService').newest(target)
    expect(kinds.cells(object)).to.deep.equal([name, 'n/s', 'False (ServiceNotFound)', '0s'])
    const { message } = await refusal(set('Perhaps', ''))
    expect(message).to.equal(
      'APIService.apiregistration.k8s.io "v1.g.io" is invalid: status.conditions[0].status: Unsupported value: ' +
        '"Perhaps": supported values: "True", "False", "Unknown"',
    )
  })
})
