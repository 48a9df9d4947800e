import { expect } from 'chai'
import { readGivenOptions } from '../../../apiserver/command/config/givenOptions.ts'
import { settings } from '../../../apiserver/command/config/settings.ts'
import {
  serverOptions,
  type GivenServerOptions,
  type ServerOptions,
} from '../../../apiserver/runtime/options/serverOptions.ts'

/** Reads options as passed by an untyped caller. */
function read(given: unknown): ServerOptions {
  return readGivenOptions(given as GivenServerOptions)
}

function problemsOf(given: unknown): string[] {
  try {
    read(given)
  } catch (error) {
    if (error instanceof TypeError) return error.message.split('\n')
    throw error
  }
  return []
}

const accepted: { name: string; given: GivenServerOptions }[] = [
  { name: 'nothing', given: {} },
  { name: 'everything, with its default', given: serverOptions() },
  {
    name: 'what has the form of each kind',
    given: {
      ...{
        dataDir: 'd',
        storage: 'memory',
        bindAddress: '::1',
        securePort: 0,
        insecurePort: 65535,
      },
      ...{ tlsCertFile: 'c', tlsPrivateKeyFile: 'k', tlsSan: ['a.test', '*.b', '::1'] },
      ...{ adminAccessKey: 'abc=', adminPassword: 'p w', platformConfigFile: 'f' },
      environment: { A: 'b', C: undefined },
      names: { platform: 'acme', domain: 'acme.dev' },
      history: { retainSeconds: 0 },
      corsAllowedOrigins: ['https://a{1,3}\\.test'],
      trustedProxies: ['10.0.0.0/8', '::1'],
      delegation: {
        ...{ authenticationSkipLookup: true, authenticationTokenTtlMs: 0.5 },
        ...{ requestheaderAllowedNames: [], requestheaderUidHeaders: ['X-Remote-Uid'] },
      },
      logLevel: 'silent',
    },
  },
]

const refused: { name: string; given: unknown; want: string[] }[] = [
  { name: 'no object', given: 'x', want: ['the options must be an object'] },
  { name: 'null', given: null, want: ['the options must be an object'] },
  {
    name: 'names it does not know, at every level',
    given: {
      datadir: 'd',
      names: { Platform: 'a' },
      history: { keep: 1 },
      delegation: { ca: 'f' },
    },
    want: [
      'unknown option datadir',
      'unknown option names.Platform',
      'unknown option history.keep',
      'unknown option delegation.ca',
    ],
  },
  {
    name: 'other types',
    given: {
      ...{ dataDir: 1, securePort: '8443', insecurePort: null, logLevel: ['info'] },
      ...{ names: 'acme', history: [], environment: { A: 1 }, tlsSan: 'a.test' },
      ...{ corsAllowedOrigins: ['('], delegation: { authenticationSkipLookup: 'true' } },
    },
    want: [
      'dataDir must be the path of a folder; it is 1',
      'securePort must be a port number from 0 to 65535; it is "8443"',
      'insecurePort must be a port number from 0 to 65535; it is null',
      "logLevel must be one of trace, debug, info, warn, error, silent; it is [ 'info' ]",
      'names must be an object',
      'history must be an object',
      'environment must be an object of texts',
      'tlsSan must be an array of DNS names and IP addresses; it is "a.test"',
      "corsAllowedOrigins must be an array of regular expressions; it is [ '(' ]",
      'delegation.authenticationSkipLookup must be true or false; it is "true"',
    ],
  },
  {
    name: 'values out of range',
    given: {
      ...{ storage: 'disk', securePort: 65536, insecurePort: -1, eventTtlSeconds: 1.5 },
      ...{ maxRequestsInflight: NaN, history: { retainSeconds: Infinity } },
      ...{ names: { domain: 'Acme' }, delegation: { authenticationTokenTtlMs: -1 } },
    },
    want: [
      'storage must be one of level, memory, etcd; it is "disk"',
      'securePort must be a port number from 0 to 65535; it is 65536',
      'insecurePort must be a port number from 0 to 65535; it is -1',
      'eventTtlSeconds must be a whole number of seconds, at most 31536000; it is 1.5',
      'maxRequestsInflight must be a whole number, at most 1000000000; it is NaN',
      'history.retainSeconds must be a whole number of seconds, at most 31536000; it is Infinity',
      'names.domain must be a lower case DNS subdomain of at most 242 characters; it is "Acme"',
      'delegation.authenticationTokenTtlMs must be a number of milliseconds, 0 or more; it is -1',
    ],
  },
  {
    name: 'secrets, without showing them',
    given: { adminAccessKey: 'a secret', adminPassword: 7 },
    want: [
      'adminAccessKey must be made of letters, digits and -._~+/ only, with = at the end only',
      'adminPassword must be one line of 1 to 1024 characters',
    ],
  },
  {
    name: 'what does not fit together',
    given: {
      ...{ tlsCertFile: 'c', insecurePort: 8443, names: { gitHostA: 'a', gitHostB: 'a' } },
      delegation: { requestheaderUidHeaders: ['x-uid'] },
    },
    want: [
      'names.gitHostA and names.gitHostB must differ, both are "a"',
      'delegation.requestheaderUidHeaders must have X-Remote-Uid among them',
      'tlsCertFile and tlsPrivateKeyFile must be given together',
      'securePort and insecurePort must differ',
    ],
  },
]

describe('readGivenOptions', () => {
  for (const { name, given } of accepted) {
    it(`accepts ${name}`, () =>
      expect(read(given)).to.deep.equal(serverOptions({ logLevel: 'silent', ...given })))
  }

  for (const { name, given, want } of refused) {
    it(`refuses ${name}`, () => expect(problemsOf(given)).to.deep.equal(want))
  }

  it('treats undefined as absent', () => {
    const given = { dataDir: undefined, securePort: undefined, names: undefined, environment: {} }
    const inside = {
      names: { platform: undefined, domain: 'd' },
      history: { retainSeconds: undefined },
    }
    const quiet = { logLevel: 'silent' } as const
    expect(read(given)).to.deep.equal(serverOptions(quiet))
    expect(read(inside)).to.deep.equal(serverOptions({ ...quiet, names: { domain: 'd' } }))
  })

  it('refuses storage etcd without its members', () => {
    expect(() => read({ storage: 'etcd' })).to.throw('etcd.servers must be given with storage etcd')
  })

  it('accepts every option', () => {
    const { environment, names, history, tracing, delegation, etcd, backup, ...rest } =
      serverOptions()
    const inside = Object.entries({ names, history, tracing, delegation, etcd, backup }).flatMap(
      ([group, fields]) => Object.keys(fields).map((name) => `${group}.${name}`),
    )
    expect(settings.map(({ option }) => option).sort()).to.deep.equal(
      [...Object.keys(rest), ...inside].sort(),
    )
    expect(environment).to.deep.equal({})
  })
})
