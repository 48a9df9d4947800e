import type { Schema } from '../meta/schema.ts'
import type { Answers } from '../registry/answers.ts'
import type { ResourceDefinition } from '../registry/resource.ts'

interface ReviewParts {
  group: string
  kind: string
  schema: Schema
  answers: Answers
}

/** Kind of reviews, which are evaluated on creation and not stored. */
export function reviewKind({ group, kind, schema, answers }: ReviewParts): ResourceDefinition {
  const singular = kind.toLowerCase()
  return {
    group,
    version: 'v1',
    plural: `${singular}s`,
    singular,
    kind,
    namespaced: false,
    verbs: ['create'],
    schema,
    strategy: {},
    answers,
  }
}
