import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseCommandLine } from '../../../apiserver/command/config/commandLine.ts'
import { loadConfig, type Environment } from '../../../apiserver/command/config/config.ts'
import { UsageError } from '../../../apiserver/command/config/usageError.ts'
import { namesProfile } from '../../../apiserver/meta/names/namesProfile.ts'
import {
  serverOptions,
  type GivenServerOptions,
} from '../../../apiserver/runtime/options/serverOptions.ts'

interface Case {
  name: string
  flags?: string[]
  env?: Environment
  /** Content of the settings file. */
  file?: string
}

const accepted: (Case & { want: GivenServerOptions })[] = [
  { name: 'nothing given: the defaults', want: {} },
  {
    name: 'flags win over the environment, the environment over the file',
    flags: ['--log-level', 'debug'],
    env: { PLATFORM_LOG_LEVEL: 'warn', PLATFORM_SECURE_PORT: '1' },
    file: 'logLevel: error\nsecurePort: 2\nbindAddress: "::"\n',
    want: { logLevel: 'debug', securePort: 1, bindAddress: '::' },
  },
  {
    name: 'a bad value that a stronger one hides',
    flags: ['--secure-port', '0'],
    env: { PLATFORM_SECURE_PORT: 'none' },
    want: { securePort: 0 },
  },
  {
    name: 'an empty variable and an empty key count as not given',
    env: { PLATFORM_DATA_DIR: '' },
    file: 'dataDir:\nhistory:\n',
    want: {},
  },
  {
    name: 'texts of digits in the file, as they are written',
    file: 'adminAccessKey: 00123456789012345678901234567890\ndataDir: 1e5\nsecurePort: 0\n',
    want: { adminAccessKey: '00123456789012345678901234567890', dataDir: '1e5', securePort: 0 },
  },
  { name: 'an empty file', file: '', want: {} },
  {
    name: 'groups of the file',
    file: 'names: {platform: acme, gitHostA: forge}\nhistory: {retainSeconds: 0, retainRevisions: 5}',
    want: {
      names: { platform: 'acme', gitHostA: 'forge' },
      history: { retainSeconds: 0, retainRevisions: 5 },
    },
  },
  {
    name: 'names from everywhere; domain and role follow the platform',
    flags: ['--names-proxy-segment', 'orchestrator'],
    env: { PLATFORM_NAMES_PLATFORM: 'acme', PLATFORM_NAMES_GIT_HOST_B: 'other' },
    want: {
      names: namesProfile({ proxySegment: 'orchestrator', platform: 'acme', gitHostB: 'other' }),
    },
  },
  {
    name: 'memory has no folder',
    flags: ['--storage', 'memory'],
    want: { storage: 'memory', dataDir: undefined },
  },
  {
    name: 'memory with a folder keeps it',
    flags: ['--storage', 'memory', '--data-dir', 'd'],
    want: { storage: 'memory', dataDir: 'd' },
  },
  {
    name: 'the rest of the flags',
    flags: [
      ...[
        '--data-dir',
        'd',
        '--insecure-port',
        '0',
        '--tls-cert-file',
        'c',
        '--kubeconfig-out',
        'k',
      ],
      ...[
        '--tls-private-key-file',
        'p',
        '--admin-access-key',
        'Key-1.~+/==',
        '--shutdown-grace-seconds',
        '0',
      ],
    ],
    want: {
      dataDir: 'd',
      insecurePort: 0,
      tlsCertFile: 'c',
      tlsPrivateKeyFile: 'p',
      kubeconfigOut: 'k',
      adminAccessKey: 'Key-1.~+/==',
      shutdownGraceSeconds: 0,
    },
  },
  {
    name: 'how etcd is reached',
    flags: ['--storage', 'etcd', '--etcd-servers', 'https://a:2379,https://b:2379'],
    env: { PLATFORM_ETCD_PREFIX: '/one/two' },
    file: 'etcd: {compactionInterval: 1m, healthcheckTimeout: 500ms, cafile: ca.pem}\n',
    want: {
      storage: 'etcd',
      etcd: {
        servers: ['https://a:2379', 'https://b:2379'],
        prefix: '/one/two',
        caFile: 'ca.pem',
        compactionIntervalMs: 60_000,
        healthcheckTimeoutMs: 500,
      },
    },
  },
  {
    name: 'proxies that are trusted: addresses and networks',
    env: { PLATFORM_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,fd00::/8' },
    want: { trustedProxies: ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'] },
  },
]

const refused: (Case & { want: string[] })[] = [
  {
    name: 'every bad value, with its origin',
    flags: ['--secure-port', '65536', '--bind-address', 'example.com', '--storage', 'disk'],
    env: { PLATFORM_HISTORY_RETAIN_SECONDS: '1.5' },
    file: 'logLevel: loud\nnames: {domain: Acme.dev}\n',
    want: [
      '--storage must be one of level, memory, etcd; it is "disk"',
      '--bind-address must be an IP address or localhost; it is "example.com"',
      '--secure-port must be a port number from 0 to 65535; it is "65536"',
      'PLATFORM_HISTORY_RETAIN_SECONDS must be a whole number of seconds, at most 31536000; it is "1.5"',
      'logLevel in FILE must be one of trace, debug, info, warn, error, silent; it is "loud"',
      'names.domain in FILE must be a lower case DNS subdomain of at most 242 characters; it is "Acme.dev"',
    ],
  },
  {
    name: 'an access key that no header can carry, without showing it',
    env: { PLATFORM_ADMIN_ACCESS_KEY: 'a secret' },
    want: [
      'PLATFORM_ADMIN_ACCESS_KEY must be made of letters, digits and -._~+/ only, with = at the end only',
    ],
  },
  {
    name: 'storage etcd without its members, and half of a certificate and of a user',
    flags: ['--storage', 'etcd', '--etcd-certfile', 'c', '--etcd-password-file', 'p'],
    want: [
      '--etcd-servers must be given with storage etcd',
      '--etcd-certfile and --etcd-keyfile must be given together',
      '--etcd-username-file and --etcd-password-file must be given together',
    ],
  },
  {
    name: 'members of etcd that are no URLs, and a prefix without a slash at its start',
    flags: ['--etcd-servers', 'http://10.0.0.1:2379,10.0.0.2', '--etcd-prefix', 'platform/'],
    want: [
      '--etcd-servers must be URLs such as http://10.0.0.1:2379 separated by commas; it is "http://10.0.0.1:2379,10.0.0.2"',
      '--etcd-prefix must be a slash followed by names with slashes between them; it is "platform/"',
    ],
  },
  {
    name: 'keys of the file that are unknown or misshapen',
    file: 'datadir: d\nconfig: other\nnames: acme\nhistory: {keep: 1}\nstorage: [level]\nsecurePort: true\n',
    want: [
      'unknown key datadir in FILE',
      'unknown key config in FILE',
      'names in FILE must be a map',
      'unknown key history.keep in FILE',
      'storage in FILE must be a text or a number',
      'securePort in FILE must be a text or a number',
    ],
  },
  { name: 'a file that is no map', file: '- a\n', want: ['FILE must be a map of settings'] },
  {
    name: 'a file that is not YAML',
    file: 'a: [',
    want: [
      'cannot read the settings file FILE: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 5:',
    ],
  },
  {
    name: 'a file with a word that YAML gives no meaning',
    file: 'logLevel: !loud info\n',
    want: ['cannot read the settings file FILE: Unresolved tag: !loud at line 1, column 11:'],
  },
  {
    name: 'a file of two documents',
    file: 'logLevel: info\n---\nlogLevel: warn\n',
    want: ['cannot read the settings file FILE: it holds more than one document'],
  },
  {
    name: 'a key that is given twice',
    file: 'logLevel: info\nlogLevel: warn\n',
    want: ['cannot read the settings file FILE: Map keys must be unique at line 2, column 1:'],
  },
  {
    name: 'a file that is not there',
    flags: ['--config', '/nowhere/settings.yaml'],
    want: ['cannot read the settings file /nowhere/settings.yaml: it does not exist'],
  },
  {
    name: 'a file that is a folder',
    flags: ['--config', '/'],
    want: ['cannot read the settings file /: it is a folder'],
  },
  {
    name: 'one of the two TLS files',
    flags: ['--tls-cert-file', 'c'],
    want: ['--tls-cert-file and --tls-private-key-file must be given together'],
  },
  {
    name: 'one port for both listeners',
    flags: ['--insecure-port', '8443'],
    want: ['--secure-port and --insecure-port must differ'],
  },
  {
    name: 'names that do not fit where they stand',
    flags: ['--names-platform', 'Acme', '--names-proxy-segment', 'api', '--names-cost-tool', 'a-b'],
    want: [
      '--names-platform must be a lower case letter followed by at most 39 lower case letters and digits; it is "Acme"',
      '--names-proxy-segment must be one path segment of lower case letters, digits and -, and none of api, apis, auth, backup, console, healthz, livez, metrics, openapi, readyz, version; it is "api"',
      '--names-cost-tool must be a letter followed by at most 39 letters and digits; it is "a-b"',
    ],
  },
  {
    name: 'proxies that are no addresses',
    flags: ['--trusted-proxies', '10.0.0.1,10.0.0.0/33'],
    want: [
      '--trusted-proxies must be IP addresses or networks such as 10.0.0.0/8 separated by commas; it is "10.0.0.1,10.0.0.0/33"',
    ],
  },
  {
    name: 'two connectors of one name',
    flags: ['--names-identity-a', 'same', '--names-git-host-a', 'same'],
    want: ['names.gitHostA and names.identityA must differ, both are "same"'],
  },
  {
    name: 'problems of the command line, with all others',
    flags: ['--nonsense', '--secure-port', 'x'],
    want: [
      'unknown flag --nonsense',
      '--secure-port must be a port number from 0 to 65535; it is "x"',
    ],
  },
]

describe('loadConfig', () => {
  let folder: string
  let file: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'config-'))
    file = join(folder, 'settings.yaml')
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function load({ flags = [], env = {}, file: text }: Case) {
    if (text !== undefined) await writeFile(file, text)
    const named = text === undefined ? [] : ['--config', file]
    return loadConfig(parseCommandLine(['serve', ...flags, ...named]), env)
  }

  for (const { want, ...given } of accepted) {
    it(given.name, async () => {
      expect(await load(given)).to.deep.equal(serverOptions(want))
    })
  }

  for (const { want, ...given } of refused) {
    it(`refuses ${given.name}`, async () => {
      const error: unknown = await load(given).catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(UsageError)
      const problems = error instanceof UsageError ? error.problems : []
      expect(problems.map((problem) => problem.replaceAll(file, 'FILE'))).to.deep.equal(want)
    })
  }

  it('reads the file that the environment names', async () => {
    await writeFile(file, 'logLevel: debug')
    const options = await loadConfig(parseCommandLine(['serve']), { PLATFORM_CONFIG: file })
    expect(options.logLevel).to.equal('debug')
  })
})
