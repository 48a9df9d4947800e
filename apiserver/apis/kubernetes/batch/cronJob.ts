import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, humanDuration, nameColumn } from '../../../registry/table.ts'
import { podNameWarnings, warnsOfTemplate } from '../apps/templateRules.ts'
import { containersText, podSpecIn } from '../apps/workload.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { cellColumn, listLength, textColumn, valueAt, wide } from '../../columns.ts'
import { setPodSpecDefaults } from '../core/pod/podDefaults.ts'
import { fill } from '../../fill.ts'
import { selectorText } from '../labelSelection.ts'
import { setFailureDefaults } from './job.ts'
import { cronJobErrors, cronJobSpec as specOf, nameErrors } from './cronJobRules.ts'

/** Definition of the CronJob kind, which is only stored. Source: Kubernetes API reference, CronJob v1. */
export function cronJobResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'batch',
    version: 'v1',
    plural: 'cronjobs',
    kind: 'CronJob',
    namespaced: true,
    shortNames: ['cj'],
    categories: ['all'],
    description: 'CronJob creates jobs on a schedule.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'spec',
      setDefaults,
      validate: (object) => [...cronJobErrors(specOf(object), undefined), ...nameErrors(object)],
      ...warnsOfTemplate('spec.jobTemplate.spec.template', { before: podNameWarnings }),
      validateUpdate: (next, old) => cronJobErrors(specOf(next), specOf(old)),
    },
    subresources: [statusSubresource(undefined, { metadata: { qualifiedFinalizers: false } })],
    columns: [
      nameColumn,
      textColumn('Schedule', 'spec.schedule', 'Schedule in cron format.'),
      cellColumn(
        'Timezone',
        'Time zone of the schedule.',
        (object) => specOf(object).timeZone ?? '<none>',
      ),
      {
        ...cellColumn('Suspend', 'Whether the schedule is suspended.', (object) =>
          specOf(object).suspend === true ? 'True' : 'False',
        ),
        type: 'boolean',
      },
      {
        name: 'Active',
        type: 'integer',
        description: 'Number of running jobs.',
        cell: (object) => listLength(object, 'status.active'),
      },
      cellColumn('Last Schedule', 'Time since a job was last scheduled.', (object, nowMs) => {
        const last = valueAt(object, 'status.lastScheduleTime')
        return typeof last === 'string' ? humanDuration(nowMs - Date.parse(last)) : '<none>'
      }),
      ageColumn,
      wide(cellColumn('Containers', 'Container names.', containers('name'))),
      wide(cellColumn('Images', 'Container images.', containers('image'))),
      wide(
        cellColumn('Selector', 'Label selector of the pods.', (object) =>
          selectorText(specOf(object).jobTemplate?.spec?.selector),
        ),
      ),
    ],
  })
}

function containers(field: 'name' | 'image') {
  return (object: ApiObject) => containersText(specOf(object).jobTemplate?.spec?.template, field)
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  fill(spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  })
  setFailureDefaults(spec.jobTemplate?.spec ?? {})
  setPodSpecDefaults(podSpecIn(spec.jobTemplate?.spec?.template))
}
