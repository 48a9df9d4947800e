import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Request of a recording with the response of kube-apiserver; a step without a name only prepares
 * others.
 */
export interface RecordedStep {
  name?: string
  want?: RecordedAnswer
  /** Path of the compared part of the object. */
  show?: string
  method: string
  path: string
  /** `{uid PATH}` in a string represents the UID of the object at a path. */
  body?: object
  headers?: Record<string, string>
}

export interface RecordedAnswer {
  status: number
  message?: string
  reason?: string
  object?: unknown
  warnings?: string[]
}

export interface Recording {
  file: string
  of: string
  /**
   * Plugins enabled on the management API in addition to the default ones, in the order of the
   * recording.
   */
  plugins?: readonly string[]
  /** True if plugins that are off by default take part. */
  isOptional?: true
}

/** Plugins of the recording of plugins. */
export const optionalPlugins: readonly string[] = [
  'AlwaysPullImages',
  'DenyServiceExternalIPs',
  'ExtendedResourceToleration',
  'LimitPodHardAntiAffinityTopology',
  'NamespaceExists',
  'OwnerReferencesPermissionEnforcement',
  'PodNodeSelector',
  'PodTolerationRestriction',
  'AlwaysAdmit',
]

/** Source: seen on kube-apiserver 1.37.2, with the same requests in the same order. */
export const recordings: readonly Recording[] = [
  { file: 'validate', of: 'webhook configurations as objects' },
  { file: 'psa', of: 'pod security' },
  { file: 'vap', of: 'validating policies' },
  { file: 'mapKinds', of: 'mutating policies as objects' },
  {
    file: 'plugins',
    of: 'plugins for pods, nodes, certificates and owners',
    isOptional: true,
    plugins: [
      ...optionalPlugins,
      'TaintNodesByCondition',
      'Priority',
      'DefaultTolerationSeconds',
      'PersistentVolumeClaimResize',
      'RuntimeClass',
      'PodTopologyLabels',
      'PodResizeValidator',
      'NodeDeclaredFeatureValidator',
    ],
  },
  { file: 'bindings', of: 'bindings and component statuses', plugins: [] },
  { file: 'podCertificates', of: 'requests for certificates of pods', plugins: [] },
  { file: 'requestsAndFlows', of: 'signing requests and flow control', plugins: [] },
  { file: 'kinds', of: 'devices, trust bundles and migrations', plugins: [] },
  // Recorded without service accounts, whose volumes have random names.
  { file: 'map', of: 'mutating policies', plugins: [] },
  { file: 'nodes', of: 'writes of nodes', plugins: ['NodeRestriction'] },
]

export const recordingsFolder = join(import.meta.dirname, '../../fixtures/admission')

export function readRecording(file: string): RecordedStep[] {
  return JSON.parse(readFileSync(join(recordingsFolder, `${file}.json`), 'utf8')) as RecordedStep[]
}

const reference = /\{uid ([^}]+)\}/g

/** Body with the UIDs of one server that it refers to. */
export async function bodyOf(
  { body }: RecordedStep,
  uidAt: (path: string) => Promise<string>,
): Promise<object | undefined> {
  if (body === undefined) return undefined
  let text = JSON.stringify(body)
  for (const [whole, path = ''] of text.matchAll(reference)) {
    text = text.replaceAll(whole, await uidAt(path))
  }
  return JSON.parse(text) as object
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const moment = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g

/** Message without the parts that differ between servers. */
export function shownMessage(message: unknown): unknown {
  return typeof message === 'string'
    ? message.replaceAll(uuid, '{uid}').replaceAll(moment, '{time}')
    : message
}

const changing = new Set([
  ...['uid', 'creationTimestamp', 'resourceVersion', 'managedFields', 'generation'],
])

/** Part of an object without the parts that differ between servers; null if it does not exist. */
export function shownPart(object: unknown, path: string): unknown {
  const names = path.split('.')
  const part = names.reduce<unknown>(
    (value, name) => (value as Record<string, unknown> | undefined)?.[name],
    object,
  )
  if (path !== 'metadata') return part ?? null
  return Object.fromEntries(Object.entries(part as object).filter(([name]) => !changing.has(name)))
}
