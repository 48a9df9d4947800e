import { isObject } from '../../apiserver/meta/json/isObject.ts'
import { hostLabelKey, virtualLabelKey, type Markers } from '../names/markers.ts'

export interface LabelsPlace {
  direction: 'toHost' | 'toVirtual'
  virtualCluster: string
  marks: Markers
}

/**
 * Translates the keys of a label selector: a map of labels, or one with matchLabels and matchExpressions. Other values
 * are unchanged. Source: specification, patches[].reference.labels; platform facts 6.6, 6.8.
 */
export function patchLabels(value: unknown, place: LabelsPlace): unknown {
  if (!isObject(value)) return value
  const { matchLabels, matchExpressions } = value
  if (!isObject(matchLabels) && !Array.isArray(matchExpressions)) return keysOf(value, place)
  return {
    ...value,
    ...(isObject(matchLabels) ? { matchLabels: keysOf(matchLabels, place) } : {}),
    ...(Array.isArray(matchExpressions)
      ? { matchExpressions: matchExpressions.map((item) => requirement(item, place)) }
      : {}),
  }
}

function keysOf(map: Record<string, unknown>, place: LabelsPlace): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [keyOf(key, place), value]))
}

function requirement(item: unknown, place: LabelsPlace): unknown {
  return isObject(item) && typeof item.key === 'string'
    ? { ...item, key: keyOf(item.key, place) }
    : item
}

function keyOf(key: string, { direction, virtualCluster, marks }: LabelsPlace): string {
  return direction === 'toHost'
    ? hostLabelKey(key, virtualCluster, marks)
    : virtualLabelKey(key, virtualCluster, marks)
}
