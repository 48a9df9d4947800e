import { asPod } from '../../apis/kubernetes/core/pod/podTypes.ts'
import type { ApiObject, GroupResource } from '../../meta/types.ts'
import {
  addQuantity,
  quantityOf,
  wholeQuantity,
  type ResourceQuantity,
  type ResourceQuantities,
} from '../resourceQuantities.ts'
import { podQuantities } from '../podQuantities.ts'

/** Usage of one object by quota resource name. Source: Kubernetes, "Resource Quotas". */
export function usageOf(kind: GroupResource, object: ApiObject): ResourceQuantities {
  const used = new Map<string, ResourceQuantity>([[countName(kind), wholeQuantity(1)]])
  if (kind.group !== '') return used
  if (kind.resource === 'pods') addPod(used, object)
  else if (kind.resource === 'services') addService(used, object)
  else if (kind.resource === 'persistentvolumeclaims') addClaim(used, object)
  else if (counted.includes(kind.resource)) used.set(kind.resource, wholeQuantity(1))
  return used
}

const counted = ['replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps']

/** Name of the object count quota of a kind. */
function countName({ group, resource }: GroupResource): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`
}

/** Kind of the objects that use a quota's resource. */
export function kindOfName(name: string): GroupResource {
  if (name.startsWith('count/')) {
    const [resource = '', ...group] = name.slice('count/'.length).split('.')
    return { group: group.join('.'), resource }
  }
  if (name === 'services' || name.startsWith('services.')) return core('services')
  if (counted.includes(name)) return core(name)
  const isOfClaims =
    name === 'persistentvolumeclaims' || name === 'requests.storage' || name.includes(ofClass)
  return core(isOfClaims ? 'persistentvolumeclaims' : 'pods')
}

const ofClass = '.storageclass.storage.k8s.io/'

function core(resource: string): GroupResource {
  return { group: '', resource }
}

/** Adds the usage of a pod; a terminated pod uses nothing. */
function addPod(used: Map<string, ResourceQuantity>, object: ApiObject): void {
  const { spec, status } = asPod({ ...object })
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return
  used.set('pods', wholeQuantity(1))
  addResources(used, podQuantities(spec, 'requests'), podQuantities(spec, 'limits'))
}

const bounded = ['cpu', 'memory', 'ephemeral-storage']

/** Adds requests and limits under their quota names. */
export function addResources(
  used: Map<string, ResourceQuantity>,
  requests: ResourceQuantities,
  limits: ResourceQuantities,
): void {
  for (const [name, quantity] of requests) {
    const isOwn = bounded.includes(name) || name.startsWith('hugepages-')
    if (isOwn) used.set(name, quantity)
    if (isOwn || name.includes('/')) used.set(`requests.${name}`, quantity)
  }
  for (const [name, quantity] of limits) {
    if (bounded.includes(name)) used.set(`limits.${name}`, quantity)
  }
}

function addService(used: Map<string, ResourceQuantity>, object: ApiObject): void {
  const { type, ports, allocateLoadBalancerNodePorts } = (object['spec'] ?? {}) as {
    type?: string
    ports?: { nodePort?: number }[]
    allocateLoadBalancerNodePorts?: boolean
  } // typed by its schema
  const count = ports?.length ?? 0
  const given = ports?.filter(({ nodePort = 0 }) => nodePort !== 0).length ?? 0
  const isBalanced = type === 'LoadBalancer'
  const nodePorts = isBalanced && allocateLoadBalancerNodePorts === false ? given : count
  used.set('services', wholeQuantity(1))
  used.set('services.nodeports', wholeQuantity(isBalanced || type === 'NodePort' ? nodePorts : 0))
  used.set('services.loadbalancers', wholeQuantity(isBalanced ? 1 : 0))
}

function addClaim(used: Map<string, ResourceQuantity>, object: ApiObject): void {
  const { storageClassName = '', resources } = (object['spec'] ?? {}) as {
    storageClassName?: string
    resources?: { requests?: { storage?: string } }
  } // typed by its schema
  const old = object.metadata.annotations?.['volume.beta.kubernetes.io/storage-class']
  const className = old ?? storageClassName
  const size = resources?.requests?.storage
  used.set('persistentvolumeclaims', wholeQuantity(1))
  if (className !== '') used.set(`${className}${ofClass}persistentvolumeclaims`, wholeQuantity(1))
  if (size === undefined) return
  used.set('requests.storage', quantityOf(size))
  if (className !== '') used.set(`${className}${ofClass}requests.storage`, quantityOf(size))
}

/** Change since `before`; negative if usage falls. */
export function difference(
  after: ResourceQuantities,
  before: ResourceQuantities,
): ResourceQuantities {
  const delta = new Map<string, ResourceQuantity>()
  for (const [name, { nanos, form }] of after) delta.set(name, { nanos, form })
  for (const [name, { nanos, form }] of before) {
    delta.set(name, addQuantity(delta.get(name), { nanos: -nanos, form }))
  }
  return new Map([...delta].filter(([, { nanos }]) => nanos !== 0n))
}
