import type { LabelExpression, LabelSelectorField } from '../../authorization/rbac/aggregation.ts'
import { forbiddenField, invalidField, requiredField } from '../../meta/fieldErrors.ts'
import type { FieldError } from '../../meta/fieldErrors.ts'
import { labelKeyErrors, labelValueErrors } from '../../meta/nameValidation.ts'
import type { Schema } from '../../meta/schema.ts'
import { mapOf, struct } from '../schema.ts'

const machinery = 'io.k8s.apimachinery.pkg.apis.meta.v1'

function atomicList(items: Schema, description: string): Schema {
  return { type: 'array', items, description, omitEmpty: true, 'x-kubernetes-list-type': 'atomic' }
}

const expression = struct(
  {
    key: { type: 'string', description: 'The label that is looked at.' },
    operator: { type: 'string', description: 'In, NotIn, Exists or DoesNotExist.' },
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

/** Source: the texts of Kubernetes' label selector validation. */
export function labelSelectorErrors(selector: LabelSelectorField, path: string): FieldError[] {
  const { matchLabels = {}, matchExpressions = [] } = selector
  const labels = `${path}.matchLabels`
  return [
    ...Object.entries(matchLabels).flatMap(([key, value]) => [
      ...labelKeyErrors(key).map((why) => invalidField(labels, key, why)),
      ...labelValueErrors(value).map((why) => invalidField(labels, value, why)),
    ]),
    ...matchExpressions.flatMap((one, index) =>
      expressionErrors(one, `${path}.matchExpressions[${index}]`),
    ),
  ]
}

function expressionErrors({ key, operator, values = [] }: LabelExpression, path: string) {
  const errors = labelKeyErrors(key).map((why) => invalidField(`${path}.key`, key, why))
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) break
      errors.unshift(
        requiredField(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
      )
      break
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) break
      errors.unshift(
        forbiddenField(
          `${path}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
      )
      break
    default:
      errors.unshift(invalidField(`${path}.operator`, operator, 'not a valid selector operator'))
  }
  values.forEach((value, index) =>
    errors.push(
      ...labelValueErrors(value).map((why) => invalidField(`${path}.values[${index}]`, value, why)),
    ),
  )
  return errors
}
