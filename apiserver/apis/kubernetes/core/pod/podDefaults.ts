import type { ApiObject } from '../../../../meta/types.ts'
import { fill } from '../../../fill.ts'
import { setContainerDefaults } from '../container/containerDefaults.ts'
import { asPod, type Container, type PodSpec } from './podTypes.ts'
import { setVolumeDefaults } from '../volume/volumeDefaults.ts'

/** What decoding a pod fills in. Source: Kubernetes API reference, PodSpec v1; observed answers. */
export function setPodDefaults(object: ApiObject): void {
  const { spec } = asPod(object)
  for (const container of allContainers(spec)) requestLimits(container)
  requestPodLimits(spec)
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
  const { initContainers = [], containers, ephemeralContainers = [] } = spec
  return [...initContainers, ...(containers ?? []), ...ephemeralContainers]
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

function isOfPods(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')
}

/** What is said for the whole pod: what its containers ask for together, or else the limit. */
function requestPodLimits({ resources, containers, initContainers = [] }: PodSpec): void {
  if (resources?.limits === undefined) return
  const all = [...(containers ?? []), ...initContainers]
  const isAsked = (name: string) => all.some(({ resources: own }) => own?.requests?.[name])
  const missing = Object.entries(resources.limits).filter(
    ([name]) => isOfPods(name) && !isAsked(name),
  )
  resources.requests = { ...Object.fromEntries(missing), ...resources.requests }
}

function useHostPorts({ ports = [] }: Container): void {
  for (const port of ports) {
    if (port.containerPort !== undefined) fill(port, { hostPort: port.containerPort })
  }
}
