import { isObject } from '../../../../meta/json/isObject.ts'
import { fill } from '../../../fill.ts'
import type { Volume } from '../../shapes/coreV1.ts'
import { pullPolicyOf } from '../container/imagePullPolicy.ts'

type Fields = Record<string, unknown>

/** Defaults of decoding for each volume source, by its name. */
const sourceDefaults: Readonly<Record<string, Fields>> = {
  secret: { defaultMode: 0o644 },
  configMap: { defaultMode: 0o644 },
  downwardAPI: { defaultMode: 0o644 },
  projected: { defaultMode: 0o644 },
  iscsi: { iscsiInterface: 'default' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
}

/** Sets the defaults of a volume. Source: Kubernetes API reference, Volume v1; observed answers. */
export function setVolumeDefaults(volume: Volume): void {
  const sources = Object.keys(volume).filter((name) => name !== 'name')
  if (sources.length === 0) volume.emptyDir = {}
  setSourceDefaults(volume)
  const { downwardAPI, projected, ephemeral, image } = volume as Partial<Record<string, Fields>>
  for (const item of listIn(downwardAPI, 'items')) setFieldVersion(item)
  for (const source of listIn(projected, 'sources')) setProjectionDefaults(source)
  const spec = recordIn(recordIn(ephemeral, 'volumeClaimTemplate'), 'spec')
  if (spec !== undefined) spec['volumeMode'] ??= 'Filesystem'
  if (image !== undefined) fill(image, { pullPolicy: pullPolicyOf(textIn(image, 'reference')) })
}

/** Sets the defaults of every volume source of `holder`. Changes `holder`. */
export function setSourceDefaults(holder: Fields): void {
  for (const [name, defaults] of Object.entries(sourceDefaults)) {
    const source = recordIn(holder, name)
    if (source !== undefined) fill(source, defaults)
  }
  const disk = recordIn(holder, 'azureDisk')
  if (disk !== undefined) {
    disk['fsType'] ??= 'ext4'
    disk['readOnly'] ??= false
    disk['cachingMode'] ??= 'ReadWrite'
    disk['kind'] ??= 'Shared'
  }
  const hostPath = recordIn(holder, 'hostPath')
  if (hostPath !== undefined) hostPath['type'] ??= ''
}

function setProjectionDefaults(source: Fields): void {
  const token = recordIn(source, 'serviceAccountToken')
  if (token !== undefined) fill(token, { expirationSeconds: 3600 })
  for (const item of listIn(recordIn(source, 'downwardAPI'), 'items')) setFieldVersion(item)
}

function setFieldVersion(item: Fields): void {
  const field = recordIn(item, 'fieldRef')
  if (field !== undefined) fill(field, { apiVersion: 'v1' })
}

function recordIn(holder: unknown, name: string): Fields | undefined {
  const value: unknown = isObject(holder) ? holder[name] : undefined
  return isObject(value) ? value : undefined
}

function listIn(holder: unknown, name: string): Fields[] {
  const value: unknown = isObject(holder) ? holder[name] : undefined
  return Array.isArray(value) ? value.filter(isObject) : []
}

function textIn(holder: Fields, name: string): string {
  const value = holder[name]
  return typeof value === 'string' ? value : ''
}
