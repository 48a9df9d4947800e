import type { Schema } from '../../../meta/schema.ts'
import { mapOf, struct } from '../../schema.ts'

const machinery = 'io.k8s.apimachinery.pkg.apis.meta.v1'

function atomicList(items: Schema, description: string): Schema {
  return { type: 'array', items, description, omitEmpty: true, 'x-kubernetes-list-type': 'atomic' }
}

const expression = struct(
  {
    key: { type: 'string', description: 'The label that is looked at.', zero: '' },
    operator: {
      type: 'string',
      description: 'In, NotIn, Exists or DoesNotExist.',
      zero: '',
    },
    values: atomicList({ type: 'string' }, 'For In and NotIn: the values.'),
  },
  'One condition on the labels of an object.',
  { definition: `${machinery}.LabelSelectorRequirement`, required: ['key', 'operator'] },
)

export const labelSelectorSchema: Schema = {
  ...struct(
    {
      matchExpressions: atomicList(expression, 'Conditions that all hold.'),
      matchLabels: mapOf({ type: 'string' }, 'Labels that are there with these values.'),
    },
    'What the labels of an object are to be; an empty selector matches every object.',
    { definition: `${machinery}.LabelSelector` },
  ),
  'x-kubernetes-map-type': 'atomic',
}
