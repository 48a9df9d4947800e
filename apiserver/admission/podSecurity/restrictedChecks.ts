import type { Container } from '../../apis/kubernetes/core/pod/podTypes.ts'
import {
  containerWords,
  plural,
  quoted,
  setterWords,
  unique,
  type CheckedPod,
  type PodCheck,
} from './podChecks.ts'

function isWindows({ spec }: CheckedPod): boolean {
  return spec.os?.name === 'windows'
}

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

const privilegeEscalation: PodCheck = (pod) => {
  if (isWindows(pod)) return undefined
  const bad = pod.containers.filter(
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  )
  if (bad.length === 0) return undefined
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containerWords(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  }
}

const capabilities: PodCheck = (pod) => {
  if (isWindows(pod)) return undefined
  const { containers } = pod
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
  if (spec.hostUsers === false) return undefined
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
  if (spec.hostUsers === false) return undefined
  const isPod = spec.securityContext?.runAsUser === 0
  const bad = containers.filter(({ securityContext }) => securityContext?.runAsUser === 0)
  if (!isPod && bad.length === 0) return undefined
  return { reason: 'runAsUser=0', detail: `${setterWords(isPod, bad)} must not set runAsUser=0` }
}

const seccompProfile: PodCheck = (pod) => {
  if (isWindows(pod)) return undefined
  const { spec, containers } = pod
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

/** The checks of the level restricted beside those of baseline that they do not replace. */
export const restrictedChecks: Readonly<Record<string, PodCheck>> = {
  allowPrivilegeEscalation: privilegeEscalation,
  capabilities_restricted: capabilities,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompProfile_restricted: seccompProfile,
}
