import type { DelegationOptions } from '../../runtime/options/delegationOptions.ts'
import {
  serverOptions,
  type GivenServerOptions,
  type LogLevel,
  type ServerOptions,
} from '../../runtime/options/serverOptions.ts'
import type { FlagValues } from '../flags/kubeFlagValues.ts'
import { chosenPlugins } from './pluginNames.ts'

/** Location of the data: a folder, or a real etcd. */
export type DataPlace = { dataDir: string } | { etcdServers: readonly string[] }

/** Server options for the flags. */
export function serverSettings(values: FlagValues, place: DataPlace): ServerOptions {
  const { enable, disable } = chosenPlugins(
    values.list('enable-admission-plugins'),
    values.list('disable-admission-plugins'),
  )
  return serverOptions({
    ...storage(values, place),
    bindAddress: values.string('bind-address') ?? '0.0.0.0',
    securePort: values.number('secure-port'),
    tlsCertFile: values.string('tls-cert-file'),
    tlsPrivateKeyFile: values.string('tls-private-key-file'),
    encryptionProviderConfig: values.string('encryption-provider-config'),
    encryptionProviderConfigAutomaticReload: values.flag(
      'encryption-provider-config-automatic-reload',
    ),
    corsAllowedOrigins: values.list('cors-allowed-origins'),
    maxRequestsInflight: values.number('max-requests-inflight'),
    maxMutatingRequestsInflight: values.number('max-mutating-requests-inflight'),
    history: { retainSeconds: retainSeconds(values) },
    eventTtlSeconds: values.milliseconds('event-ttl') / 1000,
    enableAdmissionPlugins: enable,
    disableAdmissionPlugins: disable,
    admissionControlConfigFile: values.string('admission-control-config-file'),
    delegation: delegation(values),
    logLevel: logLevel(values.number('v')),
  })
}

function storage(values: FlagValues, place: DataPlace): GivenServerOptions {
  if ('dataDir' in place) return { storage: 'level', dataDir: place.dataDir }
  return {
    storage: 'etcd',
    etcd: {
      servers: place.etcdServers,
      // A real etcd may hold the objects of a real kube-apiserver, which are encoded differently.
      prefix: `${values.string('etcd-prefix') ?? ''}/platform-apiserver`,
      caFile: values.string('etcd-cafile'),
      certFile: values.string('etcd-certfile'),
      keyFile: values.string('etcd-keyfile'),
      compactionIntervalMs: values.milliseconds('etcd-compaction-interval'),
      healthcheckTimeoutMs: values.milliseconds('etcd-healthcheck-timeout'),
    },
  }
}

/** Maximum age in seconds of a history that is never compacted; only its size limits it further. */
const longestSeconds = 7 * 24 * 3600

/** Minimum age of the history that kube-apiserver's compaction keeps: one interval. */
function retainSeconds(values: FlagValues): number {
  const milliseconds = values.milliseconds('etcd-compaction-interval')
  return milliseconds === 0 ? longestSeconds : Math.max(1, milliseconds / 1000)
}

function delegation(values: FlagValues): Partial<DelegationOptions> {
  const headers = (name: string) => {
    const given = values.list(`requestheader-${name}`)
    return given.length > 0 ? given : undefined
  }
  return defined({
    clientCaFile: values.string('client-ca-file'),
    requestheaderClientCaFile: values.string('requestheader-client-ca-file'),
    proxyClientCertFile: values.string('proxy-client-cert-file'),
    proxyClientKeyFile: values.string('proxy-client-key-file'),
    requestheaderAllowedNames: headers('allowed-names'),
    requestheaderUsernameHeaders: headers('username-headers'),
    requestheaderUidHeaders: headers('uid-headers'),
    requestheaderGroupHeaders: headers('group-headers'),
    requestheaderExtraHeadersPrefix: headers('extra-headers-prefix'),
    authenticationKubeconfig: values.string('authentication-token-webhook-config-file'),
    authenticationSkipLookup: true,
    authenticationTokenTtlMs: values.milliseconds('authentication-token-webhook-cache-ttl'),
    authorizationKubeconfig: values.string('authorization-webhook-config-file'),
    authorizationAllowedTtlMs: values.milliseconds('authorization-webhook-cache-authorized-ttl'),
    authorizationDeniedTtlMs: values.milliseconds('authorization-webhook-cache-unauthorized-ttl'),
  })
}

/** Drops undefined members, so that defaults apply. */
function defined<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

function logLevel(verbosity: number): LogLevel {
  if (verbosity >= 6) return 'trace'
  return verbosity >= 2 ? 'debug' : 'info'
}
