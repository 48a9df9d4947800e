import type { Answer, Seen } from './call.ts'

/** Values of `answers` for later steps. @throws Error for a missing value. */
export function seenOf(answers: readonly Answer[]): Seen {
  return {
    metadata: (step, name) => {
      const answer = answers[step]
      // The response may be anything.
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
