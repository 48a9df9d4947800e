import { isDeepStrictEqual } from 'node:util'
import type { Toleration } from '../../../apis/kubernetes/shapes/coreV1.ts'

/**
 * Tolerations of both lists, except those that another toleration includes; of equal tolerations,
 * the first stays.
 * Source: Kubernetes, RuntimeClass and PodTolerationRestriction.
 */
export function mergedTolerations(
  first: readonly Toleration[],
  second: readonly Toleration[],
): Toleration[] {
  const all = [...first, ...second]
  const merged: Toleration[] = []
  for (const [at, one] of all.entries()) {
    const isKnown = merged.some((other) => includes(other, one))
    const isWithinLater = all
      .slice(at + 1)
      .some((other) => !isDeepStrictEqual(one, other) && includes(other, one))
    if (!isKnown && !isWithinLater) merged.push(one)
  }
  return merged
}

/** Reports whether a toleration tolerates everything that another one does. */
export function includes(wide: Toleration, narrow: Toleration): boolean {
  if (isDeepStrictEqual(wide, narrow)) return true
  return includesKey(wide, narrow) && includesEffect(wide, narrow) && includesValue(wide, narrow)
}

/**
 * Reports whether a toleration covers the key of another; without a key, the operator Exists
 * matches every key.
 */
function includesKey({ key = '', operator }: Toleration, narrow: Toleration): boolean {
  return (narrow.key ?? '') === key || (key === '' && operator === 'Exists')
}

function includesEffect(
  { effect = '', tolerationSeconds }: Toleration,
  narrow: Toleration,
): boolean {
  if (effect !== '' && narrow.effect !== effect) return false
  if (effect !== 'NoExecute' || tolerationSeconds === undefined) return true
  const { tolerationSeconds: seconds } = narrow
  return seconds !== undefined && seconds <= tolerationSeconds
}

function includesValue({ operator, value = '' }: Toleration, narrow: Toleration): boolean {
  if (operator === 'Exists') return true
  return narrow.operator === 'Equal' && (narrow.value ?? '') === value
}
