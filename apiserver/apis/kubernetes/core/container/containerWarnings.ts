import { isDeepStrictEqual } from 'node:util'
import { goQuote } from '../../../../meta/goQuote.ts'
import type { Container, EnvVar, PodSpec } from '../../shapes/coreV1.ts'
import { appArmorProfileOf, appArmorWarning } from '../pod/rules/appArmorAnnotations.ts'
import { placedContainers } from '../pod/containerPaths.ts'
import { appArmorPrefix, seccompAnnotation, seccompPrefix } from '../pod/rules/podAnnotations.ts'
import { fractionWarning } from '../quantityRules.ts'
import { portWarnings } from './portWarnings.ts'

type Annotations = Readonly<Record<string, string>>

/**
 * Warnings about the containers of a pod and annotations about them. `prefix` leads to the template.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function containerWarnings(
  prefix: string,
  spec: PodSpec,
  annotations: Annotations,
): string[] {
  const all = placedContainers(`${prefix}spec`, spec)
  const path = `${prefix}metadata.annotations`
  const isSet = spec.securityContext?.seccompProfile !== undefined
  return [
    ...(isSet || annotations[seccompAnnotation] === undefined
      ? []
      : [seccompWarning(`${path}[${seccompAnnotation}]`)]),
    ...all.flatMap(({ at, container }) => [
      ...seccompWarnings(path, container, annotations),
      // Pods get the warning when their annotations are copied into fields.
      ...(prefix === '' ? [] : appArmorWarnings(path, { container, spec, annotations })),
      ...quantityWarnings(at, container),
      ...repeatWarnings(`${at}.env`, container.env ?? []),
    ]),
    ...portWarnings(all),
  ]
}

function seccompWarning(path: string): string {
  return `${path}: non-functional in v1.27+; use the "seccompProfile" field instead`
}

function seccompWarnings(
  path: string,
  { name = '', securityContext }: Container,
  annotations: Annotations,
): string[] {
  const key = `${seccompPrefix}${name}`
  const isTold = annotations[key] !== undefined && securityContext?.seccompProfile === undefined
  return isTold ? [seccompWarning(`${path}[${key}]`)] : []
}

function appArmorWarnings(
  path: string,
  {
    container: { name = '', securityContext },
    spec,
    annotations,
  }: { container: Container; spec: PodSpec; annotations: Annotations },
): string[] {
  const key = `${appArmorPrefix}${name}`
  const annotation = annotations[key]
  if (annotation === undefined || securityContext?.appArmorProfile !== undefined) return []
  const ofPod = spec.securityContext?.appArmorProfile
  const isSame = ofPod !== undefined && isDeepStrictEqual(ofPod, appArmorProfileOf(annotation))
  return isSame ? [] : [appArmorWarning(`${path}[${key}]`)]
}

function quantityWarnings(path: string, { resources = {} }: Container): string[] {
  return inBytes.flatMap((name) =>
    (['limits', 'requests'] as const).flatMap((kind) =>
      fractionWarning(`${path}.resources.${kind}[${name}]`, resources[kind]?.[name]),
    ),
  )
}

const inBytes = ['memory', 'ephemeral-storage']

/** Warnings about fractional bytes, including those of volume claims. */
export function fractionWarnings(
  path: string,
  quantities: Readonly<Record<string, string>> = {},
): string[] {
  return [...inBytes, 'storage'].flatMap((name) =>
    fractionWarning(`${path}[${name}]`, quantities[name]),
  )
}

/**
 * Warnings about repeated variables, unless the second value extends the first, as in
 * `$(PATH):/bin`.
 */
function repeatWarnings(path: string, env: readonly EnvVar[]): string[] {
  const seen = new Set<string>()
  return env.flatMap(({ name = '', value = '', valueFrom }, index) => {
    const isFirst = !seen.has(name)
    seen.add(name)
    const own = `$(${name})`
    const isAdded = valueFrom === undefined && value !== own && value.includes(own)
    if (isFirst || isAdded) return []
    const why = `hides previous definition of ${goQuote(name)}, which may be dropped when using apply`
    return [`${path}[${index}]: ${why}`]
  })
}
