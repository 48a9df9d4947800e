import { forbiddenField, type FieldError } from '../../../../../meta/fieldErrors.ts'
import type { PodSpec, SeccompProfile } from '../../../shapes/coreV1.ts'
import { appArmorPrefix, seccompAnnotation, seccompPrefix } from './podAnnotations.ts'
import { placedContainers } from '../containerPaths.ts'

/** Strings for the annotations of a profile type. */
interface Words {
  name: string
  runtimeDefault: readonly string[]
}

const seccomp: Words = { name: 'seccomp', runtimeDefault: ['runtime/default', 'docker/default'] }
const appArmor: Words = { name: 'apparmor', runtimeDefault: ['runtime/default'] }

/**
 * Errors for a profile that differs between a field and its deprecated annotation. `path` leads to
 * the spec. Source: seen on kube-apiserver 1.37.2.
 */
export function profileMatchErrors(
  path: string,
  spec: PodSpec,
  annotations: Readonly<Record<string, string>> = {},
): FieldError[] {
  const { seccompProfile, appArmorProfile } = spec.securityContext ?? {}
  const match = (key: string, profile: SeccompProfile | undefined, [at, words]: [string, Words]) =>
    profile === undefined || annotations[key] === undefined
      ? []
      : matchErrors(at, profile, { annotation: annotations[key], words })
  const all = placedContainers(path, spec)
  return [
    ...match(seccompAnnotation, seccompProfile, [
      `${path}.securityContext.seccompProfile`,
      seccomp,
    ]),
    ...all.flatMap(({ at, container: { name = '', securityContext } }) =>
      match(`${seccompPrefix}${name}`, securityContext?.seccompProfile, [
        `${at}.securityContext.seccompProfile`,
        seccomp,
      ]),
    ),
    ...(spec.os?.name === 'windows' ? [] : all).flatMap(
      ({ at, container: { name = '', securityContext } }) =>
        match(`${appArmorPrefix}${name}`, securityContext?.appArmorProfile ?? appArmorProfile, [
          `${at}.securityContext.appArmorProfile`,
          appArmor,
        ]),
    ),
  ]
}

function matchErrors(
  at: string,
  { type, localhostProfile }: SeccompProfile,
  { annotation, words: { name, runtimeDefault } }: { annotation: string; words: Words },
): FieldError[] {
  const other = [forbiddenField(`${at}.type`, `${name} type in annotation and field must match`)]
  if (type === 'Unconfined') return annotation === 'unconfined' ? [] : other
  if (type === 'RuntimeDefault') return runtimeDefault.includes(annotation) ? [] : other
  if (type !== 'Localhost') return []
  if (!annotation.startsWith('localhost/')) return other
  if (annotation.slice('localhost/'.length) === localhostProfile) return []
  const detail = `${name} profile in annotation and field must match`
  return [forbiddenField(`${at}.localhostProfile`, detail)]
}
