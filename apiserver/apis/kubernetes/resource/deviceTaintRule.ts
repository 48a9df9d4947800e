import { formatTime } from '../../../meta/clock.ts'
import { tooManyField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, humanDuration, nameColumn } from '../../../registry/table.ts'
import { cellColumn } from '../../columns.ts'
import { errorIf } from '../../fieldChecks.ts'
import { bareStatusSubresource, builtInKind, type KindContext } from '../builtInKind.ts'
import { driverErrors } from '../core/volume/volumeSources.ts'
import { metaConditionErrors } from '../metaConditions.ts'
import type {
  DeviceTaint,
  DeviceTaintRuleSpec,
  DeviceTaintRuleStatus,
} from '../shapes/resourceV1.ts'
import { deviceNameErrors, poolErrors, taintErrors } from './deviceNames.ts'
import { setTaintTime } from './taintTime.ts'

interface TaintRule extends ApiObject {
  spec?: DeviceTaintRuleSpec
  status?: DeviceTaintRuleStatus
}

const mostConditions = 8

/**
 * Definition of the DeviceTaintRule kind. Source: Kubernetes API reference, DeviceTaintRule v1; seen on kube-apiserver
 * 1.37.2.
 */
export function deviceTaintRuleResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'resource.k8s.io',
    version: 'v1',
    plural: 'devicetaintrules',
    kind: 'DeviceTaintRule',
    namespaced: false,
    description: 'DeviceTaintRule adds a taint to devices.',
    strategy: {
      allowUnconditionalUpdate: false,
      setDefaults: ({ spec }: TaintRule) => {
        if (spec?.taint !== undefined) setTaintTime(spec.taint)
      },
      prepareForUpdate: renewTime,
      validate: (rule) => ruleErrors(rule),
      validateUpdate: (next, old) => ruleErrors(next, old),
    },
    subresources: [bareStatusSubresource(statusErrors)],
    columns: [
      nameColumn,
      taintColumn('Key', 'Key of the taint.', ({ key = '' }) => key),
      taintColumn('Value', 'Value of the taint.', ({ value = '' }) => value),
      taintColumn(
        'Effect',
        'Effect on claims that do not tolerate it.',
        ({ effect = '' }) => effect,
      ),
      taintColumn('TimeAdded', 'Time since the taint was added.', timeText),
      ageColumn,
    ],
  })
}

function taintColumn(name: string, description: string, cell: (taint: DeviceTaint) => string) {
  return cellColumn(name, description, ({ spec }: TaintRule) => cell(spec?.taint ?? {}))
}

function timeText({ timeAdded }: DeviceTaint): string {
  return timeAdded === undefined ? '' : humanDuration(Date.now() - Date.parse(timeAdded))
}

/** Sets the time when the effect changes, unless the client sets another time. */
function renewTime(next: TaintRule, old: TaintRule): void {
  const [after, before] = [next.spec?.taint, old.spec?.taint]
  if (after === undefined || after.effect === before?.effect) return
  if (after.timeAdded === before?.timeAdded) after.timeAdded = formatTime(Date.now())
}

function ruleErrors({ spec }: TaintRule, old?: TaintRule): FieldError[] {
  const { deviceSelector: selector = {}, taint = {} } = spec ?? {}
  const { driver, pool, device } = selector
  const path = 'spec.deviceSelector'
  return [
    ...(driver === undefined ? [] : driverErrors(`${path}.driver`, driver)),
    ...(pool === undefined ? [] : poolErrors(`${path}.pool`, pool)),
    ...(device === undefined ? [] : deviceNameErrors(`${path}.device`, device)),
    ...taintErrors(
      'spec.taint',
      taint,
      old !== undefined && old.spec?.taint?.effect === taint.effect,
    ),
  ]
}

function statusErrors({ status }: TaintRule): FieldError[] {
  const { conditions = [] } = status ?? {}
  const path = 'status.conditions'
  return [
    ...metaConditionErrors(path, conditions),
    ...errorIf(conditions.length > mostConditions, () =>
      tooManyField(path, conditions.length, mostConditions),
    ),
  ]
}
