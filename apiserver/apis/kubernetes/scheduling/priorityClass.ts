import {
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { forbidden } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { countColumn, textColumn, valueAt } from '../../columns.ts'
import { oneOf } from '../../fieldChecks.ts'
import { fillMissing } from '../../fill.ts'
import { systemPriority } from './systemPriorities.ts'

interface Priority extends ApiObject {
  value?: number
  globalDefault?: boolean
  preemptionPolicy?: string
}

const highest = 1_000_000_000
const systemPrefix = 'system-'

/** Definition of the PriorityClass kind. Source: Kubernetes API reference, PriorityClass v1. */
export function priorityClassResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'scheduling.k8s.io',
    version: 'v1',
    plural: 'priorityclasses',
    kind: 'PriorityClass',
    namespaced: false,
    shortNames: ['pc'],
    description: 'PriorityClass is a named priority for pods.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'first',
      setDefaults: (object) => {
        fillMissing(asPriority(object), { preemptionPolicy: 'PreemptLowerPriority' })
      },
      validate: priorityErrors,
      validateUpdate: changeErrors,
      deletion: { validate: refuseDeletion },
    },
    columns: [
      nameColumn,
      countColumn('Value', 'value', 'The priority.'),
      {
        name: 'Global-Default',
        type: 'boolean',
        description: 'Whether pods without a class get this class.',
        cell: (object) => valueAt(object, 'globalDefault') === true,
      },
      ageColumn,
      textColumn(
        'PreemptionPolicy',
        'preemptionPolicy',
        'Whether pods of the class preempt others.',
      ),
    ],
  })
}

function asPriority(object: ApiObject): Priority {
  // Guaranteed by the schema.
  return object
}

function priorityErrors(object: ApiObject): FieldError[] {
  const { value = 0, preemptionPolicy, metadata } = asPriority(object)
  const { name = '' } = metadata
  const errors: FieldError[] = []
  if (name.startsWith(systemPrefix)) errors.push(...systemErrors(asPriority(object)))
  else if (value > highest) {
    const detail = `maximum allowed value of a user defined priority is ${highest}`
    errors.push(forbiddenField('value', detail))
  }
  return [
    ...errors,
    ...(preemptionPolicy === ''
      ? [requiredField('preemptionPolicy')]
      : oneOf('preemptionPolicy', preemptionPolicy, ['PreemptLowerPriority', 'Never'])),
  ]
}

/** Errors for a class with a system name, which can only be recreated with its original values. */
function systemErrors(priority: Priority): FieldError[] {
  const why = systemProblem(priority)
  if (why === undefined) return []
  const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${why}`
  return [forbiddenField('metadata.name', detail)]
}

function systemProblem({ metadata, value = 0, globalDefault }: Priority): string | undefined {
  const { name = '' } = metadata
  const wanted = systemPriority(name)
  if (wanted === undefined) return `${name} is not a known system priority class`
  if (value !== wanted) return `value of ${name} PriorityClass must be ${wanted}`
  return globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined
}

/** Refuses the deletion of system classes. @throws StatusError Forbidden. */
function refuseDeletion({ metadata: { name = '' } }: ApiObject): void {
  if (systemPriority(name) === undefined) return
  const resource = { group: 'scheduling.k8s.io', resource: 'priorityclasses' }
  throw forbidden(resource, name, 'this is a system priority class and cannot be deleted')
}

function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [asPriority(next), asPriority(old)]
  const errors: FieldError[] = []
  if (after.value !== before.value) {
    errors.push(forbiddenField('value', 'may not be changed in an update.'))
  }
  if (after.preemptionPolicy !== before.preemptionPolicy) {
    errors.push(invalidField('preemptionPolicy', after.preemptionPolicy, 'field is immutable'))
  }
  return errors
}
