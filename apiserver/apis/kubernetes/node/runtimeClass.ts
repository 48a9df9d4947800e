import { duplicateField, type FieldError } from '../../../meta/fieldErrors.ts'
import { labelErrors } from '../../../meta/names/nameValidation.ts'
import { repeats } from '../../../meta/collections/repeats.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { labelsErrors } from '../../../registry/write/metadataValidation.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { textColumn } from '../../columns.ts'
import { fixed, given, named } from '../../fieldChecks.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { tolerationErrors } from '../core/node/taintRules.ts'
import { knownClaims, resourcesErrors } from '../core/container/resourceRules.ts'
import { deprecatedLabelWarning } from '../core/node/deprecatedLabels.ts'
import type { Toleration } from '../shapes/coreV1.ts'

interface RuntimeClass extends ApiObject {
  handler?: string
  overhead?: { podFixed?: Record<string, string> }
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] }
}

/**
 * Definition of the RuntimeClass kind. Source: Kubernetes API reference, RuntimeClass v1; seen on kube-apiserver
 * 1.37.2.
 */
export function runtimeClassResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'node.k8s.io',
    version: 'v1',
    plural: 'runtimeclasses',
    kind: 'RuntimeClass',
    namespaced: false,
    description: 'RuntimeClass selects a container runtime configuration for pods.',
    strategy: {
      generation: 'none',
      metadata: { qualifiedFinalizers: false },
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: false,
      validate: classErrors,
      validateUpdate: (next, old) => {
        const { handler = '' } = asClass(next)
        const changed = fixed('handler', handler, asClass(old).handler)
        const others = settingsErrors(next)
        // A missing handler is reported last. If the handler changed, the rule for changes ends the
        // declarative checks, and the older rule reports the name.
        return handler === ''
          ? [...others, ...changed, ...given('handler', handler)]
          : [...named('handler', handler, labelErrors), ...others, ...changed]
      },
      warningsOnCreate: labelWarnings,
      warningsOnUpdate: labelWarnings,
    },
    columns: [nameColumn, textColumn('Handler', 'handler', ''), ageColumn],
  })
}

function asClass(object: ApiObject): RuntimeClass {
  // Guaranteed by the schema.
  return object
}

function classErrors(object: ApiObject): FieldError[] {
  return [...settingsErrors(object), ...named('handler', asClass(object).handler, handlerErrors)]
}

/** Errors for all fields except the handler. */
function settingsErrors(object: ApiObject): FieldError[] {
  const { overhead, scheduling } = asClass(object)
  const { nodeSelector, tolerations = [] } = scheduling ?? {}
  const limits = { limits: overhead?.podFixed ?? {} }
  return [
    ...resourcesErrors('overhead', limits, knownClaims([])),
    ...(nodeSelector === undefined ? [] : labelsErrors('scheduling.nodeSelector', nodeSelector)),
    ...tolerationErrors('scheduling.tolerations', tolerations),
    ...repeatedErrors('scheduling.tolerations', tolerations),
  ]
}

/** Errors for the name of a handler, whose length is reported in bytes. */
function handlerErrors(name: string): string[] {
  return labelErrors(name).map((text) => text.replace('63 characters', '63 bytes'))
}

/** Errors for repeated tolerations; tolerations that differ only in their seconds are equal. */
function repeatedErrors(path: string, tolerations: readonly Toleration[]): FieldError[] {
  const keys = tolerations.map(({ key = '', operator = '', value = '', effect = '' }) =>
    JSON.stringify([key, operator, value, effect]),
  )
  const isRepeated = repeats(keys)
  return tolerations.flatMap((toleration, index) =>
    isRepeated[index] === true ? [duplicateField(`${path}[${index}]`, shown(toleration))] : [],
  )
}

/** Value as error messages show it: all fields, with the names of the internal type. */
function shown({ key = '', operator = '', value = '', effect = '', ...rest }: Toleration): unknown {
  const seconds = rest.tolerationSeconds ?? null
  return { Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: seconds }
}

function labelWarnings(object: ApiObject): string[] {
  const { nodeSelector = {} } = asClass(object).scheduling ?? {}
  return Object.keys(nodeSelector).flatMap((key) => {
    const text = deprecatedLabelWarning(key)
    return text === undefined ? [] : [`scheduling.nodeSelector: ${text}`]
  })
}
