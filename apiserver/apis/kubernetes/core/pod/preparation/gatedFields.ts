import { isObject } from '../../../../../meta/json/isObject.ts'
import type { PodSpec } from '../podTypes.ts'

type Path = readonly string[]

const containerLists = ['initContainers', 'containers', 'ephemeralContainers']
const probes = ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle.*']
const ofContainers = [
  'volumeMounts.*.bindMountOptions',
  'lifecycle.stopSignal',
  ...probes.flatMap((probe) => [`${probe}.httpGet.protocol`, `${probe}.grpc.mode`]),
]
const keyed = ['configMap', 'secret', 'downwardAPI']
const sources = ['serviceAccountToken', 'clusterTrustBundle', 'podCertificate']
const ofVolumes = [
  'emptyDir.mode',
  'projected.defaultUser',
  ...keyed.flatMap((source) => [
    `${source}.defaultUser`,
    `${source}.items.*.user`,
    `projected.sources.*.${source}.items.*.user`,
  ]),
  ...sources.map((source) => `projected.sources.*.${source}.user`),
]

const gated: readonly Path[] = [
  'evictionResponders',
  'schedulingGroup',
  ...containerLists.flatMap((list) => ofContainers.map((field) => `${list}.*.${field}`)),
  ...ofVolumes.map((field) => `volumes.*.${field}`),
].map((path) => path.split('.'))

/** Drops the fields of a pod that stand behind gates that are closed by default. Changes `spec`.
 *  Source: seen on kube-apiserver 1.37.2. */
export function dropGatedFields(spec: PodSpec): void {
  for (const path of gated) drop(spec, path, 0)
}

function drop(holder: unknown, path: Path, at: number): void {
  if (!isObject(holder) && !Array.isArray(holder)) return
  const name = path[at] ?? ''
  if (name === '*') {
    for (const member of Object.values(holder)) drop(member, path, at + 1)
    return
  }
  const value: unknown = Reflect.get(holder, name)
  if (value === undefined) return
  if (at === path.length - 1) Reflect.deleteProperty(holder, name)
  // Hooks without any hook left are none.
  else if (isObject(value) && path[at + 1] === 'stopSignal') dropLast(holder, name, value)
  else drop(value, path, at + 1)
}

function dropLast(holder: object, name: string, hooks: Record<string, unknown>): void {
  if (hooks['stopSignal'] === undefined) return
  Reflect.deleteProperty(hooks, 'stopSignal')
  if (Object.keys(hooks).length === 0) Reflect.deleteProperty(holder, name)
}
