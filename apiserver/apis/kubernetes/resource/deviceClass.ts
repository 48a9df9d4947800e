import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { labelKeyErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { errorIf } from '../../fieldChecks.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { isExtendedName } from '../core/container/resourceRules.ts'
import type { DeviceClassSpec } from '../shapes/resourceV1.ts'
import { configurationErrors, selectorsErrors } from './resourceClaimRules.ts'
import { listErrors } from './deviceNames.ts'

interface DeviceClass extends ApiObject {
  spec?: DeviceClassSpec
}

const mostConfigurations = 32

/**
 * Definition of the DeviceClass kind. Source: Kubernetes API reference, DeviceClass v1; seen on kube-apiserver 1.37.2.
 */
export function deviceClassResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'resource.k8s.io',
    version: 'v1',
    plural: 'deviceclasses',
    kind: 'DeviceClass',
    namespaced: false,
    description: 'DeviceClass describes a class of devices that claims can request.',
    strategy: {
      metadata: { prefixRule: 'path', namesOnCreate: true },
      deletion: { returnsObject: true },
      validate: classErrors,
      validateUpdate: classErrors,
    },
    columns: [nameColumn, ageColumn],
  })
}

function classErrors({ spec }: DeviceClass): FieldError[] {
  const { selectors, config = [], extendedResourceName: name } = spec ?? {}
  return [
    ...selectorsErrors('spec.selectors', selectors),
    ...listErrors('spec.config', config, { max: mostConfigurations, each: configurationErrors }),
    ...(name === undefined ? [] : extendedNameErrors(name)),
  ]
}

const prefixText = "a name must be a domain-prefixed path, such as 'example.com/my-prop'"

function extendedNameErrors(name: string): FieldError[] {
  const path = 'spec.extendedResourceName'
  if (!name.includes('/')) {
    const part =
      name === ''
        ? labelKeyErrors('').filter((text) => text.startsWith('name part must consist'))
        : []
    return [prefixText, ...part].map((text) => invalidField(path, name, text))
  }
  if (name.includes('kubernetes.io/')) {
    return [invalidField(path, name, 'must not have "kubernetes.io/" domain')]
  }
  return errorIf(!isExtendedName(name), () =>
    invalidField(path, name, 'must be a valid extended resource name'),
  )
}
