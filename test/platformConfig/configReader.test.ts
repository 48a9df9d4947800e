import { expect } from 'chai'
import { openPlatformConfig } from '../../apiserver/platform/openPlatformConfig.ts'
import type { ConfigDocument } from '../../apiserver/platformConfig/configReader.ts'
import {
  defaultNames,
  namesProfile,
  type NamesProfile,
} from '../../apiserver/meta/names/namesProfile.ts'

const environment = { SECRET: 'shh', TTL: '3600', ON: 'true', HOST: 'id.example.com', EMPTY: '' }

function read(yaml: string, names: NamesProfile = defaultNames): Promise<ConfigDocument> {
  const config = openPlatformConfig({ names, environment }, (error) => {
    throw error
  })
  return config.check(Buffer.from(yaml))
}

const nothing = { auth: { loginAccessKeyTTLSeconds: 1_728_000 }, projectNamespacePrefix: 'p-' }

describe('ConfigReader', () => {
  const defaults: { name: string; yaml: string; want: Record<string, unknown> }[] = [
    {
      name: 'nothing set (spec limit.loginAccessKeyTTLSeconds, limit.projectNamespacePrefix)',
      yaml: '',
      want: nothing,
    },
    {
      name: 'zero is kept, it means no limit (spec limit.loginAccessKeyTTLSeconds)',
      yaml: 'auth: {loginAccessKeyTTLSeconds: 0}',
      want: { ...nothing, auth: { loginAccessKeyTTLSeconds: 0 } },
    },
    {
      name: 'zero and nothing are alike (spec limit.accessKeyMaxTTLSeconds)',
      yaml: 'auth: {accessKeyMaxTTLSeconds: 0}',
      want: nothing,
    },
    {
      name: '100 megabytes (spec limit.audit.maxSize)',
      yaml: 'audit: {enabled: true, path: /a}',
      want: { ...nothing, audit: { enabled: true, path: '/a', maxSize: 100 } },
    },
    {
      name: 'a minute (spec limit.secretStore.syncInterval)',
      yaml: 'secretStore: {enabled: true}',
      want: { ...nothing, secretStore: { enabled: true, syncInterval: '1m' } },
    },
    {
      name: 'a year; an empty storage class is not an absent one (spec limit.costControl.retention)',
      yaml: 'costControl: {global: {metrics: {storage: {storageClass: ""}}}, cluster: {metrics: {replicas: 2}}}',
      want: {
        ...nothing,
        costControl: {
          global: { metrics: { retention: '1y', storage: { storageClass: '' } } },
          cluster: { metrics: { replicas: 2, retention: '1y' } },
        },
      },
    },
    {
      name: 'a button stands at the end of the bottom (spec config.uiSettings.navBarButtons)',
      yaml: 'uiSettings: {navBarButtons: [{text: t, link: /l}]}',
      want: {
        ...nothing,
        uiSettings: { navBarButtons: [{ position: 'BottomEnd', text: 't', link: '/l' }] },
      },
    },
    {
      name: 'defaults of providers, also of connectors (spec config.auth.identityA.scopes, config.auth.identityB.tenant, config.auth.oidc.scopes)',
      yaml: 'auth: {oidc: {clientId: c}, connectors: [{id: x, identityA: {clientId: a}, identityB: {clientId: b}}]}',
      want: {
        ...nothing,
        auth: {
          oidc: { clientId: 'c', scopes: ['email', 'profile'] },
          connectors: [
            {
              id: 'x',
              identityA: { clientId: 'a', scopes: ['profile', 'email'] },
              identityB: { clientId: 'b', tenant: 'common' },
            },
          ],
          loginAccessKeyTTLSeconds: 1_728_000,
        },
      },
    },
  ]
  for (const { name, yaml, want } of defaults) {
    it(`${name}`, async () => {
      const { effective, errors } = await read(yaml)
      expect({ errors, effective }).to.deep.equal({ errors: [], effective: want })
    })
  }

  const kept: { name: string; settings: Record<string, unknown> }[] = [
    {
      name: 'the platform as a provider (spec config.oidc, version.deprecated)',
      settings: {
        oidc: {
          enabled: true,
          wildcardRedirect: true,
          clients: [
            { name: 'n', clientId: 'c', clientSecret: 's', redirectURIs: ['https://u/cb'] },
          ],
        },
      },
    },
    {
      name: 'repositories and apps (spec config.apps)',
      settings: {
        apps: {
          noDefault: true,
          repositories: [
            { name: 'n', url: 'https://u', username: 'a', password: 'b', insecure: true },
          ],
          predefinedApps: [{ chart: 'c', initialVersion: '1', clusters: ['x'], title: 't' }],
        },
      },
    },
    {
      name: 'domains (spec config.workspaceSubDomain, config.platformHost, version.deprecated)',
      settings: { platformHost: 'p.example.com', workspaceSubDomain: '*.w.example.com' },
    },
    {
      name: 'the look (spec config.uiSettings, config.uiSettings.externalURLs)',
      settings: {
        uiSettings: {
          platformVersion: 'v1',
          logoURL: '/l',
          primaryColor: '#fff',
          legalTemplate: '<p>',
          customCss: ['/c'],
          externalURLs: { block: true, allow: ['https://example.com'] },
        },
      },
    },
    {
      name: 'when maintenance is (spec config.cloud.maintenanceWindow)',
      settings: {
        cloud: {
          releaseChannel: 'stable',
          maintenanceWindow: { dayOfWeek: 'sunday', timeWindow: '22:00-23:30' },
        },
      },
    },
    {
      name: 'the tool, its resources, and prices (spec config.costControl)',
      settings: {
        costControl: {
          enabled: true,
          cluster: {
            costTool: {
              replicas: 2,
              resources: { limits: { cpu: '1' }, claims: [{ name: 'n', request: 'r' }] },
            },
          },
          settings: { averageCPUPricePerNode: { price: 1.5, timePeriod: 'month' } },
        },
        database: { enabled: true, extraArgs: ['-v'] },
      },
    },
  ]
  for (const { name, settings } of kept) {
    it(`keeps ${name}`, async () => {
      const { effective, errors, unknownFields } = await read(JSON.stringify(settings))
      expect({ effective, errors, unknownFields }).to.deep.equal({
        effective: { ...nothing, ...settings },
        errors: [],
        unknownFields: [],
      })
    })
  }

  it('reads quantities as Kubernetes does, and refuses invalid ones', async () => {
    const limits = (text: string) => read(`imageBuilder: {resources: {limits: {cpu: ${text}}}}`)
    expect((await limits('0.5')).effective['imageBuilder']).to.deep.equal({
      resources: { limits: { cpu: '500m' } },
    })
    expect((await limits('much')).errors.map(({ field }) => field)).to.deep.equal([
      'spec.raw.imageBuilder.resources.limits.cpu',
    ])
  })

  const placeholders: { name: string; yaml: string; want: unknown }[] = [
    { name: '$NAME', yaml: 'auth: {gitHostA: {clientSecret: $SECRET}}', want: 'shh' },
    { name: '${NAME}', yaml: "auth: {gitHostA: {clientSecret: '${SECRET}'}}", want: 'shh' },
    {
      name: '${NAME} within a text',
      yaml: "auth: {gitHostA: {clientSecret: 'a-${SECRET}-${HOST}'}}",
      want: 'a-shh-id.example.com',
    },
    {
      name: 'a dollar sign of another kind stays',
      yaml: "auth: {gitHostA: {clientSecret: 'pa$SECRET$'}}",
      want: 'pa$SECRET$',
    },
  ]
  for (const { name, yaml, want } of placeholders) {
    it(`replaces placeholders: ${name}`, async () => {
      const { effective, errors } = await read(yaml)
      expect(errors).to.deep.equal([])
      expect(effective['auth']).to.deep.include({ gitHostA: { clientSecret: want } })
    })
  }

  it('converts placeholders to numbers and booleans as needed', async () => {
    const { effective } = await read(
      'auth: {accessKeyMaxTTLSeconds: $TTL, password: {disabled: $ON}}\ndisableConfigEndpoint: $ON',
    )
    expect(effective).to.deep.equal({
      auth: {
        password: { disabled: true },
        accessKeyMaxTTLSeconds: 3600,
        loginAccessKeyTTLSeconds: 1_728_000,
      },
      projectNamespacePrefix: 'p-',
      disableConfigEndpoint: true,
    })
  })

  const wrong: { name: string; yaml: string; want: [string, string][] }[] = [
    {
      name: 'a variable that is not there',
      yaml: 'auth: {gitHostA: {clientSecret: $ABSENT}}',
      want: [
        [
          'spec.raw.auth.gitHostA.clientSecret',
          'Invalid value: "${ABSENT}": the environment of the server has no variable of this name',
        ],
      ],
    },
    {
      name: 'wrong types, one error for each',
      yaml: 'auth: {accessKeyMaxTTLSeconds: soon, gitHostA: [x]}\napps: {noDefault: 1}',
      want: [
        [
          'spec.raw.auth.gitHostA',
          'Invalid value: "array": spec.raw.auth.gitHostA in body must be of type object: "array"',
        ],
        [
          'spec.raw.auth.accessKeyMaxTTLSeconds',
          'Invalid value: "string": spec.raw.auth.accessKeyMaxTTLSeconds in body must be of type integer: "string"',
        ],
        [
          'spec.raw.apps.noDefault',
          'Invalid value: "integer": spec.raw.apps.noDefault in body must be of type boolean: "integer"',
        ],
      ],
    },
    {
      name: 'less than nothing (spec config.auth.accessKeyMaxTTLSeconds)',
      yaml: 'auth: {accessKeyMaxTTLSeconds: -1}',
      want: [
        [
          'spec.raw.auth.accessKeyMaxTTLSeconds',
          'Invalid value: -1: spec.raw.auth.accessKeyMaxTTLSeconds in body should be greater than or equal to 0',
        ],
      ],
    },
    {
      name: 'audit without a path, level with policy (spec config.audit.path, config.audit.level)',
      yaml: 'audit: {enabled: true, level: 2, policy: {omitStages: [Panic]}}',
      want: [
        ['spec.raw.audit.path', 'Required value: a path is needed when audit is enabled'],
        ['spec.raw.audit.level', 'Forbidden: may not be used together with policy'],
      ],
    },
    {
      name: 'nothing to verify responses with (spec config.auth.saml.caData, config.auth.saml.ca, config.auth.saml.insecureSkipSignatureValidation)',
      yaml: 'auth: {saml: {ssoURL: "https://u"}}',
      want: [
        [
          'spec.raw.auth.saml.caData',
          'Required value: one of caData, ca and insecureSkipSignatureValidation is needed',
        ],
      ],
    },
    {
      name: 'a service account without its super user (spec config.auth.identityA.adminEmail)',
      yaml: 'auth: {identityA: {serviceAccountFilePath: f}}',
      want: [
        [
          'spec.raw.auth.identityA.adminEmail',
          'Required value: it is needed with serviceAccountFilePath',
        ],
      ],
    },
    {
      name: 'ids that are missing, repeated or odd (spec config.auth.connectors)',
      yaml: 'auth: {connectors: [{}, {id: a}, {id: a}, {id: a/b}]}',
      want: [
        ['spec.raw.auth.connectors[0].id', 'Required value'],
        ['spec.raw.auth.connectors[2].id', 'Duplicate value: "a"'],
        [
          'spec.raw.auth.connectors[3].id',
          "Invalid value: \"a/b\": must be letters, digits, '-', '_' and '.': it is part of URLs",
        ],
      ],
    },
    {
      name: 'what is no pattern and no header (spec config.auth.groupsFilters, config.auth.customHttpHeaders)',
      yaml: 'auth: {groupsFilters: ["("], customHttpHeaders: {"a b": c, X-Ok: ok, X-Two: "a\\r\\nb"}}',
      want: [
        ['spec.raw.auth.groupsFilters[0]', 'Invalid value: "(": must be a regular expression'],
        [
          'spec.raw.auth.customHttpHeaders[X-Two]',
          'Invalid value: "": must be one line of printable ASCII characters',
        ],
        [
          'spec.raw.auth.customHttpHeaders[a b]',
          'Invalid value: "a b": must be the name of an HTTP header',
        ],
      ],
    },
    {
      name: 'no duration, no name (spec config.secretStore.syncInterval, config.secretStore.auth)',
      yaml: 'secretStore: {syncInterval: often, auth: {tokenSecretRef: {optional: true}}}',
      want: [
        [
          'spec.raw.secretStore.syncInterval',
          'Invalid value: "often": must be a duration above zero, such as 30s or 1h30m',
        ],
        ['spec.raw.secretStore.auth.tokenSecretRef.name', 'Required value'],
      ],
    },
    {
      name: 'another position (spec config.uiSettings.navBarButtons)',
      yaml: 'uiSettings: {navBarButtons: [{position: Top}]}',
      want: [
        [
          'spec.raw.uiSettings.navBarButtons[0].position',
          'Unsupported value: "Top": supported values: "TopStart", "TopEnd", "BottomStart", "BottomEnd"',
        ],
      ],
    },
    {
      name: 'a time of no day (spec config.cloud.maintenanceWindow)',
      yaml: 'cloud: {maintenanceWindow: {timeWindow: "24:00-25:00"}}',
      want: [
        [
          'spec.raw.cloud.maintenanceWindow.timeWindow',
          'Invalid value: "24:00-25:00": spec.raw.cloud.maintenanceWindow.timeWindow in body should match ' +
            "'^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$'",
        ],
      ],
    },
    {
      name: 'a host with a scheme (spec config.platformHost)',
      yaml: 'platformHost: https://example.com',
      want: [
        [
          'spec.raw.platformHost',
          'Invalid value: "https://example.com": spec.raw.platformHost in body should match \'^[^/\\s]*$\'',
        ],
      ],
    },
    {
      name: 'a mask in place of a secret',
      yaml: "auth: {oidc: {clientSecret: '***'}}",
      want: [
        [
          'spec.raw.auth.oidc.clientSecret',
          'Invalid value: "***": this is the mask of a secret that was not shown: give the secret itself',
        ],
      ],
    },
    {
      name: 'a list',
      yaml: '[]',
      want: [
        ['spec.raw', 'Invalid value: "array": must be a YAML document that is a map of settings'],
      ],
    },
    {
      name: 'a repeated key',
      yaml: 'auth: {}\nauth: {}',
      want: [['spec.raw', 'Invalid value: line 2: key "auth" already set in map']],
    },
  ]
  for (const { name, yaml, want } of wrong) {
    it(`refuses ${name}`, async () => {
      const { errors } = await read(yaml)
      expect(errors.map(({ field, message }) => [field, message])).to.deep.equal(want)
    })
  }

  it('refuses invalid YAML, and documents too large for a secret', async () => {
    expect((await read('a: [')).errors).to.have.length(1)
    expect((await read('# '.padEnd(1024 * 1024 + 1, 'x'))).errors).to.deep.equal([
      {
        reason: 'FieldValueTooLong',
        field: 'spec.raw',
        message: 'Too long: may not be more than 1048576 bytes',
      },
    ])
  })

  it('names unknown settings, and drops them', async () => {
    const { effective, errors, unknownFields } = await read('auth: {colour: red}\nmore: 1')
    expect({ effective, errors, unknownFields }).to.deep.equal({
      effective: nothing,
      errors: [],
      unknownFields: ['spec.raw.auth.colour', 'spec.raw.more'],
    })
  })

  it('spells fields by the names profile', async () => {
    const names = namesProfile({
      ...{ platform: 'acme', workspaceTool: 'bench', gitHostA: 'forge', secretStore: 'locker' },
      costTool: 'meter',
    })
    const { effective, unknownFields } = await read(
      [
        'acmeHost: acme.example.com',
        'benchSubDomain: w.example.com',
        'auth: {forge: {clientId: a}, oidc: {acmeUsernameClaim: u, scopes: [s]}}',
        'locker: {syncInterval: 5s}',
        'costControl: {cluster: {meter: {replicas: 1}}}',
        'uiSettings: {acmeVersion: v1}',
        'platformHost: other',
      ].join('\n'),
      names,
    )
    expect(unknownFields).to.deep.equal(['spec.raw.platformHost'])
    expect(effective).to.deep.equal({
      auth: {
        oidc: { acmeUsernameClaim: 'u', scopes: ['s'] },
        forge: { clientId: 'a' },
        loginAccessKeyTTLSeconds: 1_728_000,
      },
      acmeHost: 'acme.example.com',
      projectNamespacePrefix: 'p-',
      benchSubDomain: 'w.example.com',
      uiSettings: { acmeVersion: 'v1' },
      locker: { syncInterval: '5s' },
      costControl: { cluster: { meter: { replicas: 1 } } },
    })
  })
})
