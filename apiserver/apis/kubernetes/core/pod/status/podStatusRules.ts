import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../../meta/fieldErrors.ts'
import {
  labelErrors,
  labelKeyErrors,
  subdomainErrors,
} from '../../../../../meta/names/nameValidation.ts'
import { repeats } from '../../../../../meta/collections/repeats.ts'
import { errorIf, givenName, optionalName, unchanged } from '../../../../fieldChecks.ts'
import type {
  ContainerExtendedResourceRequest,
  PodCondition,
  PodSpec,
  PodStatus,
} from '../../../shapes/coreV1.ts'
import { allocationErrors, transitionErrors, userErrors } from './containerStatusRules.ts'
import { annotationChangeErrors, podAnnotationErrors } from '../rules/podAnnotations.ts'
import { hostAddressErrors, podAddressErrors } from './podAddresses.ts'
import type { Pod } from '../podTypes.ts'

/**
 * Errors for a pod status. Source: Kubernetes API reference, PodStatus v1; seen on kube-apiserver
 * 1.37.2.
 */
export function podStatusErrors(next: Pod, old: Pod): FieldError[] {
  const { metadata, spec, status } = next
  const annotations = metadata.annotations ?? {}
  return [
    ...annotationChangeErrors(annotations, old.metadata.annotations ?? {}),
    ...podAnnotationErrors(annotations, spec),
    ...(status.conditions ?? []).flatMap((one, at) =>
      conditionErrors(`status.conditions[${at}]`, one),
    ),
    ...nominationErrors(status, old.status, spec),
    ...generationErrors('status', status.observedGeneration),
    ...unchanged('status.qosClass', status.qosClass, old.status.qosClass),
    ...transitionErrors(next, old),
    ...claimErrors(status.resourceClaimStatuses ?? [], spec),
    ...extendedErrors(status.extendedResourceClaimStatus, spec),
    ...podAddressErrors(status, old.status),
    ...hostAddressErrors(status, old.status),
    ...userErrors(next),
    ...allocationErrors(next),
  ]
}

const standardConditions = ['PodScheduled', 'Ready', 'Initialized']

/** Errors for a condition. The path contains the name of kube-apiserver's internal type. */
function conditionErrors(path: string, { type = '', observedGeneration }: PodCondition) {
  return [
    ...generationErrors(path, observedGeneration),
    ...(standardConditions.includes(type) ? [] : labelKeyErrors(type)).map((text) =>
      invalidField(`${path}.Type`, type, text),
    ),
  ]
}

function generationErrors(path: string, generation = 0): FieldError[] {
  return errorIf(generation < 0, () =>
    invalidField(`${path}.observedGeneration`, generation, 'must be a non-negative integer'),
  )
}

const boundText = 'may not be set on pods that are already bound to a node'

function nominationErrors(
  { nominatedNodeName: name }: PodStatus,
  before: PodStatus,
  { nodeName = '' }: PodSpec,
): FieldError[] {
  if (name === undefined || name === before.nominatedNodeName) return []
  const path = 'status.nominatedNodeName'
  return [
    ...optionalName(path, name, subdomainErrors),
    ...errorIf(nodeName !== '', () => forbiddenField(path, boundText)),
  ]
}

const unknownClaim = 'must match the name of an entry in `spec.resourceClaims`'

function claimErrors(
  claims: NonNullable<PodStatus['resourceClaimStatuses']>,
  { resourceClaims = [] }: PodSpec,
): FieldError[] {
  const known = new Set(resourceClaims.map(({ name = '' }) => name))
  const isRepeat = repeats(claims.map(({ name = '' }) => name))
  return claims.flatMap(({ name = '', resourceClaimName }, index) => {
    const at = `status.resourceClaimStatuses[${index}]`
    return [
      ...errorIf(!known.has(name), () => invalidField(`${at}.name`, name, unknownClaim)),
      ...errorIf(isRepeat[index] === true, () => duplicateField(`${at}.name`, name)),
      ...givenName(`${at}.resourceClaimName`, resourceClaimName, subdomainErrors),
    ]
  })
}

const path = 'status.extendedResourceClaimStatus'
const unknownResource =
  'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests'
const unknownContainer =
  'must match the name of an entry in spec.initContainers.name or spec.containers.name'

function extendedErrors(
  given: PodStatus['extendedResourceClaimStatus'],
  spec: PodSpec,
): FieldError[] {
  if (given === undefined) return []
  const { requestMappings, resourceClaimName: name = '' } = given
  const mappings = requestMappings ?? []
  const isRepeat = repeats(mappings.map((one) => JSON.stringify(keyOf(one))))
  return [
    ...errorIf(mappings.length === 0, () =>
      requiredField(`${path}.requestMappings`, 'at least one request mapping is required'),
    ),
    ...mappings.flatMap((one, index) => [
      ...mappingErrors(`${path}.requestMappings[${index}]`, one, spec),
      ...(isRepeat[index] === true
        ? Object.entries(keyOf(one)).map(([field, value]) =>
            duplicateField(`${path}.requestMappings[${index}].${field}`, value),
          )
        : []),
    ]),
    ...errorIf(name === '', () => requiredField(`${path}.resourceClaimName`)),
    ...optionalName(`${path}.resourceClaimName`, name, subdomainErrors),
  ]
}

function keyOf({
  containerName = '',
  resourceName = '',
  requestName = '',
}: ContainerExtendedResourceRequest) {
  return { containerName, resourceName, requestName }
}

function mappingErrors(
  at: string,
  { containerName = '', resourceName = '', requestName = '' }: ContainerExtendedResourceRequest,
  { initContainers = [], containers }: PodSpec,
): FieldError[] {
  const all = [...(containers ?? []), ...initContainers]
  const container = all.find(({ name }) => name === containerName)
  const isAsked = Object.hasOwn(container?.resources?.requests ?? {}, resourceName)
  return [
    ...(container === undefined
      ? [invalidField(`${at}.containerName`, containerName, unknownContainer)]
      : errorIf(!isAsked, () => invalidField(`${at}.resourceName`, resourceName, unknownResource))),
    ...labelErrors(requestName).map((text) =>
      invalidField(`${path}.requestName`, requestName, text),
    ),
  ]
}
