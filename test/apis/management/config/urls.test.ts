import { expect } from 'chai'
import { configStatusSchema } from '../../../../apiserver/apis/management/config/configStatus.ts'
import { urlErrors } from '../../../../apiserver/apis/management/config/urlRules.ts'
import { defaultNames } from '../../../../apiserver/meta/names/namesProfile.ts'
import type { Schema } from '../../../../apiserver/meta/schema.ts'
import { openPlatformConfig } from '../../../../apiserver/platform/openPlatformConfig.ts'

interface Field {
  path: string
  schema: Schema
  /** Document with only a value at this path. */
  holding: (value: string) => unknown
}

function textFields(schema: Schema, path = '', wrap = (value: unknown) => value): Field[] {
  if (schema.type === 'string') return [{ path, schema, holding: wrap }]
  if (schema.items !== undefined)
    return textFields(schema.items, `${path}[0]`, (value) => wrap([value]))
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    textFields(member, path === '' ? name : `${path}.${name}`, (value) => wrap({ [name]: value })),
  )
}

const soundsLikeAddress =
  /ur[il]s?(\[0\])?$|address|host(name)?$|server|endpoint|link|icon|customCss|customJavaScript/i

/** Settings that look like addresses but have their own rule. */
const otherRules: Readonly<Record<string, string>> = {
  'audit.dataStoreEndpoint': 'must be a URL that begins with postgres://',
  'audit.policy.rules[0].nonResourceURLs[0]': 'must begin with a "/"',
  platformHost: 'should match',
}

describe('addresses in the configuration', () => {
  const schema = configStatusSchema(defaultNames)
  const fields = textFields(schema).filter(({ path }) => soundsLikeAddress.test(path))
  const config = openPlatformConfig({ names: defaultNames, environment: {} }, (error) => {
    throw error
  })
  const check = async (document: unknown) => config.check(Buffer.from(JSON.stringify(document)))

  it('are all found by this test', () => {
    expect(fields.map(({ path }) => path)).to.include.members([
      'auth.oidc.issuerUrl',
      'auth.connectors[0].saml.ssoURL',
      'auth.clusterManager.host',
      'secretStore.address',
      'uiSettings.customCss[0]',
      'uiSettings.navBarButtons[0].link',
      'oidc.clients[0].redirectURIs[0]',
    ])
  })

  for (const { path, holding } of fields) {
    it(`${path}: a value that is not a URL is refused at its field`, async () => {
      for (const value of ['not an address', 'javascript:alert(1)//', 'https://a b/']) {
        const { errors } = await check(holding(value))
        const found = errors.find(({ field }) => field === `spec.raw.${path}`)
        expect(found?.message, value).to.include(otherRules[path] ?? 'must be a')
      }
    })
  }

  const right: Readonly<Record<string, readonly string[]>> = {
    http: ['https://id.example.com', 'http://127.0.0.1:8080/a/b?c=d', 'https://[::1]:1/#x'],
    issuer: ['https://id.example.com/realms/a', 'http://localhost:1'],
    asset: ['https://cdn.example.com/a.svg?v=1', '/ui/logo.png'],
    link: ['https://docs.example.com', '/docs', 'mailto:help@example.com'],
    repository: ['https://charts.example.com', 'oci://registry.example.com/charts'],
    redirect: ['https://*.example.com/cb', 'http://localhost:*/cb', 'com.example.app:/cb'],
    host: ['git.example.com', 'git.example.com:8443', '10.0.0.1'],
    httpHost: ['manager.example.com', 'https://manager.example.com'],
  }
  const wrong: Readonly<Record<string, readonly string[]>> = {
    http: [
      'id.example.com',
      '//a',
      'https:///a',
      'https://u:p@a',
      'https:a',
      'ftp://a',
      'https://a\\b',
    ],
    issuer: ['https://a?b', 'https://a#b'],
    asset: ['//a/b.png', '/\\a', 'data:image/png;base64,AA', 'a.png', '/a"b', '/a b'],
    link: ['javascript:alert(1)', 'mailto:', 'data:text/html,a'],
    repository: ['oci://', 'ssh://a'],
    redirect: ['JavaScript:alert(1)', 'https://a/#b', '/cb', 'data:text/html,a'],
    host: ['https://git.example.com', 'a/b', 'u@a'],
    httpHost: ['ftp://a', 'a/b'],
  }
  for (const [form, values] of Object.entries(right)) {
    it(`${form}: accepts valid URLs and refuses others`, () => {
      const property = { type: 'string', url: form } as Schema // The keys above are the forms.
      const errors = (text: string) => urlErrors(text, property, 'a')
      for (const text of values) expect(errors(text), text).to.deep.equal([])
      for (const text of wrong[form] ?? []) expect(errors(text), text).to.have.length(1)
    })
  }

  it('with a password are refused without repeating it', async () => {
    const { errors } = await check({ secretStore: { address: 'https://root:hunter2@store' } })
    expect(errors).to.deep.equal([
      {
        reason: 'FieldValueInvalid',
        field: 'spec.raw.secretStore.address',
        message:
          'Invalid value: "": must be an absolute http or https URL without user and password',
      },
    ])
  })
})
