import { integer, struct, text } from '../schema.ts'

/** Source: Kubernetes API reference, Condition (meta/v1). */
export const conditionSchema = struct(
  {
    type: { type: 'string', description: 'Type of the condition, in CamelCase.' },
    status: { type: 'string', description: 'True, False or Unknown.' },
    observedGeneration: integer('Generation that the condition was set for.'),
    lastTransitionTime: {
      type: 'string',
      format: 'date-time',
      nullable: true,
      description: 'When the condition last changed from one status to another.',
    },
    reason: text('Why, in CamelCase.'),
    message: text('Why, for people.'),
  },
  'One condition that an object is in.',
  { required: ['type', 'status'], definition: 'io.k8s.apimachinery.pkg.apis.meta.v1.Condition' },
)
