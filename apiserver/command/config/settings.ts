import {
  defaultServerOptions as defaults,
  logLevels,
  type ServedStorage,
} from '../../runtime/serverOptions.ts'
import { delegationSettings } from './delegationSettings.ts'
import { etcdSettings } from './etcdSettings.ts'
import { nameSettings } from './nameSettings.ts'
import { setting, type Setting } from './setting.ts'
import {
  accessKey,
  address,
  choice,
  count,
  filePath,
  folderPath,
  hosts,
  networks,
  onOrOff,
  patterns,
  port,
  seconds,
  secretText,
} from './valueKinds.ts'

/** The settings file itself; it alone cannot stand in the file. */
export const configFileSetting = setting('config', {
  kind: filePath,
  notInFile: true,
  description:
    'YAML file of settings. Flags win over the environment, the environment over this file.',
  assign: () => undefined,
})

/** Every setting, in the order the help shows them. */
export const settings: readonly Setting[] = [
  setting('dataDir', {
    kind: folderPath,
    default: defaults.dataDir,
    description:
      'Folder of all objects and of the certificates, made when absent. With --storage memory it has no default, ' +
      'and keeps the certificates alone when it is given.',
    assign: (draft, value) => void (draft.dataDir = value),
  }),
  setting('storage', {
    kind: choice<ServedStorage>(['level', 'memory', 'etcd']),
    default: defaults.storage,
    description:
      'level: LevelDB in the data folder. memory: everything is lost at the end. etcd: in the etcd of --etcd-servers.',
    assign: (draft, value) => void (draft.storage = value),
  }),
  setting('acceptDataLoss', {
    kind: onOrOff,
    description:
      'Start even if the data folder is damaged, with what can be read of it. What is lost is logged, the damaged database ' +
      'is kept beside the new one, and revisions go on far above all that were served. Without damage it does nothing.',
    assign: (draft, value) => void (draft.acceptDataLoss = value),
  }),
  setting('bindAddress', {
    kind: address,
    default: defaults.bindAddress,
    description: 'Address to serve HTTPS on; 0.0.0.0 or :: for every address of the machine.',
    assign: (draft, value) => void (draft.bindAddress = value),
  }),
  setting('securePort', {
    kind: port,
    default: defaults.securePort,
    description: 'Port to serve HTTPS on; 0 for any free port.',
    assign: (draft, value) => void (draft.securePort = value),
  }),
  setting('insecurePort', {
    kind: port,
    description:
      'Port to serve plain HTTP on too, on 127.0.0.1 only; 0 for any free port, not given for none. kubectl sends no ' +
      'bearer token over plain HTTP, so it is anonymous there; curl and other clients can send one.',
    assign: (draft, value) => void (draft.insecurePort = value),
  }),
  setting('tlsCertFile', {
    kind: filePath,
    description:
      'PEM file of an own serving certificate, leaf first, read again within a minute when it changes. Without it a ' +
      'certificate authority and a certificate are made at the first start and renewed in time.',
    assign: (draft, value) => void (draft.tlsCertFile = value),
  }),
  setting('tlsPrivateKeyFile', {
    kind: filePath,
    description: 'PEM file of the private key of --tls-cert-file.',
    assign: (draft, value) => void (draft.tlsPrivateKeyFile = value),
  }),
  setting('tlsSan', {
    kind: hosts,
    description:
      'More names and addresses that the certificate made here holds for: the name of a Service that clients call the ' +
      'server by, as platform.platform.svc.',
    assign: (draft, value) => void (draft.tlsSan = value),
  }),
  setting('kubeconfigOut', {
    kind: filePath,
    description:
      "File to write the admin's kubeconfig to at every start, readable by its owner alone.",
    assign: (draft, value) => void (draft.kubeconfigOut = value),
  }),
  setting('adminAccessKey', {
    kind: accessKey,
    secret: true,
    description:
      'Access key of the user admin, usable as long as it is given; not given: a random one is made and kept. Other users of the ' +
      'machine can see flags, so prefer the environment or the file.',
    assign: (draft, value) => void (draft.adminAccessKey = value),
  }),
  setting('adminPassword', {
    kind: secretText,
    secret: true,
    description:
      'Password of the user admin, or its SHA-256 in lower-case hex; stored where admin has none. Other users of the ' +
      'machine can see flags, so prefer the environment or the file.',
    assign: (draft, value) => void (draft.adminPassword = value),
  }),
  setting('platformConfig', {
    kind: filePath,
    option: 'platformConfigFile',
    description:
      "YAML file of the platform's configuration, the fields of the status of Config. It is stored at the first start, " +
      'and again when the file has changed since; between that, what is set through the API holds.',
    assign: (draft, value) => void (draft.platformConfigFile = value),
  }),
  setting('history.retainSeconds', {
    kind: seconds,
    default: defaults.history.retainSeconds,
    description:
      'How long a past revision stays readable for watches, continue tokens and reads at a revision.',
    assign: (draft, value) => void (draft.history.retainSeconds = value),
  }),
  setting('history.retainRevisions', {
    kind: count,
    default: defaults.history.retainRevisions,
    description:
      'At most about this many past revisions stay readable, even young ones; 0 for no bound.',
    assign: (draft, value) => void (draft.history.retainRevisions = value),
  }),
  setting('eventTtlSeconds', {
    kind: seconds,
    default: defaults.eventTtlSeconds,
    description:
      'How long an event stays after its last write; 0 keeps events until somebody deletes them.',
    assign: (draft, value) => void (draft.eventTtlSeconds = value),
  }),
  setting('maxObjectBytes', {
    kind: count,
    default: defaults.maxObjectBytes,
    description: 'Maximum size of a stored object in bytes; larger writes are refused.',
    assign: (draft, value) => void (draft.maxObjectBytes = value),
  }),
  setting('maxAccessKeys', {
    kind: count,
    default: defaults.maxAccessKeys,
    description:
      'Maximum number of access keys per user and per team, not counting those of logins; 0 for no limit. Superusers ' +
      'can create more.',
    assign: (draft, value) => void (draft.maxAccessKeys = value),
  }),
  setting('maxRequestsInflight', {
    kind: count,
    default: defaults.maxRequestsInflight,
    description:
      'Requests that only read and may run at once; more are answered 429. Watches do not count.',
    assign: (draft, value) => void (draft.maxRequestsInflight = value),
  }),
  setting('maxMutatingRequestsInflight', {
    kind: count,
    default: defaults.maxMutatingRequestsInflight,
    description: 'Requests that may change something and may run at once; more are answered 429.',
    assign: (draft, value) => void (draft.maxMutatingRequestsInflight = value),
  }),
  setting('corsAllowedOrigins', {
    kind: patterns,
    description:
      'Origins that pages in a browser may call from, and open websockets from: regular expressions with commas ' +
      'between them, each for a whole origin. Not given: no CORS headers.',
    assign: (draft, value) => void (draft.corsAllowedOrigins = value),
  }),
  setting('trustedProxies', {
    kind: networks,
    description:
      'Proxies in front of this server, which are believed whom they forward for: IP addresses and networks as ' +
      '10.0.0.0/8, with commas between them. X-Forwarded-For, -Host and -Proto of anybody else are ignored.',
    assign: (draft, value) => void (draft.trustedProxies = value),
  }),
  setting('shutdownGraceSeconds', {
    kind: seconds,
    default: defaults.shutdownGraceSeconds,
    description:
      'How long running requests may go on after SIGTERM or SIGINT; 0 cuts them off at once.',
    assign: (draft, value) => void (draft.shutdownGraceSeconds = value),
  }),
  setting('logLevel', {
    kind: choice(logLevels),
    default: defaults.logLevel,
    description: 'The least severe log lines to write. Logs are JSON lines on standard error.',
    assign: (draft, value) => void (draft.logLevel = value),
  }),
  ...etcdSettings,
  ...delegationSettings,
  ...nameSettings,
]
