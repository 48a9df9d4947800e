import {
  defaultServerOptions as defaults,
  logLevels,
  type ServedStorage,
} from '../../runtime/options/serverOptions.ts'
import { delegationSettings } from './delegationSettings.ts'
import { etcdSettings } from './etcdSettings.ts'
import { scheduleSettings } from './scheduleSettings.ts'
import { nameSettings } from './nameSettings.ts'
import { operationSettings } from './operationSettings.ts'
import { setting, type Setting } from './setting.ts'
import {
  accessKey,
  admissionPlugins,
  address,
  choice,
  controllerNames,
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

/** Setting for the settings file itself, the only setting not allowed in the file. */
export const configFileSetting = setting('config', {
  kind: filePath,
  notInFile: true,
  description:
    'YAML file of settings. Flags win over the environment, the environment over this file.',
  assign: () => undefined,
})

/** All settings, in the order of the help. */
export const settings: readonly Setting[] = [
  setting('dataDir', {
    kind: folderPath,
    default: defaults.dataDir,
    description:
      'Folder for all objects and certificates; created if it does not exist. With --storage memory there is no ' +
      'default, and only certificates are kept in it.',
    assign: (draft, value) => void (draft.dataDir = value),
  }),
  setting('storage', {
    kind: choice<ServedStorage>(['level', 'memory', 'etcd']),
    default: defaults.storage,
    description:
      'level: LevelDB in the data folder. memory: everything is lost when the process ends. etcd: the etcd of --etcd-servers.',
    assign: (draft, value) => void (draft.storage = value),
  }),
  setting('acceptDataLoss', {
    kind: onOrOff,
    description:
      'Start even if the data folder is damaged, with everything that can be read. Losses are logged, the damaged ' +
      'database is kept beside the new one, and revisions continue far above all earlier ones. Has no effect ' +
      'without damage.',
    assign: (draft, value) => void (draft.acceptDataLoss = value),
  }),
  setting('bindAddress', {
    kind: address,
    default: defaults.bindAddress,
    description: 'Address to serve HTTPS on; 0.0.0.0 or :: for all addresses of the machine.',
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
      'Port for plain HTTP, on 127.0.0.1 only; 0 for any free port; unset: disabled. kubectl sends no bearer token ' +
      'over plain HTTP and is anonymous there; curl and other clients can send one.',
    assign: (draft, value) => void (draft.insecurePort = value),
  }),
  setting('tlsCertFile', {
    kind: filePath,
    description:
      'PEM file of your own serving certificate, leaf first; reloaded within a minute when it changes. Unset: a ' +
      'certificate authority and a certificate are generated at the first start and renewed before they expire.',
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
      'Additional subject alternative names for the generated certificate, such as the name of the Service that ' +
      'clients use: platform.platform.svc.',
    assign: (draft, value) => void (draft.tlsSan = value),
  }),
  setting('kubeconfigOut', {
    kind: filePath,
    description:
      "File for the admin's kubeconfig, written at every start and readable only by its owner.",
    assign: (draft, value) => void (draft.kubeconfigOut = value),
  }),
  setting('adminAccessKey', {
    kind: accessKey,
    secret: true,
    description:
      'Access key of the user admin, valid while it is set; unset: a random key is generated and kept. Other users ' +
      'of the machine can see flags, so prefer the environment or the file.',
    assign: (draft, value) => void (draft.adminAccessKey = value),
  }),
  setting('adminPassword', {
    kind: secretText,
    secret: true,
    description:
      'Password of the user admin, or its SHA-256 in lower-case hex; set only if admin has no password yet. Other ' +
      'users of the machine can see flags, so prefer the environment or the file.',
    assign: (draft, value) => void (draft.adminPassword = value),
  }),
  setting('platformConfig', {
    kind: filePath,
    option: 'platformConfigFile',
    description:
      "YAML file of the platform's configuration: the fields of the status of Config. It is stored at the first " +
      'start and again whenever the file has changed; in between, changes made through the API stay in effect.',
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
      'Approximate maximum number of past revisions that stay readable, regardless of age; 0 for no limit.',
    assign: (draft, value) => void (draft.history.retainRevisions = value),
  }),
  setting('eventTtlSeconds', {
    kind: seconds,
    default: defaults.eventTtlSeconds,
    description:
      'How long to keep an event after its last write; 0 keeps events until they are deleted.',
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
      'Maximum number of concurrent read requests; further requests get 429. Watches do not count.',
    assign: (draft, value) => void (draft.maxRequestsInflight = value),
  }),
  setting('maxMutatingRequestsInflight', {
    kind: count,
    default: defaults.maxMutatingRequestsInflight,
    description: 'Maximum number of concurrent write requests; further requests get 429.',
    assign: (draft, value) => void (draft.maxMutatingRequestsInflight = value),
  }),
  setting('corsAllowedOrigins', {
    kind: patterns,
    description:
      'Origins from which pages in a browser may send requests and open websockets: regular expressions separated ' +
      'by commas, each matched against the whole origin. Unset: no CORS headers.',
    assign: (draft, value) => void (draft.corsAllowedOrigins = value),
  }),
  setting('enableAdmissionPlugins', {
    kind: admissionPlugins,
    description:
      'Additional admission plugins to enable, separated by commas. On the management API, plugins ' +
      'that prepare workloads for nodes are off by default. The order does not matter.',
    assign: (draft, value) => void (draft.enableAdmissionPlugins = value),
  }),
  setting('disableAdmissionPlugins', {
    kind: admissionPlugins,
    description: 'Default admission plugins to disable.',
    assign: (draft, value) => void (draft.disableAdmissionPlugins = value),
  }),
  setting('admissionControlConfigFile', {
    kind: filePath,
    description:
      'File of an AdmissionConfiguration, as for kube-apiserver, with the limits of EventRateLimit. Unset: none.',
    assign: (draft, value) => void (draft.admissionControlConfigFile = value),
  }),
  setting('console', {
    kind: onOrOff,
    default: String(defaults.console),
    description: 'Serve the web console at /console/ and redirect browsers there from /.',
    assign: (draft, value) => void (draft.console = value),
  }),
  setting('controllers', {
    kind: controllerNames,
    default: defaults.controllers.join(','),
    description:
      'Controllers of Kubernetes to run, in the management API and in clusters: names, * for all others, and -NAME to ' +
      'leave one out. Turn off those that a kube-controller-manager runs.',
    assign: (draft, value) => void (draft.controllers = value),
  }),
  setting('encryptionProviderConfig', {
    kind: filePath,
    description:
      'File of an EncryptionConfiguration, as for kube-apiserver: the kinds to encrypt in the storage and in backups, ' +
      'and the keys. Unset: nothing is encrypted.',
    assign: (draft, value) => void (draft.encryptionProviderConfig = value),
  }),
  setting('encryptionProviderConfigAutomaticReload', {
    kind: onOrOff,
    default: 'false',
    description: 'true: a changed --encryption-provider-config takes effect without a restart.',
    assign: (draft, value) => void (draft.encryptionProviderConfigAutomaticReload = value),
  }),
  setting('trustedProxies', {
    kind: networks,
    description:
      'Proxies whose X-Forwarded-For, -Host and -Proto headers are trusted: IP addresses and networks such as ' +
      '10.0.0.0/8, separated by commas. These headers are ignored from other senders.',
    assign: (draft, value) => void (draft.trustedProxies = value),
  }),
  setting('shutdownGraceSeconds', {
    kind: seconds,
    default: defaults.shutdownGraceSeconds,
    description:
      'Time for running requests to finish after SIGTERM or SIGINT; 0 ends them at once.',
    assign: (draft, value) => void (draft.shutdownGraceSeconds = value),
  }),
  setting('logLevel', {
    kind: choice(logLevels),
    default: defaults.logLevel,
    description: 'Lowest severity of log lines to write. Logs go to standard error.',
    assign: (draft, value) => void (draft.logLevel = value),
  }),
  ...operationSettings,
  ...scheduleSettings,
  ...etcdSettings,
  ...delegationSettings,
  ...nameSettings,
]
