import { integerProblem, parseInt64 } from '../../meta/json/integers.ts'
import type { ApiObject, ObjectMeta } from '../../meta/types.ts'

/** Annotations that are fields of the spec in the internal version of kube-apiserver. Source: seen on kube-apiserver 1.37.2. */

/** Metadata without these annotations, for responses that show only metadata. */
export function withoutAnnotations(names: readonly string[]): (object: ApiObject) => ObjectMeta {
  return ({ metadata }) => {
    const { annotations = {}, ...rest } = metadata
    const left = Object.entries(annotations).filter(([name]) => !names.includes(name))
    if (left.length === Object.keys(annotations).length) return metadata
    return left.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(left) }
  }
}

/** Problem with an annotation that has to be an integer; undefined: none. */
export function integerAnnotationProblem(
  body: Readonly<Record<string, unknown>>,
  annotation: string,
): string | undefined {
  // The body has the types of its kind.
  const { annotations } = (body['metadata'] ?? {}) as ObjectMeta
  const text = annotations?.[annotation]
  if (text === undefined || parseInt64(text) !== undefined) return undefined
  return integerProblem('ParseInt', text)
}
