import { expect } from 'chai'
import { secretResource } from '../../../../apiserver/apis/kubernetes/core/secret.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import type { Store } from '../../../../apiserver/registry/store.ts'
import { tableRow } from '../../../../apiserver/registry/table.ts'
import { refusal } from '../../../support/refusal.ts'
import { create, openStores, put, type Stores } from '../../../support/stores.ts'

function secret(
  content: Record<string, unknown>,
  annotations: Record<string, string> = {},
): ApiObject {
  const metadata = { name: 's', namespace: 'default', annotations }
  return { kind: 'Secret', apiVersion: 'v1', metadata, ...content }
}

describe('secrets', () => {
  let stores: Stores
  let secrets: Store

  beforeEach(async () => {
    stores = await openStores()
    secrets = stores.storeOf(secretResource)
  })

  afterEach(() => stores.close())

  async function causes(call: Promise<unknown>): Promise<string[] | undefined> {
    const { code, details } = await refusal(call)
    expect(code).to.equal(422)
    return details?.causes?.map(({ field, message }) => `${field}: ${message}`)
  }

  it('merge stringData into data, and never return it', async () => {
    const made = await create(
      secrets,
      secret({ data: { a: 'b2xk', c: 'YQ==' }, stringData: { a: 'new', b: '' } }),
    )
    expect(made).to.not.have.property('stringData')
    expect([made['data'], made['type']]).to.deep.equal([{ a: 'bmV3', b: '', c: 'YQ==' }, 'Opaque'])
  })

  it('keep their type', async () => {
    await create(secrets, secret({ type: 'example.dev/x' }))
    expect(await causes(put(secrets, secret({ type: 'example.dev/y' })))).to.deep.equal([
      'type: Invalid value: "example.dev/y": field is immutable',
    ])
  })

  it('keep their data once immutable', async () => {
    await create(secrets, secret({ data: { a: 'YQ==' }, immutable: true }))
    const text = 'Forbidden: field is immutable when `immutable` is set'
    expect(
      await causes(put(secrets, secret({ data: { a: 'Yg==' }, immutable: true }))),
    ).to.deep.equal([`data: ${text}`])
    expect(await causes(put(secrets, secret({ data: { a: 'YQ==' } })))).to.deep.equal([
      `immutable: ${text}`,
    ])
  })

  const types = [
    ['kubernetes.io/tls', ['data[tls.crt]: Required value', 'data[tls.key]: Required value']],
    ['kubernetes.io/dockercfg', ['data[.dockercfg]: Required value']],
    ['kubernetes.io/dockerconfigjson', ['data[.dockerconfigjson]: Required value']],
    ['kubernetes.io/ssh-auth', ['data[ssh-privatekey]: Required value']],
    [
      'kubernetes.io/basic-auth',
      ['data[username]: Required value', 'data[password]: Required value'],
    ],
    [
      'kubernetes.io/service-account-token',
      ['metadata.annotations[kubernetes.io/service-account.name]: Required value'],
    ],
  ] as const
  for (const [type, want] of types) {
    it(`${type} requires its keys (reference 2.5)`, async () => {
      expect(await causes(create(secrets, secret({ type })))).to.deep.equal(want)
    })
  }

  it('basic-auth accepts either key alone', async () => {
    const made = await create(
      secrets,
      secret({ type: 'kubernetes.io/basic-auth', stringData: { password: 'p' } }),
    )
    expect(made['data']).to.deep.equal({ password: 'cA==' })
  })

  it('can be selected by their type (reference 4.3)', async () => {
    const made = await create(secrets, secret({}))
    expect(secrets.fieldsOf(made)).to.deep.equal({ type: 'Opaque' })
  })

  it('the table counts the data (reference 8.1)', async () => {
    const made = await create(secrets, secret({ data: { a: '', b: '' } }))
    const { cells } = tableRow(made, secretResource, { include: 'None', nowMs: stores.clock.now() })
    expect(cells).to.deep.equal(['s', 'Opaque', 2, '0s'])
  })
})
