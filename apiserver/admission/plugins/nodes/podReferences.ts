import type { Container, PodSpec } from '../../../apis/kubernetes/shapes/coreV1.ts'
import { isObject } from '../../../meta/json/isObject.ts'

type Source = Record<string, unknown>

/** Fields of volume sources that hold a reference to a secret. */
const secretRefs: Readonly<Record<string, string>> = {
  ...{ cephfs: 'secretRef', cinder: 'secretRef', flexVolume: 'secretRef', rbd: 'secretRef' },
  ...{ scaleIO: 'secretRef', iscsi: 'secretRef', storageos: 'secretRef' },
  csi: 'nodePublishSecretRef',
}

/** Volumes that refer to another object, as named in messages. */
const volumeWords: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via configmap volumes)',
  secret: 'secrets (via secret volumes)',
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
  azureFile: 'secrets (via azureFile volumes)',
}

const projectedWords: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via projected volumes)',
  secret: 'secrets (via projected volumes)',
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
}

/**
 * First kind of object that a pod refers to, as named in messages; undefined: none.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function referredKind(spec: PodSpec): string | undefined {
  const { volumes = [] } = spec
  if ((spec.serviceAccountName ?? '') !== '') return 'serviceaccounts'
  if (namesSecret(spec)) return 'secrets'
  if (containersOf(spec).some(namesConfigMap) || volumes.some(holdsConfigMap)) return 'configmaps'
  if ((spec.resourceClaims ?? []).length > 0) return 'resourceclaims'
  return volumes.map(wordOfVolume).find((word) => word !== undefined)
}

function wordOfVolume(volume: Source): string | undefined {
  const [, word] = Object.entries(volumeWords).find(([name]) => volume[name] !== undefined) ?? []
  if (word !== undefined) return word
  const words = projectedSources(volume).map((source) => {
    const [, found] = Object.entries(projectedWords).find(([name]) => name in source) ?? []
    return found
  })
  return words.find((found) => found !== undefined)
}

function containersOf({ initContainers, containers, ephemeralContainers }: PodSpec): Container[] {
  return [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])]
}

function namesSecret(spec: PodSpec): boolean {
  return (
    (spec.imagePullSecrets ?? []).some(hasName) ||
    containersOf(spec).some(
      ({ env = [], envFrom = [] }) =>
        envFrom.some(({ secretRef }) => hasName(secretRef)) ||
        env.some(({ valueFrom }) => hasName(valueFrom?.secretKeyRef)),
    ) ||
    (spec.volumes ?? []).some(holdsSecret)
  )
}

function namesConfigMap({ env = [], envFrom = [] }: Container): boolean {
  return (
    envFrom.some(({ configMapRef }) => hasName(configMapRef)) ||
    env.some(({ valueFrom }) => hasName(valueFrom?.configMapKeyRef))
  )
}

function holdsSecret(volume: Source): boolean {
  const direct = [sourceOf(volume, 'azureFile'), sourceOf(volume, 'secret')]
  return (
    direct.some((source) => (source['secretName'] ?? '') !== '') ||
    Object.entries(secretRefs).some(([name, field]) => hasName(sourceOf(volume, name)[field])) ||
    projectedSources(volume).some((source) => hasName(source['secret']))
  )
}

function holdsConfigMap(volume: Source): boolean {
  return (
    hasName(volume['configMap']) ||
    projectedSources(volume).some((source) => hasName(source['configMap']))
  )
}

function projectedSources(volume: Source): Source[] {
  const { sources } = sourceOf(volume, 'projected')
  return Array.isArray(sources) ? sources.filter(isObject) : []
}

function sourceOf(volume: Source, name: string): Source {
  const source = volume[name]
  return isObject(source) ? source : {}
}

function hasName(reference: unknown): boolean {
  return isObject(reference) && (reference['name'] ?? '') !== ''
}
