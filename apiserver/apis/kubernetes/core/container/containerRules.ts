import {
  duplicateField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelErrors } from '../../../../meta/names/nameValidation.ts'
import { errorIf, given, named, oneOf, portName, portNumber } from '../../../fieldChecks.ts'
import type { Container, ContainerPort, Volume } from '../../shapes/coreV1.ts'
import { envErrors, envFromErrors } from './envRules.ts'
import { deviceErrors, mountErrors } from './mountRules.ts'
import { resourcesErrors, type KnownClaims } from './resourceRules.ts'
import { containerSecurityErrors } from './securityRules.ts'
import { repeats } from '../../../../meta/collections/repeats.ts'

/** Other parts of the pod that the container rules need. */
export interface ContainerSurroundings {
  /** Valid volumes. */
  volumes: ReadonlyMap<string, Volume>
  claims: KnownClaims
  graceSeconds: number
  podRestartPolicy: string
  hostUsers: boolean | undefined
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never']
const protocols = ['SCTP', 'TCP', 'UDP']
const messagePolicies = ['File', 'FallbackToLogsOnError']
const resizePolicies = ['NotRequired', 'RestartContainer']

/** Errors for a container. Source: Kubernetes API reference, Container v1; observed answers. */
export function containerErrors(
  path: string,
  container: Container,
  { volumes, claims, hostUsers, podRestartPolicy }: ContainerSurroundings,
): FieldError[] {
  const { name, image, ports = [], env = [], envFrom = [], resources = {} } = container
  return [
    ...named(`${path}.name`, name, labelErrors),
    ...given(`${path}.image`, image),
    ...oneOf(
      `${path}.terminationMessagePolicy`,
      container.terminationMessagePolicy,
      messagePolicies,
    ),
    ...portErrors(`${path}.ports`, ports),
    ...envErrors(`${path}.env`, env),
    ...envFromErrors(`${path}.envFrom`, envFrom),
    ...mountErrors(`${path}.volumeMounts`, container, volumes),
    ...deviceErrors(`${path}.volumeDevices`, container, volumes),
    ...oneOf(`${path}.imagePullPolicy`, container.imagePullPolicy, pullPolicies),
    ...resourcesErrors(`${path}.resources`, resources, claims),
    ...resizeErrors(`${path}.resizePolicy`, container, podRestartPolicy),
    ...containerSecurityErrors(`${path}.securityContext`, container.securityContext, hostUsers),
  ]
}

/** Errors for an image with surrounding spaces, which templates may have but pods may not. */
export function paddedImageErrors(path: string, { image = '' }: Container): FieldError[] {
  return errorIf(image !== image.trim(), () =>
    invalidField(`${path}.image`, image, 'must not have leading or trailing whitespace'),
  )
}

function portErrors(path: string, ports: readonly ContainerPort[]): FieldError[] {
  const isRepeated = repeats(ports.map(({ name = '' }) => name))
  return ports.flatMap(({ name = '', containerPort = 0, hostPort = 0, protocol }, index) => {
    const at = `${path}[${index}]`
    const wrong = name === '' ? [] : portName(`${at}.name`, name)
    const isTaken = name !== '' && wrong.length === 0 && isRepeated[index] === true
    return [
      ...wrong,
      ...(isTaken ? [duplicateField(`${at}.name`, name)] : []),
      ...(containerPort === 0
        ? [requiredField(`${at}.containerPort`)]
        : portNumber(`${at}.containerPort`, containerPort)),
      ...(hostPort === 0 ? [] : portNumber(`${at}.hostPort`, hostPort)),
      ...oneOf(`${at}.protocol`, protocol, protocols),
    ]
  })
}

/**
 * Errors for resize policies. Most of their paths do not contain the index of the policy, as in
 * kube-apiserver.
 */
function resizeErrors(
  path: string,
  { resizePolicy = [] }: Container,
  podRestartPolicy: string,
): FieldError[] {
  const isRepeated = repeats(resizePolicy.map(({ resourceName = '' }) => resourceName))
  const isNever = podRestartPolicy === 'Never'
  return resizePolicy.flatMap(({ resourceName = '', restartPolicy = '' }, index) => [
    ...errorIf(isRepeated[index] === true, () => duplicateField(`${path}[${index}]`, resourceName)),
    ...needed(path, resourceName, ['cpu', 'memory']),
    ...needed(path, restartPolicy, resizePolicies),
    ...errorIf(isNever && restartPolicy !== 'NotRequired', () =>
      invalidField(path, restartPolicy, neverText),
    ),
  ])
}

const neverText = "must be 'NotRequired' when pod `restartPolicy` is 'Never'"

function needed(path: string, value: string, known: readonly string[]): FieldError[] {
  return value === '' ? [requiredField(path)] : oneOf(path, value, known)
}
