import { goJsonType } from '../../../../../meta/json/goJsonType.ts'
import { forbiddenField, invalidField, type FieldError } from '../../../../../meta/fieldErrors.ts'
import { goQuote } from '../../../../../meta/goQuote.ts'
import { parseInt64 } from '../../../../../meta/json/integers.ts'
import { errorIf, pathBelow } from '../../../../fieldChecks.ts'
import type { PodSpec, Toleration } from '../../../shapes/coreV1.ts'
import { tolerationErrors } from '../../node/taintRules.ts'
import { placedContainers } from '../containerPaths.ts'

type Annotations = Readonly<Record<string, string>>

export const mirrorAnnotation = 'kubernetes.io/config.mirror'
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'
export const seccompAnnotation = 'seccomp.security.alpha.kubernetes.io/pod'
export const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/'
const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost'
const tolerationsAnnotation = 'scheduler.alpha.kubernetes.io/tolerations'
const ownPath = 'metadata.annotations'

/**
 * Errors for annotations that are meaningful on a pod or, below `path`, on a template. Source: seen
 * on kube-apiserver 1.37.2.
 */
export function podAnnotationErrors(
  annotations: Annotations,
  spec: PodSpec,
  path = ownPath,
): FieldError[] {
  const mirror = annotations[mirrorAnnotation]
  const cost = annotations[costAnnotation]
  return [
    ...errorIf(mirror !== undefined && (spec.nodeName ?? '') === '', () =>
      invalidField(
        `${path}[${mirrorAnnotation}]`,
        mirror,
        'must set spec.nodeName if mirror pod annotation is set',
      ),
    ),
    ...tolerationTextErrors(path, annotations[tolerationsAnnotation] ?? ''),
    ...errorIf(cost !== undefined && !isDeletionCost(cost), () =>
      invalidField(`${path}[${costAnnotation}]`, cost, 'must be a 32bit integer'),
    ),
    ...seccompErrors(path, annotations),
    ...appArmorErrors(path, annotations, spec),
  ]
}

function tolerationTextErrors(path: string, text: string): FieldError[] {
  if (text === '') return []
  const tolerations = tolerationsIn(text)
  if (typeof tolerations === 'string') {
    return [invalidField(path, tolerationsAnnotation, tolerations)]
  }
  return tolerationErrors(`${path}.${tolerationsAnnotation}`, tolerations)
}

/** Parsed tolerations, or the reason why they are invalid. */
function tolerationsIn(text: string): Toleration[] | string {
  try {
    const value: unknown = JSON.parse(text)
    const items: readonly unknown[] = Array.isArray(value) ? value : []
    const other = items.find((item) => typeof item !== 'object')
    if (other !== undefined || !(Array.isArray(value) || value === null)) {
      const type = other === undefined ? '[]core.Toleration' : 'core.Toleration'
      const given = other === undefined ? value : other
      return `json: cannot unmarshal ${goJsonType(given)} into Go value of type ${type}`
    }
    // Their rules only read fields that have a default.
    return items.map((item) => (item ?? {}) as Toleration)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

/** Reports whether a string is a 32-bit integer without a plus sign or leading zeros. */
function isDeletionCost(text: string): boolean {
  const value = /^(0|-?[1-9]\d*)$/.test(text) ? parseInt64(text) : undefined
  return value !== undefined && BigInt.asIntN(32, BigInt(value)) === BigInt(value)
}

function seccompErrors(path: string, annotations: Annotations): FieldError[] {
  return Object.entries(annotations)
    .filter(([key]) => key === seccompAnnotation || key.startsWith(seccompPrefix))
    .flatMap(([key, profile]) => seccompProfileErrors(`${path}.${key}`, profile))
}

function seccompProfileErrors(at: string, profile: string): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return []
  if (profile.startsWith('localhost/')) return pathBelow(at, profile.slice('localhost/'.length))
  return [invalidField(at, profile, 'must be a valid seccomp profile')]
}

function appArmorErrors(path: string, annotations: Annotations, spec: PodSpec): FieldError[] {
  const keys = Object.keys(annotations).filter((key) => key.startsWith(appArmorPrefix))
  if (keys.length === 0) return []
  const names = new Set(placedContainers('spec', spec).map(({ container }) => container.name ?? ''))
  return keys.flatMap((key) => {
    const [name, profile = ''] = [key.slice(appArmorPrefix.length), annotations[key]]
    const isKnown = ['', 'runtime/default', 'unconfined'].includes(profile)
    const detail = `invalid AppArmor profile name: ${goQuote(profile)}`
    return [
      ...errorIf(!names.has(name), () =>
        invalidField(`${path}[${key}]`, name, 'container not found'),
      ),
      ...errorIf(!isKnown && !profile.startsWith('localhost/'), () =>
        invalidField(`${path}[${key}]`, profile, detail),
      ),
    ]
  })
}

/** Errors for changes to annotations that are immutable after creation. */
export function annotationChangeErrors(next: Annotations, old: Annotations): FieldError[] {
  const changed = Object.keys(old).filter((key) => next[key] !== old[key])
  const added = Object.keys(next).filter((key) => !Object.hasOwn(old, key))
  const refuse = (keys: readonly string[], verb: string) =>
    keys.flatMap((key) => [
      ...errorIf(key.startsWith(appArmorPrefix), () =>
        forbiddenField(`${ownPath}[${key}]`, `may not ${verb} AppArmor annotations`),
      ),
      ...errorIf(key === mirrorAnnotation, () =>
        forbiddenField(`${ownPath}[${key}]`, `may not ${verb} mirror pod annotation`),
      ),
    ])
  return [...refuse(changed, 'remove or update'), ...refuse(added, 'add')]
}
