import { parseRange } from '../../meta/ipAddress.ts'
import { enabledControllers, isControllerWord } from '../../runtime/options/clusterControllers.ts'
import type { ClusterController } from '../../runtime/options/clusterControllers.ts'
import { StartError } from '../../runtime/startError.ts'
import type { FlagValues } from '../flags/kubeFlagValues.ts'
import { emulatedMinor } from './emulatedMinor.ts'
import { isPluginName } from './pluginNames.ts'

/** Environment variable with the controllers to run, as in kube-controller-manager's `--controllers`. */
const controllersVariable = 'PLATFORM_ENVTEST_CONTROLLERS'

const modes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node']
const servedModes = ['AlwaysAllow', 'RBAC', 'Webhook', 'Node']

/** Settings of the server of one cluster besides `ServerOptions`. */
export interface KubeSettings {
  etcdServers: readonly string[]
  certDir: string
  /** Authorization modes in order, at least one. */
  authorizationModes: readonly string[]
  isAnonymousAllowed: boolean
  tokenAuthFile: string | undefined
  /** Issuers; the first one issues, tokens of all are accepted. */
  issuers: readonly string[]
  /** Audiences; default: the issuers. */
  audiences: readonly string[]
  keyFiles: readonly string[]
  signingKeyFile: string
  advertiseAddress: string | undefined
  /** Range of IPv4 addresses. */
  serviceRanges: readonly string[]
  audit: { logPath: string | undefined; policyFile: string | undefined }
  controllers: ReadonlySet<ClusterController>
  /** Emulated minor version of Kubernetes. */
  emulatedMinor: number
}

/** Reads the settings. @throws StartError with all problems, in the real program's wording. */
export function kubeSettings(
  values: FlagValues,
  env: Readonly<Record<string, string | undefined>>,
): KubeSettings {
  const problems = [...requiredProblems(values), ...valueProblems(values)]
  const [first] = problems
  if (first !== undefined) {
    throw new StartError(problems.length === 1 ? first : `[${problems.join(', ')}]`)
  }
  const authorizationModes = modesOf(values)
  const issuers = values.all('service-account-issuer')
  const audiences = values.list('api-audiences')
  return {
    etcdServers: values.list('etcd-servers'),
    certDir: values.string('cert-dir') ?? '.',
    authorizationModes,
    isAnonymousAllowed:
      values.flag('anonymous-auth') && !authorizationModes.includes('AlwaysAllow'),
    tokenAuthFile: values.string('token-auth-file'),
    issuers,
    audiences: audiences.length > 0 ? audiences : issuers,
    keyFiles: values.all('service-account-key-file'),
    // Sound: required.
    signingKeyFile: values.string('service-account-signing-key-file') ?? '',
    advertiseAddress: values.string('advertise-address'),
    serviceRanges: serviceRangesOf(values),
    audit: {
      logPath: values.string('audit-log-path'),
      policyFile: values.string('audit-policy-file'),
    },
    controllers: controllersOf(env),
    emulatedMinor: emulatedMinor(values.list('emulated-version')).minor,
  }
}

function modesOf(values: FlagValues): string[] {
  const given = values.list('authorization-mode')
  return given.length > 0 ? given : ['AlwaysAllow']
}

function requiredProblems(values: FlagValues): string[] {
  const issuer = values.isGiven('service-account-issuer')
  const key = values.isGiven('service-account-key-file')
  const signing = values.isGiven('service-account-signing-key-file')
  return [
    ...(values.isGiven('etcd-servers') ? [] : ['--etcd-servers must be specified']),
    ...(issuer ? [] : ['service-account-issuer is a required flag']),
    ...(key
      ? []
      : [
          'either `--service-account-key-file` or `--service-account-signing-endpoint` must be set',
        ]),
    ...(issuer && signing
      ? []
      : ['--service-account-signing-key-file and --service-account-issuer are required flags']),
  ]
}

function valueProblems(values: FlagValues): string[] {
  const ranges = serviceRangesOf(values)
  const port = values.number('secure-port')
  const gates = values.list('feature-gates').filter((gate) => !gate.includes('='))
  return [
    ...emulatedMinor(values.list('emulated-version')).problems,
    ...ranges.flatMap((range, index) => rangeProblems(range, index)),
    ...modesOf(values).flatMap(modeProblems),
    ...['enable-admission-plugins', 'disable-admission-plugins'].flatMap((flag) =>
      values
        .list(flag)
        .filter((name) => !isPluginName(name))
        .map((name) => `${flag} plugin "${name}" is unknown`),
    ),
    ...(port < 1 || port > 65535
      ? [
          `--secure-port ${port} must be between 1 and 65535, inclusive. It cannot be turned off with 0`,
        ]
      : []),
    ...gates.map((gate) => `missing bool value for ${gate}`),
  ]
}

function serviceRangesOf(values: FlagValues): string[] {
  return (values.string('service-cluster-ip-range') ?? '').split(',')
}

function rangeProblems(text: string, index: number): string[] {
  const range = parseRange(text)
  if (range === undefined) return [`service-cluster-ip-range[${index}] is not a valid cidr`]
  const isFirstOfSix = index === 0 && range.address.width === 128
  return isFirstOfSix ? ['service-cluster-ip-range: IPv6 alone is not supported here'] : []
}

function modeProblems(mode: string): string[] {
  if (!modes.includes(mode)) return [`authorization-mode "${mode}" is not a valid mode`]
  return servedModes.includes(mode) ? [] : [`authorization-mode ${mode} is not supported here`]
}

function controllersOf(
  env: Readonly<Record<string, string | undefined>>,
): ReadonlySet<ClusterController> {
  const words = (env[controllersVariable] ?? '').split(',').filter((word) => word !== '')
  const unknown = words.find((word) => !isControllerWord(word))
  if (unknown !== undefined) {
    throw new StartError(
      `${controllersVariable}: there is no controller ${JSON.stringify(unknown)}`,
    )
  }
  return enabledControllers(words)
}
