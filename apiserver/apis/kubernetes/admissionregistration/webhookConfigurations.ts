import { isDeepStrictEqual } from 'node:util'
import { AdmissionExpressions, webhookVariables } from '../../../cel/admissionExpressions.ts'
import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { listLength } from '../../columns.ts'
import { fillMissing } from '../../fill.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import type { MutatingWebhook } from '../shapes/admissionregistrationV1.ts'
import { admissionGroup, admissionPlural } from './admissionNames.ts'
import { conditionCheck } from './matchConditionRules.ts'
import { webhooksErrors } from './webhookRules.ts'
import { webhooksOf } from './webhookShapes.ts'

/**
 * Definition of the ValidatingWebhookConfiguration kind. Source: Kubernetes API reference,
 * ValidatingWebhookConfiguration v1.
 */
export function validatingWebhooksResource(context: KindContext): ResourceDefinition {
  return configurationResource(context, {
    kind: 'ValidatingWebhookConfiguration',
    description:
      'ValidatingWebhookConfiguration configures webhooks that accept or refuse objects.',
    defaults: {},
  })
}

/**
 * Definition of the MutatingWebhookConfiguration kind. Source: Kubernetes API reference, MutatingWebhookConfiguration
 * v1.
 */
export function mutatingWebhooksResource(context: KindContext): ResourceDefinition {
  return configurationResource(context, {
    kind: 'MutatingWebhookConfiguration',
    description: 'MutatingWebhookConfiguration configures webhooks that change or refuse objects.',
    defaults: { reinvocationPolicy: 'Never' },
  })
}

interface Configuration {
  kind: string
  description: string
  defaults: Partial<MutatingWebhook>
}

function configurationResource(
  { types }: KindContext,
  { defaults, ...names }: Configuration,
): ResourceDefinition {
  return builtInKind(types, {
    group: admissionGroup,
    version: 'v1',
    ...names,
    plural: admissionPlural(names.kind),
    namespaced: false,
    categories: ['api-extensions'],
    strategy: configurationStrategy(defaults),
    columns: [
      nameColumn,
      {
        name: 'Webhooks',
        type: 'integer',
        description: 'Webhooks indicates the number of webhooks registered in this configuration',
        cell: (object) => listLength(object, 'webhooks'),
      },
      ageColumn,
    ],
  })
}

function configurationStrategy(defaults: Partial<MutatingWebhook>): Strategy {
  const cel = new AdmissionExpressions()
  const check = conditionCheck(cel, webhookVariables)
  const errors = (object: ApiObject): FieldError[] => webhooksErrors(webhooksOf(object), check)
  return {
    allowUnconditionalUpdate: false,
    generation: 'content',
    // The real server compares by reflection, so an empty map and an absent selector differ.
    raisesGeneration: (next, old) => !isDeepStrictEqual(next['webhooks'], old['webhooks']),
    setDefaults: (object) => {
      for (const webhook of webhooksOf(object)) setWebhookDefaults(webhook, defaults)
    },
    validate: errors,
    validateUpdate: errors,
  }
}

function setWebhookDefaults(webhook: MutatingWebhook, defaults: Partial<MutatingWebhook>): void {
  fillMissing(webhook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
    ...defaults,
  })
  const service = webhook.clientConfig?.service
  if (service !== undefined) fillMissing(service, { port: 443 })
  for (const rule of webhook.rules ?? []) fillMissing(rule, { scope: '*' })
}
