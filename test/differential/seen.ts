import type { Answer, Seen } from './call.ts'

/** What later steps may use of `answers`. @throws Error for what is not there. */
export function seenOf(answers: readonly Answer[]): Seen {
  return {
    metadata: (step, name) => {
      const answer = answers[step]
      // Whatever came is looked at with care.
      const { metadata } = JSON.parse(answer?.body ?? '{}') as {
        metadata?: Record<string, unknown>
      }
      const found = metadata?.[name]
      if (typeof found !== 'string')
        throw new Error(`step ${step} has no metadata.${name}: ${answer?.body}`)
      return found
    },
  }
}
