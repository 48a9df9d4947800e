import {
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { labelErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { cellColumn, textColumn, valueAt } from '../../columns.ts'
import { declaredRequired, domainPrefixedPath, oneOf, unchanged } from '../../fieldChecks.ts'
import type { IngressClassSpec } from '../shapes/networkingV1.ts'
import { typedReferenceErrors } from './typedReference.ts'

/** Definition of the IngressClass kind. Source: Kubernetes API reference, IngressClass v1. */
export function ingressClassResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'networking.k8s.io',
    version: 'v1',
    plural: 'ingressclasses',
    kind: 'IngressClass',
    namespaced: false,
    description: 'IngressClass selects the controller of ingresses.',
    strategy: {
      generation: 'spec',
      setDefaults: (object) => {
        const { parameters } = specOf(object)
        if (parameters !== undefined) parameters.scope ??= 'Cluster'
      },
      validate: classErrors,
      declaredErrors: declaredRequired('spec.parameters.kind', 'spec.parameters.name'),
      validateChanges: (next, old) =>
        unchanged('spec.controller', specOf(next).controller ?? '', specOf(old).controller ?? ''),
      validateUpdate: classErrors,
    },
    columns: [
      { ...nameColumn, cell: nameText },
      textColumn('Controller', 'spec.controller', 'Controller of ingresses of the class.'),
      cellColumn('Parameters', 'Reference to the parameters of the controller.', parametersText),
      ageColumn,
    ],
  })
}

function nameText({ metadata: { name = '', annotations = {} } }: ApiObject): string {
  const isDefault = annotations['ingressclass.kubernetes.io/is-default-class'] === 'true'
  return isDefault ? `${name} (default)` : name
}

function specOf(object: ApiObject): IngressClassSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return valueAt(object, 'spec') ?? {}
}

function classErrors(object: ApiObject): FieldError[] {
  const { controller = '', parameters } = specOf(object)
  return [
    ...(Buffer.byteLength(controller) > maxControllerBytes
      ? [tooLongField('spec.controller', maxControllerBytes)]
      : []),
    ...domainPrefixedPath('spec.controller', controller),
    ...(parameters === undefined ? [] : parametersErrors('spec.parameters', parameters)),
  ]
}

const maxControllerBytes = 250

function parametersErrors(
  path: string,
  parameters: NonNullable<IngressClassSpec['parameters']>,
): FieldError[] {
  const { namespace } = parameters
  const scope = parameters.scope ?? ''
  const at = `${path}.namespace`
  const given = typedReferenceErrors(path, parameters)
  const set = (name: string) => `\`parameters.scope\` is set to '${name}'`
  switch (scope) {
    case 'Namespace':
      if (namespace === undefined) return [...given, requiredField(at, set(scope))]
      return [...given, ...labelErrors(namespace).map((text) => invalidField(at, namespace, text))]
    case 'Cluster':
      return namespace === undefined ? given : [...given, forbiddenField(at, set(scope))]
    default:
      return [...given, ...oneOf(`${path}.scope`, scope, ['Cluster', 'Namespace'])]
  }
}

function parametersText(object: ApiObject): string {
  const { parameters } = specOf(object)
  if (parameters === undefined) return '<none>'
  const { kind = '', name = '' } = parameters
  const apiGroup = parameters.apiGroup ?? ''
  return apiGroup === '' ? `${kind}/${name}` : `${kind}.${apiGroup}/${name}`
}
