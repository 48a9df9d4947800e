import { asPod } from '../../apis/kubernetes/core/pod/podTypes.ts'
import type { PodSpec } from '../../apis/kubernetes/shapes/coreV1.ts'
import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { forbidden, invalid } from '../../meta/statusErrors.ts'
import type { ApiObject, ObjectMeta } from '../../meta/types.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import { groupResource } from '../../registry/resource.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import type { PlaneObjects } from '../planeObjects.ts'
import {
  levelText,
  violationsOf,
  violationsText,
  type Level,
  type LevelVersion,
} from '../podSecurity/podSecurityLevels.ts'
import type { NamespaceLookup } from '../selectors.ts'
import { isTarget } from './podTarget.ts'

const prefix = 'pod-security.kubernetes.io/'
const levels: readonly string[] = ['privileged', 'baseline', 'restricted']
const modes = ['enforce', 'audit', 'warn'] as const

type Mode = (typeof modes)[number]

/** Path of the pod template in each kind that creates pods. */
const templates: Readonly<Record<string, readonly string[]>> = {
  'podtemplates.': ['template'],
  'replicationcontrollers.': ['spec', 'template'],
  'replicasets.apps': ['spec', 'template'],
  'deployments.apps': ['spec', 'template'],
  'daemonsets.apps': ['spec', 'template'],
  'statefulsets.apps': ['spec', 'template'],
  'jobs.batch': ['spec', 'template'],
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template'],
}

const writes = ['CREATE', 'UPDATE'] as const

/**
 * Enforces the security level in the namespace's labels on pods, and warns about violations in pod
 * templates. Source: Kubernetes, "Pod Security Admission".
 */
export function podSecurity(objects: PlaneObjects, namespaceOf: NamespaceLookup): AdmissionPlugin {
  return {
    name: 'PodSecurity',
    handles: (target) => {
      const { resource, subresource, operation } = target
      const isWrite = operation === 'CREATE' || operation === 'UPDATE'
      const isTemplate = templates[`${resource.plural}.${resource.group}`] !== undefined
      const core = (plural: string, rest: { subresource?: string } = {}) =>
        isTarget(target, { group: '', plural, operations: writes, ...rest })
      return (
        core('pods') ||
        core('pods', { subresource: 'ephemeralcontainers' }) ||
        core('namespaces') ||
        (isTemplate && isWrite && subresource === '')
      )
    },
    validate: async (request) => {
      const { resource, namespace, object } = request
      if (object === undefined) return
      if (resource.plural === 'namespaces') return checkNamespace(request, objects)
      const labels = namespaceOf(namespace)?.metadata.labels ?? {}
      if (!modes.some((mode) => labels[prefix + mode] !== undefined)) return
      if (resource.plural === 'pods') checkPod(request, labels)
      else checkTemplate(request, labels)
    },
  }
}

function levelOf(labels: Readonly<Record<string, string>>, mode: Mode): LevelVersion {
  const level = labels[prefix + mode] ?? 'privileged'
  const version = labels[`${prefix}${mode}-version`] ?? 'latest'
  // An unknown level counts as the strictest; namespaces with such labels are refused.
  return { level: levels.includes(level) ? (level as Level) : 'restricted', version }
}

function checkPod(request: AdmissionRequest, labels: Readonly<Record<string, string>>): void {
  const { object, oldObject, resource, name, context, review } = request
  if (object === undefined || isUnchanged(object, oldObject)) return
  const pod = asPod(object)
  const enforced = levelOf(labels, 'enforce')
  review.annotate(`${prefix.slice(0, -1)}/enforce-policy`, levelText(enforced))
  const found = violationsOf(enforced, pod)
  if (found.length > 0) {
    const why = `violates PodSecurity "${levelText(enforced)}": ${violationsText(found)}`
    throw forbidden(groupResource(resource), name, why)
  }
  tell(pod, labels, { context, review })
}

/** Reports violations of the levels for warnings and audit. */
function tell(
  pod: { metadata: ObjectMeta; spec: PodSpec },
  labels: Readonly<Record<string, string>>,
  { context, review }: Pick<AdmissionRequest, 'context' | 'review'>,
): void {
  const told = (mode: Mode): string | undefined => {
    const level = levelOf(labels, mode)
    const found = violationsOf(level, pod)
    if (found.length === 0) return undefined
    return `would violate PodSecurity "${levelText(level)}": ${violationsText(found)}`
  }
  const audited = told('audit')
  if (audited !== undefined) review.annotate(`${prefix}audit-violations`, audited)
  const warned = told('warn')
  if (warned !== undefined) context.warn(warned)
}

/** Reports whether only metadata that no check reads has changed. */
function isUnchanged(object: ApiObject, old: ApiObject | undefined): boolean {
  if (old === undefined) return false
  const ofChecks = (one: ApiObject) => {
    const { containers, initContainers, ephemeralContainers } = asPod({ ...one }).spec
    const marks = Object.entries(one.metadata.annotations ?? {}).filter(([name]) => {
      return name.includes('apparmor') || name.includes('seccomp')
    })
    const images = [containers, initContainers, ephemeralContainers].map((list) =>
      (list ?? []).map(({ name, image }) => `${name ?? ''} ${image ?? ''}`),
    )
    return JSON.stringify([marks, images])
  }
  return ofChecks(object) === ofChecks(old)
}

function checkTemplate(request: AdmissionRequest, labels: Readonly<Record<string, string>>): void {
  const { object, resource } = request
  let template: unknown = object
  for (const field of templates[`${resource.plural}.${resource.group}`] ?? []) {
    template = isObject(template) ? template[field] : undefined
  }
  if (!isObject(template) || !isObject(template['spec'])) return
  const metadata = isObject(template['metadata']) ? template['metadata'] : {}
  tell({ metadata, spec: template['spec'] }, labels, request)
}

/** Validates the levels in labels, and warns about existing pods that violate a new level. */
async function checkNamespace(request: AdmissionRequest, objects: PlaneObjects): Promise<void> {
  const { object, oldObject, context } = request
  if (object === undefined) return
  const labels = object.metadata.labels ?? {}
  const name = object.metadata.name ?? ''
  const errors = labelErrors(labels)
  if (errors.length > 0) throw invalid({ group: '', kind: 'Namespace' }, name, errors)
  const next = levelOf(labels, 'enforce')
  if (oldObject === undefined || !isStricter(next, oldObject.metadata.labels ?? {})) return
  const pods = await objects.list({ group: '', resource: 'pods' }, name)
  const found = pods.flatMap((pod) => {
    const violations = violationsOf(next, asPod(pod))
    const words = violations.map(({ reason }) => reason).join(', ')
    return words === '' ? [] : [{ name: pod.metadata.name ?? '', words }]
  })
  if (found.length === 0) return
  const level = levelText(next)
  context.warn(
    `existing pods in namespace "${name}" violate the new PodSecurity enforce level "${level}"`,
  )
  for (const text of groupedWords(found)) context.warn(text)
}

/** Reports whether the new level may forbid pods that were allowed so far. */
function isStricter(next: LevelVersion, before: Readonly<Record<string, string>>): boolean {
  const old = levelOf(before, 'enforce')
  if (levelText(next) === levelText(old)) return false
  return levels.indexOf(next.level) > levels.indexOf(old.level) || next.version !== old.version
}

/** Messages, with pods grouped by their violations. */
function groupedWords(found: readonly { name: string; words: string }[]): string[] {
  const byWords = new Map<string, string[]>()
  for (const { name, words } of found) byWords.set(words, [...(byWords.get(words) ?? []), name])
  return [...byWords]
    .map(([words, names]): [string, string[]] => [words, names.sort()])
    .sort(([, [a = '']], [, [b = '']]) => (a < b ? -1 : 1))
    .map(([words, [first = '', ...others]]) => {
      const rest = others.length
      const more = rest === 0 ? '' : ` (and ${rest} other ${rest === 1 ? 'pod' : 'pods'})`
      return `${first}${more}: ${words}`
    })
}

function labelErrors(labels: Readonly<Record<string, string>>): FieldError[] {
  return modes.flatMap((mode) => {
    const level = labels[prefix + mode]
    const version = labels[`${prefix}${mode}-version`]
    const path = (name: string) => `metadata.labels[${prefix}${name}]`
    return [
      ...(level === undefined || levels.includes(level)
        ? []
        : [invalidField(path(mode), level, `must be one of ${levels.join(', ')}`)]),
      ...(version === undefined || version === 'latest' || /^v1\.(0|[1-9]\d*)$/.test(version)
        ? []
        : [invalidField(path(`${mode}-version`), version, 'must be "latest" or "v1.x"')]),
    ]
  })
}
