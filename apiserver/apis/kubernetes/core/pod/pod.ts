import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import { refusedLabel } from '../../fieldLabels.ts'
import { builtInKind, type KindContext } from '../../builtInKind.ts'
import { podColumns, podRowConditions } from './podColumns.ts'
import { setPodDefaults } from './podDefaults.ts'
import { isOnNode, podGrace } from './podDeletion.ts'
import { newPodErrors } from './rules/podOnlyRules.ts'
import { preparePod } from './preparation/podPreparation.ts'
import { podStatusSubresource } from './status/podStatus.ts'
import { podSubresources } from './podSubresources.ts'
import { asPod } from './podTypes.ts'
import { newPodWarnings } from './podWarnings.ts'
import { keepPodResources, podUpdateErrors } from './podUpdate.ts'

/**
 * Definition of the Pod kind, which is only stored: node agents, real or simulated, run pods.
 * Source: Kubernetes API reference, Pod v1.
 */
export function podResource(context: KindContext): ResourceDefinition {
  return builtInKind(context.types, {
    group: '',
    version: 'v1',
    plural: 'pods',
    kind: 'Pod',
    namespaced: true,
    shortNames: ['po'],
    categories: ['all'],
    description: 'Pod is a set of containers that run together on one node.',
    strategy: {
      generation: 'spec',
      deletion: {
        returnsObject: true,
        graceSeconds: podGrace,
        hasLostGrace: (object, isThere) => !isOnNode(asPod({ ...object }), isThere),
      },
      setDefaults: setPodDefaults,
      prepareForCreate: preparePod,
      validate: (object) => newPodErrors(asPod(object)),
      warningsOnCreate: (object) => newPodWarnings(asPod({ ...object })),
      prepareForUpdate: keepPodResources,
      validateUpdate: podUpdateErrors,
    },
    subresources: [podStatusSubresource, ...podSubresources(context)],
    refusedField: refusedLabel,
    selectableFields: {
      'spec.nodeName': (object) => specText(object, 'nodeName'),
      // Deprecated alias of the field.
      'spec.host': (object) => specText(object, 'nodeName'),
      'spec.restartPolicy': (object) => specText(object, 'restartPolicy'),
      'spec.schedulerName': (object) => specText(object, 'schedulerName'),
      'spec.serviceAccountName': (object) => specText(object, 'serviceAccountName'),
      'spec.hostNetwork': (object) => String(asPod({ ...object }).spec.hostNetwork === true),
      'status.phase': (object) => asPod({ ...object }).status.phase ?? '',
      'status.podIP': (object) => asPod({ ...object }).status.podIP ?? '',
      // The path is supported, but no value matches.
      'status.podIPs': () => '',
      'status.nominatedNodeName': (object) => asPod({ ...object }).status.nominatedNodeName ?? '',
    },
    columns: podColumns,
    rowConditions: podRowConditions,
  })
}

type TextField = 'nodeName' | 'restartPolicy' | 'schedulerName' | 'serviceAccountName'

function specText(object: ApiObject, field: TextField): string {
  return asPod({ ...object }).spec[field] ?? ''
}
