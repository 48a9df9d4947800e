import type { ApiObject } from '../../meta/types.ts'
import { fill } from '../fill.ts'
import { setContainerDefaults } from './containerDefaults.ts'
import { asPod, type Container, type PodSpec, type Volume } from './podTypes.ts'

/** What decoding a pod fills in. Source: Kubernetes API reference, PodSpec v1; observed answers. */
export function setPodDefaults(object: ApiObject): void {
  const { spec } = asPod(object)
  for (const container of allContainers(spec)) requestLimits(container)
  fill(spec, { enableServiceLinks: true })
  setPodSpecDefaults(spec)
}

/** What it fills in for the template of a workload too. */
export function setPodSpecDefaults(spec: PodSpec): void {
  fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  })
  mirrorServiceAccount(spec)
  for (const container of allContainers(spec)) {
    setContainerDefaults(container)
    if (spec.hostNetwork === true) useHostPorts(container)
  }
  for (const volume of spec.volumes ?? []) setVolumeDefaults(volume)
}

export function allContainers(spec: PodSpec): Container[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec
  return [...initContainers, ...containers, ...ephemeralContainers]
}

/** `serviceAccount` is the older name of the same field. */
function mirrorServiceAccount(spec: PodSpec): void {
  const name = spec.serviceAccountName ?? spec.serviceAccount
  if (name !== undefined) Object.assign(spec, { serviceAccountName: name, serviceAccount: name })
}

/** A limit without a request is what is requested. */
function requestLimits({ resources }: Container): void {
  if (resources?.limits === undefined) return
  resources.requests = { ...resources.limits, ...resources.requests }
}

function useHostPorts({ ports = [] }: Container): void {
  for (const port of ports) {
    if (port.containerPort !== undefined) fill(port, { hostPort: port.containerPort })
  }
}

const modes = ['secret', 'configMap', 'downwardAPI', 'projected']

function setVolumeDefaults(volume: Volume): void {
  const sources = Object.keys(volume).filter((name) => name !== 'name')
  if (sources.length === 0) volume['emptyDir'] = {}
  for (const mode of modes) {
    const source = volume[mode]
    if (isRecord(source)) fill(source, { defaultMode: 0o644 })
  }
  if (isRecord(volume['hostPath'])) volume['hostPath']['type'] ??= ''
  const projected = isRecord(volume['projected']) ? volume['projected']['sources'] : undefined
  for (const source of Array.isArray(projected) ? (projected as unknown[]) : []) {
    const token = isRecord(source) ? source['serviceAccountToken'] : undefined
    if (isRecord(token)) fill(token, { expirationSeconds: 3600 })
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
