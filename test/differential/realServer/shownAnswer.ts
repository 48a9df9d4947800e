import type { Answer, Call } from '../call.ts'

/**
 * Response with sorted causes: kube-apiserver validates the properties of a custom object in the
 * order of a Go map, which rarely changes while it runs. The message of several causes consists of
 * them.
 */
export function withOrderedCauses(answer: Answer): Answer {
  if (answer.status !== 422) return answer
  const body = JSON.parse(answer.body) as { message: string; details?: { causes?: object[] } }
  const causes = body.details?.causes ?? []
  if (causes.length < 2) return answer
  const texts = causes.map((cause) => JSON.stringify(cause)).sort()
  const [start] = body.message.split(' is invalid: ')
  const details = { ...body.details, causes: texts.map((text) => JSON.parse(text) as object) }
  return { ...answer, body: JSON.stringify({ ...body, message: start, details }) }
}

/** Response in which the characters that the server appends to `generateName` are `~`. */
export function withoutSuffix({ body }: Call, answer: Answer): Answer {
  const { metadata } = (body ?? {}) as { metadata?: Record<string, unknown> | null }
  const { name, generateName: prefix } = metadata ?? {}
  if (typeof prefix !== 'string' || prefix === '' || (name ?? '') !== '') return answer
  const text = JSON.stringify(prefix.slice(0, maxPrefix)).slice(1, -1)
  // Behind a quote: in the middle of a value it is not the prefix of a name.
  const parts = answer.body.split(`"${text}`)
  return { ...answer, body: parts.map((part) => part.replace(suffix, '~')).join(`"${text}`) }
}

/** Longest part of `generateName` that is used. Source: apiserver, names.SimpleNameGenerator. */
const maxPrefix = 58
/** Source: apimachinery, rand.SafeEncodeString. */
const suffix = /^[bcdfghjklmnpqrstvwxz2456789]{5}(?=[\\"])/
