import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, humanDuration, nameColumn } from '../../registry/table.ts'
import { containersText, podSpecIn } from '../apps/workload.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { cellColumn, listLength, textColumn, valueAt, wide } from '../columns.ts'
import { setPodSpecDefaults } from '../core/podDefaults.ts'
import { given, notNegative, oneOf } from '../fieldChecks.ts'
import { fill } from '../fill.ts'
import { selectorText } from '../labelSelection.ts'
import { scheduleErrors } from './cronSchedule.ts'
import type { JobSpec } from './jobSpec.ts'
import { jobErrors } from './jobRules.ts'

interface CronJobSpec {
  schedule?: string
  timeZone?: string
  startingDeadlineSeconds?: number
  concurrencyPolicy?: string
  suspend?: boolean
  jobTemplate?: { spec?: JobSpec }
  successfulJobsHistoryLimit?: number
  failedJobsHistoryLimit?: number
}

/** Stored only. Source: Kubernetes API reference, CronJob v1. */
export function cronJobResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'batch',
    version: 'v1',
    plural: 'cronjobs',
    kind: 'CronJob',
    namespaced: true,
    shortNames: ['cj'],
    categories: ['all'],
    description: 'CronJob makes jobs at the times of a schedule.',
    strategy: {
      generation: 'spec',
      setDefaults,
      validate: (object) => [...nameErrors(object), ...cronJobErrors(specOf(object))],
      validateUpdate: (object) => cronJobErrors(specOf(object)),
    },
    subresources: [statusSubresource()],
    columns: [
      nameColumn,
      textColumn('Schedule', 'spec.schedule', 'When, in the form of cron.'),
      cellColumn('Timezone', 'Whose clock.', (object) => specOf(object).timeZone ?? '<none>'),
      cellColumn('Suspend', 'Whether it pauses.', (object) =>
        specOf(object).suspend === true ? 'True' : 'False',
      ),
      {
        name: 'Active',
        type: 'integer',
        description: 'How many jobs run.',
        cell: (object) => listLength(object, 'status.active'),
      },
      cellColumn('Last Schedule', 'Time since the last job.', (object, nowMs) => {
        const last = valueAt(object, 'status.lastScheduleTime')
        return typeof last === 'string' ? humanDuration(nowMs - Date.parse(last)) : '<none>'
      }),
      ageColumn,
      wide(cellColumn('Containers', 'Names of the containers.', containers('name'))),
      wide(cellColumn('Images', 'Images of the containers.', containers('image'))),
      wide(
        cellColumn('Selector', 'Labels of the pods.', (object) =>
          selectorText(specOf(object).jobTemplate?.spec?.selector),
        ),
      ),
    ],
  })
}

function containers(field: 'name' | 'image') {
  return (object: ApiObject) => containersText(specOf(object).jobTemplate?.spec?.template, field)
}

function specOf(object: ApiObject): CronJobSpec {
  // The schema says what the spec holds, and the store gives every object one.
  return object['spec'] ?? {}
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  fill(spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  })
  setPodSpecDefaults(podSpecIn(spec.jobTemplate?.spec?.template))
}

const maxNameBytes = 52

/** Jobs are called like it, with a time behind. */
function nameErrors({ metadata: { name = '' } }: ApiObject): FieldError[] {
  if (name.length <= maxNameBytes) return []
  const detail = `must be no more than ${maxNameBytes} characters`
  return [invalidField('metadata.name', name, detail)]
}

function cronJobErrors(spec: CronJobSpec): FieldError[] {
  const { schedule = '', jobTemplate } = spec
  const missing = given('spec.schedule', schedule)
  return [
    ...(missing.length > 0 ? missing : scheduleErrors('spec.schedule', schedule)),
    ...notNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
    ...oneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']),
    ...notNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
    ...notNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
    ...jobErrors('spec.jobTemplate.', jobTemplate?.spec ?? {}, false),
  ]
}
