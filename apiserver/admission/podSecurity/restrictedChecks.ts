import type { Container } from '../../apis/kubernetes/shapes/coreV1.ts'
import {
  containerWords,
  plural,
  quoted,
  setterWords,
  unique,
  type CheckedPod,
  type CheckVersion,
  type PodCheck,
} from './podChecks.ts'

/** A check that exempts Windows pods. */
const sparesWindows =
  (check: PodCheck): PodCheck =>
  (pod: CheckedPod) =>
    pod.spec.os?.name === 'windows' ? undefined : check(pod)

/** A check that exempts pods in user namespaces, whose users have no rights on the host. */
const sparesOwnUsers =
  (check: PodCheck): PodCheck =>
  (pod: CheckedPod) =>
    pod.spec.hostUsers === false ? undefined : check(pod)

const volumeTypes = [
  ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image'],
  ...['persistentVolumeClaim', 'projected', 'secret'],
]

const restrictedVolumes: PodCheck = ({ spec }) => {
  const typeOf = (volume: Record<string, unknown>) =>
    Object.keys(volume).find((key) => key !== 'name' && volume[key] !== undefined) ?? 'unknown'
  const bad = (spec.volumes ?? []).filter((volume) => !volumeTypes.includes(typeOf(volume)))
  if (bad.length === 0) return undefined
  const names = quoted(bad.map(({ name = '' }) => name))
  const types = unique(bad.map(typeOf))
  const uses = `${plural('uses', 'use', bad.length)} restricted volume ${plural('type', 'types', types.length)}`
  const detail = `${plural('volume', 'volumes', bad.length)} ${names} ${uses} ${quoted(types)}`
  return { reason: 'restricted volume types', detail }
}

const privilegeEscalation: PodCheck = ({ containers }) => {
  const bad = containers.filter(
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  )
  if (bad.length === 0) return undefined
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containerWords(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  }
}

const capabilities: PodCheck = ({ containers }) => {
  const isDropping = ({ securityContext }: Container) =>
    securityContext?.capabilities?.drop?.includes('ALL') === true
  const added = ({ securityContext }: Container) =>
    (securityContext?.capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE')
  const keeping = containers.filter((one) => !isDropping(one))
  const adding = containers.filter((one) => added(one).length > 0)
  if (keeping.length === 0 && adding.length === 0) return undefined
  const names = quoted(unique(adding.flatMap(added)))
  const words = [
    ...(keeping.length === 0
      ? []
      : [`${containerWords(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0
      ? []
      : [
          `${containerWords(adding)} must not include ${names} in securityContext.capabilities.add`,
        ]),
  ]
  return { reason: 'unrestricted capabilities', detail: words.join('; ') }
}

const runAsNonRoot: PodCheck = ({ spec, containers }) => {
  const own = spec.securityContext?.runAsNonRoot
  const valueOf = ({ securityContext }: Container) => securityContext?.runAsNonRoot
  const explicit = containers.filter((one) => valueOf(one) === false)
  const implicit = containers.filter((one) => valueOf(one) === undefined)
  const reason = 'runAsNonRoot != true'
  if (explicit.length > 0 || own === false) {
    const setter = setterWords(own === false, explicit)
    return { reason, detail: `${setter} must not set securityContext.runAsNonRoot=false` }
  }
  if (implicit.length === 0 || own === true) return undefined
  const detail = `pod or ${containerWords(implicit)} must set securityContext.runAsNonRoot=true`
  return { reason, detail }
}

const runAsUser: PodCheck = ({ spec, containers }) => {
  const isPod = spec.securityContext?.runAsUser === 0
  const bad = containers.filter(({ securityContext }) => securityContext?.runAsUser === 0)
  if (!isPod && bad.length === 0) return undefined
  return { reason: 'runAsUser=0', detail: `${setterWords(isPod, bad)} must not set runAsUser=0` }
}

const seccompProfile: PodCheck = ({ spec, containers }) => {
  const isGood = (type: string | undefined) => type === 'RuntimeDefault' || type === 'Localhost'
  const own = spec.securityContext?.seccompProfile?.type
  const typeOf = ({ securityContext }: Container) => securityContext?.seccompProfile?.type
  const explicit = containers.filter((one) => typeOf(one) !== undefined && !isGood(typeOf(one)))
  const implicit = containers.filter((one) => typeOf(one) === undefined)
  const isPod = own !== undefined && !isGood(own)
  const reason = 'seccompProfile'
  if (isPod || explicit.length > 0) {
    const types = [...(isPod ? [own] : []), ...explicit.map((one) => typeOf(one) ?? '')]
    const setter = setterWords(isPod, explicit)
    const names = quoted(unique(types))
    return {
      reason,
      detail: `${setter} must not set securityContext.seccompProfile.type to ${names}`,
    }
  }
  if (implicit.length === 0 || isGood(own)) return undefined
  const detail = `pod or ${containerWords(implicit)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`
  return { reason, detail }
}

/**
 * Checks of the level restricted, in addition to baseline checks that they do not replace.
 * Source: Kubernetes, "Pod Security Standards"; seen on kube-apiserver 1.37.2 with every version.
 */
export const restrictedChecks: Readonly<Record<string, readonly CheckVersion[]>> = {
  allowPrivilegeEscalation: [
    { since: 8, check: privilegeEscalation },
    { since: 25, check: sparesWindows(privilegeEscalation) },
  ],
  capabilities_restricted: [
    { since: 22, check: capabilities },
    { since: 25, check: sparesWindows(capabilities) },
  ],
  restrictedVolumes: [{ since: 0, check: restrictedVolumes }],
  runAsNonRoot: [
    { since: 0, check: runAsNonRoot },
    { since: 35, check: sparesOwnUsers(runAsNonRoot) },
  ],
  runAsUser: [
    { since: 23, check: runAsUser },
    { since: 35, check: sparesOwnUsers(runAsUser) },
  ],
  seccompProfile_restricted: [
    { since: 19, check: seccompProfile },
    { since: 25, check: sparesWindows(seccompProfile) },
  ],
}
