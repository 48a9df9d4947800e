import { expect } from 'chai'
import { helpText } from '../../apiserver/kubeApiserver/flags/kubeHelp.ts'
import { kubeFlags, readFlags } from '../../apiserver/kubeApiserver/flags/readFlags.ts'
import { kubeSettings } from '../../apiserver/kubeApiserver/settings/kubeSettings.ts'
import { serverSettings } from '../../apiserver/kubeApiserver/settings/serverSettings.ts'

const required = [
  '--etcd-servers=http://127.0.0.1:2379',
  '--service-account-issuer=https://one/',
  '--service-account-key-file=sa.crt',
  '--service-account-signing-key-file=sa.key',
]

function settingsOf(...args: string[]) {
  return kubeSettings(readFlags(args).values, {})
}

// All messages are those of kube-apiserver 1.37.2.
describe('flags of kube-apiserver', () => {
  for (const [args, message] of [
    [['--foo'], 'unknown flag: --foo'],
    [['--insecure-port=0'], 'unknown flag: --insecure-port'],
    [['-x'], "unknown shorthand flag: 'x' in -x"],
    [['--secure-port'], 'flag needs an argument: --secure-port'],
    [
      ['--secure-port=abc'],
      'invalid argument "abc" for "--secure-port" flag: strconv.ParseInt: parsing "abc": invalid syntax',
    ],
    [
      ['--allow-privileged=maybe'],
      'invalid argument "maybe" for "--allow-privileged" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      ['--event-ttl', '5'],
      'invalid argument "5" for "--event-ttl" flag: time: missing unit in duration "5"',
    ],
    [
      ['--v=x'],
      'invalid argument "x" for "-v, --v" flag: strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [['extra'], '"kube-apiserver" does not take any arguments, got ["extra"]'],
  ] as const) {
    it(`refuses ${args.join(' ')}`, () => {
      expect(() => readFlags(args))
        .to.throw(message)
        .with.property('message', message)
    })
  }

  for (const [args, message] of [
    [['--authorization-mode=Foo'], 'authorization-mode "Foo" is not a valid mode'],
    [['--enable-admission-plugins=Foo'], 'enable-admission-plugins plugin "Foo" is unknown'],
    [['--service-cluster-ip-range=foo'], 'service-cluster-ip-range[0] is not a valid cidr'],
    [['--feature-gates=Foo'], 'missing bool value for Foo'],
    [
      ['--secure-port=0'],
      '--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0',
    ],
    [['--authorization-mode=ABAC'], 'authorization-mode ABAC is not supported here'],
    [['--emulated-version=1.38'], 'emulation version 1.38 is not between [1.35, 1.37.0]'],
    [['--emulated-version=1.33'], 'emulation version 1.33 is not between [1.35, 1.37.0]'],
    [['--emulated-version=x'], 'could not parse "x" as version'],
    [['--emulated-version=1.35.2'], 'patch version not allowed, got: kube=1.35.2'],
    [['--emulated-version=foo=1.36'], 'component not registered: foo'],
    [['--emulated-version=1.36,1.35'], 'duplicate version flag, kube=1.36 and kube=1.35'],
  ] as const) {
    it(`refuses the value in ${args.join(' ')}`, () => {
      expect(() => settingsOf(...required, ...args))
        .to.throw(message)
        .with.property('message', message)
    })
  }

  it('names every missing flag at once', () => {
    expect(() => settingsOf()).to.throw(
      '[--etcd-servers must be specified, service-account-issuer is a required flag, either `--service-account-key-file` or `--service-account-signing-endpoint` must be set, --service-account-signing-key-file and --service-account-issuer are required flags]',
    )
  })

  it('reads values after an equals sign or a space, underscores as dashes, and the last of several', () => {
    const { values } = readFlags([
      ...['--secure-port', '7000', '--secure_port=7001', '--allow-privileged', '-v3'],
      ...['--etcd-servers=http://a,http://b', '--etcd-servers', 'http://c'],
    ])
    expect([
      values.number('secure-port'),
      values.flag('allow-privileged'),
      values.number('v'),
      values.list('etcd-servers'),
      values.number('max-requests-inflight'),
      values.milliseconds('event-ttl'),
      values.ignored(),
    ]).to.deep.equal([
      7001,
      true,
      3,
      ['http://a', 'http://b', 'http://c'],
      400,
      3_600_000,
      ['allow-privileged'],
    ])
  })

  it('lists every flag in its help, each once', () => {
    const listed = helpText()
      .match(/^ {2}(?: {4}|-v, )--[a-z0-9-]+/gm)
      ?.map((line) => line.slice(8))
    const names = kubeFlags.map(({ name }) => name)
    expect(listed?.toSorted()).to.deep.equal([...names, 'version'].toSorted())
    expect(new Set(names).size).to.equal(names.length)
  })

  it('passes the options of the server on, with the plugin that is on there by default', () => {
    const { values } = readFlags([
      ...[...required, '--max-requests-inflight=7', '--event-ttl=2m', '--tls-cert-file=a'],
      ...[
        '--tls-private-key-file=b',
        '--client-ca-file=ca',
        '--enable-admission-plugins=RuntimeClass,Priority',
      ],
    ])
    const options = serverSettings(values, { dataDir: '/data' })
    expect([
      options.maxRequestsInflight,
      options.eventTtlSeconds,
      options.tlsCertFile,
      options.delegation.clientCaFile,
      options.enableAdmissionPlugins.includes('StorageObjectInUseProtection'),
      options.enableAdmissionPlugins.includes('Priority'),
    ]).to.deep.equal([7, 120, 'a', 'ca', true, true])
  })

  it('uses a real etcd below a prefix of its own', () => {
    const { storage, etcd } = serverSettings(readFlags(required).values, {
      etcdServers: ['http://x'],
    })
    expect([storage, etcd.servers, etcd.prefix]).to.deep.equal([
      'etcd',
      ['http://x'],
      '/registry/platform-apiserver',
    ])
  })

  for (const [given, seconds] of [
    [[], 300],
    [['--etcd-compaction-interval=90s'], 90],
    [['--etcd-compaction-interval=1ms'], 1],
    [['--etcd-compaction-interval=0s'], 604_800],
  ] as const)
    it(`keeps the history of ${seconds} s with ${given[0] ?? 'the default interval'}`, () => {
      const { values } = readFlags([...required, ...given])
      expect(serverSettings(values, { dataDir: '/data' }).history.retainSeconds).to.equal(seconds)
    })

  it('runs no controllers unless the environment names them', () => {
    const of = (words?: string) => [
      ...kubeSettings(readFlags(required).values, { PLATFORM_ENVTEST_CONTROLLERS: words })
        .controllers,
    ]
    expect([of(), of('namespace-controller'), of('*').length]).to.deep.equal([
      [],
      ['namespace-controller'],
      6,
    ])
    expect(of('*,-namespace-controller')).to.not.include('namespace-controller')
    expect(() => of('typo')).to.throw('PLATFORM_ENVTEST_CONTROLLERS: there is no controller "typo"')
  })
})
