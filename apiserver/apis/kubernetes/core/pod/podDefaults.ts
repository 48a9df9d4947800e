import type { ApiObject } from '../../../../meta/types.ts'
import { fill } from '../../../fill.ts'
import type { Container, PodSpec } from '../../shapes/coreV1.ts'
import { setContainerDefaults } from '../container/containerDefaults.ts'
import { setAddressDefaults } from './status/podAddresses.ts'
import { asPod } from './podTypes.ts'
import { setVolumeDefaults } from '../volume/volumeDefaults.ts'

/** Sets the defaults of decoding a pod. Source: Kubernetes API reference, PodSpec v1; observed answers. */
export function setPodDefaults(object: ApiObject): void {
  const { spec, status } = asPod(object)
  setAddressDefaults(status)
  // A negative grace period counts as one second.
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1
  for (const container of ownContainers(spec)) requestLimits(container)
  fill(spec, { enableServiceLinks: true })
  setPodSpecDefaults(spec)
  if (spec.hostNetwork === true) ownContainers(spec).forEach(useHostPorts)
}

/** Sets the defaults of a pod spec, including that of a workload's template. */
export function setPodSpecDefaults(spec: PodSpec): void {
  fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  })
  mirrorServiceAccount(spec)
  for (const container of allContainers(spec)) setContainerDefaults(container)
  for (const volume of spec.volumes ?? []) setVolumeDefaults(volume)
}

export function allContainers(spec: PodSpec): Container[] {
  const { initContainers = [], containers, ephemeralContainers = [] } = spec
  return [...initContainers, ...(containers ?? []), ...ephemeralContainers]
}

/** All containers of the spec except for ephemeral ones. */
function ownContainers({ initContainers = [], containers }: PodSpec): Container[] {
  return [...initContainers, ...(containers ?? [])]
}

/** Copies the account into `serviceAccount`, the deprecated name of the field. */
function mirrorServiceAccount(spec: PodSpec): void {
  const name = spec.serviceAccountName ?? spec.serviceAccount
  if (name !== undefined) Object.assign(spec, { serviceAccountName: name, serviceAccount: name })
}

/** Sets missing requests to the limits. */
function requestLimits({ resources }: Container): void {
  if (resources?.limits === undefined) return
  resources.requests = { ...resources.limits, ...resources.requests }
}

function useHostPorts({ ports = [] }: Container): void {
  for (const port of ports) {
    if (port.containerPort !== undefined) fill(port, { hostPort: port.containerPort })
  }
}
