import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import { nameColumn } from '../../../../registry/table.ts'
import { podTemplateErrors } from '../../apps/templateRules.ts'
import { containersText, podSpecIn } from '../../apps/workload.ts'
import { builtInKind, type KindContext } from '../../builtInKind.ts'
import { cellColumn } from '../../../columns.ts'
import { isSame } from '../../../fieldChecks.ts'
import { selectorText } from '../../labelSelection.ts'
import type { PodTemplateSpec } from '../../shapes/coreV1.ts'
import { templateWarnings } from './podWarnings.ts'
import { setPodSpecDefaults } from './podDefaults.ts'

/** Definition of the PodTemplate kind. Source: Kubernetes API reference, PodTemplate v1. */
export function podTemplateResource({ types }: KindContext): ResourceDefinition {
  const validate = (object: ApiObject) => podTemplateErrors('template', templateOf(object))
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'podtemplates',
    kind: 'PodTemplate',
    namespaced: true,
    description: 'PodTemplate describes pods for controllers to create.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'spec',
      deletion: { returnsObject: true },
      setDefaults: (object) => {
        setPodSpecDefaults(podSpecIn(templateOf(object)))
      },
      validate,
      validateUpdate: validate,
      warningsOnCreate: (object) => templateWarnings('template', templateOf(object)),
      warningsOnUpdate: (next, old) =>
        isSame(templateOf(next), templateOf(old))
          ? []
          : templateWarnings('template', templateOf(next)),
    },
    columns: [
      nameColumn,
      cellColumn('Containers', 'Container names.', (object) =>
        containersText(templateOf(object), 'name'),
      ),
      cellColumn('Images', 'Container images.', (object) =>
        containersText(templateOf(object), 'image'),
      ),
      cellColumn('Pod Labels', 'Labels of pods created from the template.', (object) => {
        const labels = templateOf(object)?.metadata?.labels
        return selectorText(labels && { matchLabels: labels })
      }),
    ],
  })
}

function templateOf(object: ApiObject): PodTemplateSpec | undefined {
  // Guaranteed by the schema.
  return object['template'] as PodTemplateSpec | undefined
}
