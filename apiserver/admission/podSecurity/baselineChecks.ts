import type { Container } from '../../apis/kubernetes/shapes/coreV1.ts'
import {
  containerWords,
  handlersOf,
  plural,
  quoted,
  setterWords,
  unique,
  type CheckVersion,
  type PodCheck,
} from './podChecks.ts'

const hostNamespaces: PodCheck = ({ spec }) => {
  const found = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((one) => spec[one] === true)
  if (found.length === 0) return undefined
  return { reason: 'host namespaces', detail: found.map((one) => `${one}=true`).join(', ') }
}

const privileged: PodCheck = ({ containers }) => {
  const bad = containers.filter(({ securityContext }) => securityContext?.privileged === true)
  if (bad.length === 0) return undefined
  const detail = `${containerWords(bad)} must not set securityContext.privileged=true`
  return { reason: 'privileged', detail }
}

const allowedCapabilities = [
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD'],
  ...['NET_BIND_SERVICE', 'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'],
]

const capabilities: PodCheck = ({ containers }) => {
  const added = (one: Container) =>
    (one.securityContext?.capabilities?.add ?? []).filter(
      (name) => !allowedCapabilities.includes(name),
    )
  const bad = containers.filter((one) => added(one).length > 0)
  if (bad.length === 0) return undefined
  const names = quoted(unique(bad.flatMap(added)))
  const detail = `${containerWords(bad)} must not include ${names} in securityContext.capabilities.add`
  return { reason: 'non-default capabilities', detail }
}

const hostPathVolumes: PodCheck = ({ spec }) => {
  const found = (spec.volumes ?? []).filter((volume) => volume.hostPath !== undefined)
  if (found.length === 0) return undefined
  const names = quoted(found.map(({ name = '' }) => name))
  const detail = `${plural('volume', 'volumes', found.length)} ${names}`
  return { reason: 'hostPath volumes', detail }
}

const hostPorts: PodCheck = ({ containers }) => {
  const portsOf = ({ ports = [] }: Container) =>
    ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]))
  const bad = containers.filter((one) => portsOf(one).length > 0)
  if (bad.length === 0) return undefined
  const ports = unique(bad.flatMap(portsOf))
  const uses = `${plural('uses', 'use', bad.length)} ${plural('hostPort', 'hostPorts', ports.length)}`
  return { reason: 'hostPort', detail: `${containerWords(bad)} ${uses} ${ports.join(', ')}` }
}

const probeHosts: PodCheck = ({ containers }) => {
  const hostsOf = (one: Container) =>
    handlersOf(one).flatMap(({ httpGet, tcpSocket }) => {
      const hosts = [httpGet, tcpSocket] as ({ host?: string } | undefined)[]
      return hosts.flatMap((handler) => ((handler?.host ?? '') === '' ? [] : [handler?.host ?? '']))
    })
  const bad = containers.filter((one) => hostsOf(one).length > 0)
  if (bad.length === 0) return undefined
  const hosts = unique(bad.flatMap(hostsOf))
  const uses = `${plural('uses', 'use', bad.length)} probe or lifecycle ${plural('host', 'hosts', hosts.length)}`
  return {
    reason: `probe or lifecycle host`,
    detail: `${containerWords(bad)} ${uses} ${quoted(hosts)}`,
  }
}

const oldAppArmor = 'container.apparmor.security.beta.kubernetes.io/'

const appArmor: PodCheck = ({ metadata, spec, containers }) => {
  const isBad = (type: string | undefined) =>
    type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost'
  const podType = spec.securityContext?.appArmorProfile?.type
  const bad = containers.filter((one) => isBad(one.securityContext?.appArmorProfile?.type))
  const marks = Object.entries(metadata.annotations ?? {}).filter(([name, value]) => {
    const isAllowed = value === '' || value === 'runtime/default' || value.startsWith('localhost/')
    return name.startsWith(oldAppArmor) && !isAllowed
  })
  const setters = [
    ...(isBad(podType) ? ['pod'] : []),
    ...(bad.length === 0 ? [] : [containerWords(bad)]),
    ...(marks.length === 0 ? [] : [plural('annotation', 'annotations', marks.length)]),
  ]
  if (setters.length === 0) return undefined
  const types = [podType, ...bad.map((one) => one.securityContext?.appArmorProfile?.type)]
  const forbidden = [
    ...unique(types.filter((type) => isBad(type)).map((type) => JSON.stringify(type))),
    ...marks.map(([name, value]) => `"${name}="${value}""`).sort(),
  ]
  return {
    reason: plural('forbidden AppArmor profile', 'forbidden AppArmor profiles', forbidden.length),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${forbidden.join(', ')}`,
  }
}

const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t']

const seLinuxOptions =
  (allowed: readonly string[]): PodCheck =>
  ({ spec, containers }) => {
    const own = spec.securityContext?.seLinuxOptions
    const bad = (options: { type?: string; user?: string; role?: string } | undefined) => [
      ...(allowed.includes(options?.type ?? '') ? [] : [`type ${JSON.stringify(options?.type)}`]),
      ...((options?.user ?? '') === '' ? [] : ['user may not be set']),
      ...((options?.role ?? '') === '' ? [] : ['role may not be set']),
    ]
    const found = containers.filter((one) => bad(one.securityContext?.seLinuxOptions).length > 0)
    const isPod = bad(own).length > 0
    if (!isPod && found.length === 0) return undefined
    const all = [own, ...found.map((one) => one.securityContext?.seLinuxOptions)].flatMap(bad)
    const types = unique(all.filter((one) => one.startsWith('type ')).map((one) => one.slice(5)))
    const rest = ['user may not be set', 'role may not be set'].filter((one) => all.includes(one))
    const words = [
      ...(types.length === 0
        ? []
        : [`${plural('type', 'types', types.length)} ${types.join(', ')}`]),
      ...rest,
    ]
    const detail = `${setterWords(isPod, found)} set forbidden securityContext.seLinuxOptions: ${words.join('; ')}`
    return { reason: 'seLinuxOptions', detail }
  }

/**
 * Check that exempts pods in a user namespace, in which an unmasked /proc reveals nothing about the
 * host.
 */
const procMountOfHost: PodCheck = (pod) =>
  pod.spec.hostUsers === false ? undefined : procMount(pod)

export const procMount: PodCheck = ({ containers }) => {
  const typeOf = ({ securityContext }: Container) => securityContext?.procMount ?? 'Default'
  const bad = containers.filter((one) => typeOf(one) !== 'Default')
  if (bad.length === 0) return undefined
  const types = quoted(unique(bad.map(typeOf)))
  const detail = `${containerWords(bad)} must not set securityContext.procMount to ${types}`
  return { reason: 'procMount', detail }
}

const seccompProfile: PodCheck = ({ spec, containers }) => {
  const isBad = (type: string | undefined) =>
    type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost'
  const podType = spec.securityContext?.seccompProfile?.type
  const bad = containers.filter((one) => isBad(one.securityContext?.seccompProfile?.type))
  if (!isBad(podType) && bad.length === 0) return undefined
  const types = [podType, ...bad.map((one) => one.securityContext?.seccompProfile?.type)]
  const names = quoted(unique(types.filter((type): type is string => isBad(type))))
  const setter = setterWords(isBad(podType), bad)
  const detail = `${setter} must not set securityContext.seccompProfile.type to ${names}`
  return { reason: 'seccompProfile', detail }
}

const safeSysctls = [
  ...['kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.tcp_syncookies'],
  ...['net.ipv4.ping_group_range', 'net.ipv4.ip_unprivileged_port_start'],
]
const safeSince27 = [...safeSysctls, 'net.ipv4.ip_local_reserved_ports']
const safeSince29 = [
  ...safeSince27,
  ...['net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout'],
  ...['net.ipv4.tcp_keepalive_intvl', 'net.ipv4.tcp_keepalive_probes'],
]
const safeSince32 = [...safeSince29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']

const sysctls =
  (safe: readonly string[]): PodCheck =>
  ({ spec }) => {
    const names = (spec.securityContext?.sysctls ?? []).map(({ name = '' }) => name)
    const found = names.filter((name) => !safe.includes(name))
    return found.length === 0
      ? undefined
      : { reason: 'forbidden sysctls', detail: found.join(', ') }
  }

const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod'
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/'

/** Seccomp profiles in annotations, which the fields replaced. */
const seccompAnnotations: PodCheck = ({ metadata, containers }) => {
  const names = containers.map(({ name = '' }) => containerSeccomp + name)
  const bad = [podSeccomp, ...names].flatMap((name) => {
    const value = metadata.annotations?.[name]
    const isAllowed =
      value === undefined ||
      ['runtime/default', 'docker/default'].includes(value) ||
      value.startsWith('localhost/')
    return isAllowed ? [] : [`${name}="${value}"`]
  })
  if (bad.length === 0) return undefined
  const detail = `forbidden ${plural('annotation', 'annotations', bad.length)} ${unique(bad).join(', ')}`
  return { reason: 'seccompProfile', detail }
}

const hostProcess: PodCheck = ({ spec, containers }) => {
  const isPod = spec.securityContext?.windowsOptions?.hostProcess === true
  const bad = containers.filter(
    ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true,
  )
  if (!isPod && bad.length === 0) return undefined
  const setter = setterWords(isPod, bad)
  const detail = `${setter} must not set securityContext.windowsOptions.hostProcess=true`
  return { reason: 'hostProcess', detail }
}

const always = (check: PodCheck): readonly CheckVersion[] => [{ since: 0, check }]

/**
 * Checks of the level baseline. Source: Kubernetes, "Pod Security Standards"; seen on kube-apiserver 1.37.2 with every
 * version.
 */
export const baselineChecks: Readonly<Record<string, readonly CheckVersion[]>> = {
  appArmorProfile: always(appArmor),
  capabilities_baseline: always(capabilities),
  hostNamespaces: always(hostNamespaces),
  hostPathVolumes: always(hostPathVolumes),
  hostPorts: always(hostPorts),
  hostProbesAndHostLifecycle: [{ since: 34, check: probeHosts }],
  privileged: always(privileged),
  procMount: [
    { since: 0, check: procMount },
    { since: 35, check: procMountOfHost },
  ],
  seLinuxOptions: [
    { since: 0, check: seLinuxOptions(seLinuxTypes) },
    { since: 31, check: seLinuxOptions([...seLinuxTypes, 'container_engine_t']) },
  ],
  seccompProfile_baseline: [
    { since: 0, check: seccompAnnotations },
    { since: 19, check: seccompProfile },
  ],
  sysctls: [
    { since: 0, check: sysctls(safeSysctls) },
    { since: 27, check: sysctls(safeSince27) },
    { since: 29, check: sysctls(safeSince29) },
    { since: 32, check: sysctls(safeSince32) },
  ],
  windowsHostProcess: always(hostProcess),
}
