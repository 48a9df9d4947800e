import type {
  Affinity,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodSpec,
  PodTemplateSpec,
} from '../../shapes/coreV1.ts'
import { deprecatedLabelWarning } from '../node/deprecatedLabels.ts'
import { goQuote } from '../../../../meta/goQuote.ts'
import { labelErrors, labelValueErrors } from '../../../../meta/names/nameValidation.ts'
import { repeats } from '../../../../meta/collections/repeats.ts'
import { containerWarnings, fractionWarnings } from '../container/containerWarnings.ts'
import { overlapWarnings } from '../volume/overlappingPaths.ts'
import { volumeWarnings } from '../volume/podVolumeWarnings.ts'
import type { Pod } from './podTypes.ts'

/**
 * Warnings about valid but questionable specs and annotations. `prefix` leads to the template, with
 * a dot, and is empty for a pod itself. Warnings are in kube-apiserver's order.
 * Source: seen on kube-apiserver 1.37.2.
 */
function podWarnings(prefix: string, spec: PodSpec, annotations: Annotations): string[] {
  const path = `${prefix}spec`
  const { imagePullSecrets = [], terminationGracePeriodSeconds: grace = 0 } = spec
  return [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap((key) =>
      labelWarnings(`${path}.nodeSelector[${key}]: `, key),
    ),
    ...nodeWarnings(`${path}.affinity.nodeAffinity`, spec.affinity?.nodeAffinity ?? {}),
    ...spreadWarnings(`${path}.topologySpreadConstraints`, spec),
    ...annotationWarnings(`${prefix}metadata.annotations`, annotations),
    ...volumeWarnings(`${path}.volumes`, spec.volumes ?? []),
    ...overlapWarnings(spec.volumes ?? []),
    ...aliasWarnings(`${path}.hostAliases`, spec),
    ...secretWarnings(`${path}.imagePullSecrets`, imagePullSecrets),
    ...fractionWarnings(`${path}.overhead`, spec.overhead),
    ...containerWarnings(prefix, spec, annotations),
    ...(grace < 0 ? [`${path}.terminationGracePeriodSeconds: ${negativeText}`] : []),
    ...(['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) =>
      podTermWarnings(`${path}.affinity.${kind}`, spec.affinity?.[kind] ?? {}),
    ),
  ]
}

const negativeText = 'must be >= 0; negative values are invalid and will be treated as 1'

/** Warnings about a new pod, whose name becomes the host name. */
export function newPodWarnings({ metadata, spec }: Pod): string[] {
  const problems = labelErrors(metadata.name ?? '')
  const nameText =
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended:"
  return [
    ...(problems.length === 0 ? [] : [`${nameText} [${problems.join(' ')}]`]),
    ...podWarnings('', spec, metadata.annotations ?? {}),
  ]
}

/** Warnings about a pod template; `path` leads to it. */
export function templateWarnings(path: string, template: PodTemplateSpec | undefined): string[] {
  return podWarnings(`${path}.`, template?.spec ?? {}, template?.metadata?.annotations ?? {})
}

type Annotations = Readonly<Record<string, string>>

/** Warning about each deprecated annotation, by name. */
const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod':
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
}

function annotationWarnings(path: string, annotations: Annotations): string[] {
  return Object.entries(oldAnnotations)
    .filter(([key]) => Object.hasOwn(annotations, key))
    .map(([key, why]) => `${path}[${key}]: ${why}`)
}

function aliasWarnings(path: string, { hostAliases = [] }: PodSpec): string[] {
  const isRepeat = repeats(hostAliases.map(({ ip = '' }) => ip))
  return hostAliases.flatMap(({ ip = '' }, index) =>
    isRepeat[index] === true ? [`${path}[${index}].ip: duplicate ip ${goQuote(ip)}`] : [],
  )
}

function labelWarnings(prefix: string, key: string, verb = ''): string[] {
  const text = deprecatedLabelWarning(key)
  return text === undefined ? [] : [`${prefix}${verb}${text}`]
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
        valueWarnings,
      ),
    ),
  ]
}

/** Warnings about selector terms. `more`: additional warnings about each expression. */
function termWarnings(
  path: string,
  { matchExpressions = [] }: NodeSelectorTerm,
  more: (path: string, test: NodeSelectorRequirement) => string[] = () => [],
): string[] {
  return matchExpressions.flatMap((test, index) => {
    const { key = '' } = test
    const at = `${path}.matchExpressions[${index}]`
    return [...labelWarnings(`${at}.key: `, key, `${key} is `), ...more(at, test)]
  })
}

/** Warnings about preferred terms, whose values may be invalid as label values. */
function valueWarnings(path: string, { values = [] }: NodeSelectorRequirement): string[] {
  return values.flatMap((value, index) =>
    labelValueErrors(value).map((text) => `${path}.values[${index}]: ${value} is invalid, ${text}`),
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

function secretWarnings(path: string, secrets: readonly { name?: string }[]): string[] {
  const isRepeat = repeats(secrets.map(({ name = '' }) => name))
  const tell = (isMeant: (index: number, name: string) => boolean, what: string) =>
    secrets.flatMap(({ name = '' }, index) =>
      isMeant(index, name) ? [`${path}[${index}].name: ${what} ${goQuote(name)}`] : [],
    )
  return [
    ...tell((index) => isRepeat[index] === true, 'duplicate name'),
    ...tell((_, name) => name === '', 'invalid empty name'),
  ]
}
