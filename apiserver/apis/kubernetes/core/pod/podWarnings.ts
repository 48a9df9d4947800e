import { goQuote } from '../../../../meta/goQuote.ts'
import { repeats } from '../../../../meta/repeats.ts'
import { containerWarnings, fractionWarnings } from '../container/containerWarnings.ts'
import type { Affinity, NodeSelectorTerm, PodSpec, PodTemplate } from './podTypes.ts'

/** What a pod's spec is told that is not wrong, and not what is meant either. `path` leads to it. Order as in the library.
 *  Source: observed answers. */
export function podWarnings(path: string, spec: PodSpec): string[] {
  const { hostAliases = [], imagePullSecrets = [], terminationGracePeriodSeconds: grace } = spec
  const isRepeat = repeats(hostAliases.map(({ ip = '' }) => ip))
  return [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap((key) =>
      labelWarnings(`${path}.nodeSelector[${key}]: `, key),
    ),
    ...nodeWarnings(`${path}.affinity.nodeAffinity`, spec.affinity?.nodeAffinity ?? {}),
    ...spreadWarnings(`${path}.topologySpreadConstraints`, spec),
    ...volumeWarnings(`${path}.volumes`, spec),
    ...hostAliases.flatMap(({ ip = '' }, index) =>
      isRepeat[index] === true
        ? [`${path}.hostAliases[${index}].ip: duplicate ip ${goQuote(ip)}`]
        : [],
    ),
    ...secretWarnings(`${path}.imagePullSecrets`, imagePullSecrets),
    ...containerWarnings(path, spec),
    ...fractionWarnings(`${path}.overhead`, spec.overhead),
    ...((grace ?? 0) < 0
      ? [
          `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...podTermWarnings(`${path}.affinity.podAffinity`, spec.affinity?.podAffinity ?? {}),
    ...podTermWarnings(`${path}.affinity.podAntiAffinity`, spec.affinity?.podAntiAffinity ?? {}),
  ]
}

/** The same, of what pods are made from; `path` leads to the template. */
export function templateWarnings(path: string, template: PodTemplate | undefined): string[] {
  return podWarnings(`${path}.spec`, template?.spec ?? {})
}

/** Labels of nodes that have other names now: since when, and which. */
const oldLabels: Readonly<Record<string, readonly [string, string]>> = {
  'beta.kubernetes.io/arch': ['v1.14', 'kubernetes.io/arch'],
  'beta.kubernetes.io/os': ['v1.14', 'kubernetes.io/os'],
  'failure-domain.beta.kubernetes.io/region': ['v1.17', 'topology.kubernetes.io/region'],
  'failure-domain.beta.kubernetes.io/zone': ['v1.17', 'topology.kubernetes.io/zone'],
  'beta.kubernetes.io/instance-type': ['v1.17', 'node.kubernetes.io/instance-type'],
}

function labelWarnings(prefix: string, key: string, verb = ''): string[] {
  if (!Object.hasOwn(oldLabels, key)) return []
  const [since = '', instead = ''] = oldLabels[key] ?? []
  return [`${prefix}${verb}deprecated since ${since}; use ${goQuote(instead)} instead`]
}

function nodeWarnings(path: string, affinity: NonNullable<Affinity['nodeAffinity']>): string[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } = {},
    preferredDuringSchedulingIgnoredDuringExecution: wished = [],
  } = affinity
  return [
    ...(nodeSelectorTerms ?? []).flatMap((term, index) =>
      termWarnings(
        `${path}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`,
        term,
      ),
    ),
    ...wished.flatMap(({ preference = {} }, index) =>
      termWarnings(
        `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`,
        preference,
      ),
    ),
  ]
}

function termWarnings(path: string, { matchExpressions = [] }: NodeSelectorTerm): string[] {
  return matchExpressions.flatMap(({ key = '' }, index) =>
    labelWarnings(`${path}.matchExpressions[${index}].key: `, key, `${key} is `),
  )
}

const nullText = 'labelSelector: a null labelSelector results in matching no pod'

function spreadWarnings(path: string, { topologySpreadConstraints = [] }: PodSpec): string[] {
  return topologySpreadConstraints.flatMap(({ topologyKey = '', labelSelector }, index) => [
    ...labelWarnings(`${path}[${index}].topologyKey: `, topologyKey, `${topologyKey} is `),
    ...(labelSelector === undefined ? [`${path}[${index}].${nullText}`] : []),
  ])
}

function podTermWarnings(path: string, terms: NonNullable<Affinity['podAffinity']>): string[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: needed = [],
    preferredDuringSchedulingIgnoredDuringExecution: wished = [],
  } = terms
  return [
    ...needed.flatMap(({ labelSelector }, index) =>
      labelSelector === undefined
        ? [`${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}].${nullText}`]
        : [],
    ),
    ...wished.flatMap(({ podAffinityTerm }, index) => {
      const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`
      return podAffinityTerm?.labelSelector === undefined
        ? [`${at}.podAffinityTerm.${nullText}`]
        : []
    }),
  ]
}

/** Sources of volumes that nothing serves any more, with the names that are told. */
const oldSources: Readonly<Record<string, readonly [string, string]>> = {
  gitRepo: ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  glusterfs: ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  scaleIO: ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  photonPersistentDisk: ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  flocker: ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  quobyte: ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  storageos: ['storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  cephfs: ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  rbd: ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
}

function volumeWarnings(path: string, { volumes = [] }: PodSpec): string[] {
  return volumes.flatMap((volume, index) =>
    Object.entries(oldSources)
      .filter(([source]) => volume[source] !== undefined)
      .map(([, [shown, why]]) => `${path}[${index}].${shown}: ${why}`),
  )
}

function secretWarnings(path: string, secrets: readonly { name?: string }[]): string[] {
  const isRepeat = repeats(secrets.map(({ name = '' }) => name))
  return secrets.flatMap(({ name = '' }, index) => {
    const at = `${path}[${index}].name`
    if (name === '') return [`${at}: invalid empty name ""`]
    return isRepeat[index] === true ? [`${at}: duplicate name ${goQuote(name)}`] : []
  })
}
