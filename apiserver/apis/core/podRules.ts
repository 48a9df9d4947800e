import { duplicateField, invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import { labelErrors, subdomainErrors } from '../../meta/nameValidation.ts'
import { named, notNegative, oneOf } from '../fieldChecks.ts'
import { containerErrors } from './containerRules.ts'
import type { Container, PodSpec } from './podTypes.ts'

const restartPolicies = ['Always', 'Never', 'OnFailure']
const dnsPolicies = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']

/** The rules of a pod's spec, of those that go beyond its schema the ones that people run into. `path` leads to it.
 *  Source: Kubernetes API reference, PodSpec v1; observed answers. */
export function podSpecErrors(path: string, spec: PodSpec): FieldError[] {
  const { volumes = [], containers = [], initContainers = [], ephemeralContainers = [] } = spec
  const volumeNames = volumes.map(({ name = '' }) => name)
  const listErrors = (field: string, list: readonly Container[]) =>
    list.flatMap((container, index) =>
      containerErrors(`${path}.${field}[${index}]`, container, volumeNames),
    )
  return [
    ...nameListErrors(`${path}.volumes`, volumeNames, []),
    ...listErrors('containers', containers),
    ...nameListErrors(`${path}.containers`, namesOf(containers), []),
    ...listErrors('initContainers', initContainers),
    ...nameListErrors(`${path}.initContainers`, namesOf(initContainers), namesOf(containers)),
    ...listErrors('ephemeralContainers', ephemeralContainers),
    ...oneOf(`${path}.restartPolicy`, spec.restartPolicy, restartPolicies),
    ...oneOf(`${path}.dnsPolicy`, spec.dnsPolicy, dnsPolicies),
    ...placeErrors(path, spec),
  ]
}

function placeErrors(path: string, spec: PodSpec): FieldError[] {
  const { serviceAccountName: account, nodeName, activeDeadlineSeconds: deadline } = spec
  const errors = notNegative(
    `${path}.terminationGracePeriodSeconds`,
    spec.terminationGracePeriodSeconds,
  )
  if (account !== undefined)
    errors.push(...named(`${path}.serviceAccountName`, account, subdomainErrors))
  if (nodeName !== undefined) errors.push(...named(`${path}.nodeName`, nodeName, subdomainErrors))
  if (deadline !== undefined && (deadline < 1 || deadline > 2147483647)) {
    const detail = 'must be between 1 and 2147483647, inclusive'
    errors.push(invalidField(`${path}.activeDeadlineSeconds`, deadline, detail))
  }
  return errors
}

function namesOf(containers: readonly Container[]): string[] {
  return containers.map(({ name = '' }) => name)
}

/** Names are labels, and each stands once. */
function nameListErrors(
  path: string,
  names: readonly string[],
  taken: readonly string[],
): FieldError[] {
  return names.flatMap((name, index) => {
    const at = `${path}[${index}].name`
    const wrong = named(at, name, labelErrors)
    if (wrong.length > 0) return wrong
    const isTaken = taken.includes(name) || names.indexOf(name) < index
    return isTaken ? [duplicateField(at, name)] : []
  })
}
