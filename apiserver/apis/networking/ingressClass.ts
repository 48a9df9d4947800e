import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { cellColumn, textColumn, valueAt } from '../columns.ts'
import { given, unchanged } from '../fieldChecks.ts'
import { fill } from '../fill.ts'

interface ClassSpec {
  controller?: string
  parameters?: { apiGroup?: string; kind?: string; name?: string; scope?: string }
}

/** Source: Kubernetes API reference, IngressClass v1. */
export function ingressClassResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'networking.k8s.io',
    version: 'v1',
    plural: 'ingressclasses',
    kind: 'IngressClass',
    namespaced: false,
    description: 'IngressClass names the controller of ingresses.',
    strategy: {
      generation: 'spec',
      setDefaults: (object) => {
        const { parameters } = specOf(object)
        if (parameters !== undefined) fill(parameters, { scope: 'Cluster' })
      },
      validate: classErrors,
      validateUpdate: (next, old) => [
        ...classErrors(next),
        ...unchanged('spec.controller', specOf(next).controller, specOf(old).controller),
      ],
    },
    columns: [
      nameColumn,
      textColumn('Controller', 'spec.controller', 'Who looks after its ingresses.'),
      cellColumn('Parameters', 'Where its settings are.', parametersText),
      ageColumn,
    ],
  })
}

function specOf(object: ApiObject): ClassSpec {
  // The schema says what the spec holds, and the store gives every object one.
  return valueAt(object, 'spec') ?? {}
}

function classErrors(object: ApiObject): FieldError[] {
  const { controller = '' } = specOf(object)
  const missing = given('spec.controller', controller)
  if (missing.length > 0 || /^[^/]+\/.+$/.test(controller)) return missing
  const detail = 'must be a domain-prefixed path (such as "acme.io/foo")'
  return [invalidField('spec.controller', controller, detail)]
}

function parametersText(object: ApiObject): string {
  const { parameters } = specOf(object)
  if (parameters === undefined) return '<none>'
  const { apiGroup = '', kind = '', name = '' } = parameters
  return apiGroup === '' ? `${kind}/${name}` : `${kind}.${apiGroup}/${name}`
}
