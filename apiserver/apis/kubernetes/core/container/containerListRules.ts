import {
  duplicateField,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  tooManyField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { errorIf, oneOf } from '../../../fieldChecks.ts'
import type { Container, EphemeralContainer, PodSpec } from '../../shapes/coreV1.ts'
import { containerErrors, paddedImageErrors, type ContainerSurroundings } from './containerRules.ts'
import { isSidecar } from '../pod/podTypes.ts'
import { hookErrors } from './probeRules.ts'

const restartPolicies = ['Always', 'Never', 'OnFailure']

/** Errors for the containers of a pod: regular, init and ephemeral ones. */
export function containerListErrors(
  path: string,
  { containers: given, initContainers = [], ephemeralContainers = [] }: PodSpec,
  around: ContainerSurroundings,
): FieldError[] {
  const containers = given ?? []
  const taken = new Set<string>()
  return [
    ...(containers.length === 0 ? [requiredField(`${path}.containers`)] : []),
    ...containers.flatMap((container, index) => [
      ...containerErrors(`${path}.containers[${index}]`, container, around),
      ...repeatErrors(`${path}.containers[${index}]`, container, taken),
      ...hookErrors(`${path}.containers[${index}]`, container, around),
      ...restartErrors(`${path}.containers[${index}]`, container),
    ]),
    ...hostPortErrors(`${path}.containers`, containers),
    ...initContainers.flatMap((container, index) => [
      ...initErrors(`${path}.initContainers[${index}]`, container, { around, taken }),
    ]),
    ...ephemeralErrors(`${path}.ephemeralContainers`, { ephemeralContainers, taken }, around),
  ]
}

interface InitSurroundings {
  around: ContainerSurroundings
  taken: Set<string>
}

function initErrors(
  path: string,
  container: Container,
  { around, taken }: InitSurroundings,
): FieldError[] {
  const { restartPolicy } = container
  return [
    ...containerErrors(path, container, around),
    // Rules without a policy are not validated any further.
    ...restartErrors(path, container).slice(0, restartPolicy === undefined ? 1 : undefined),
    ...initNameErrors(path, container, taken),
    // Each init container is reported as the first one, since they run in sequence.
    ...hostPortErrors(path.replace(/\[\d+\]$/, ''), [container]),
    ...(isSidecar(container)
      ? hookErrors(path, container, around)
      : [...hookless(path, container), ...restartedResizes(path, container)]),
  ]
}

function initNameErrors(path: string, container: Container, taken: Set<string>): FieldError[] {
  if ((container.name ?? '') !== '') return repeatErrors(path, container, taken)
  return errorIf(taken.has(''), () => duplicateField(`${path}.name`, ''))
}

const restartedText = "must not be set to 'RestartContainer' for non-sidecar initContainers"

function restartedResizes(path: string, { resizePolicy = [] }: Container): FieldError[] {
  return resizePolicy.flatMap(({ restartPolicy }, index) =>
    errorIf(restartPolicy === 'RestartContainer', () =>
      invalidField(`${path}.resizePolicy[${index}].restartPolicy`, restartPolicy, restartedText),
    ),
  )
}

/** Errors for a repeated name. Adds the name to `taken`. */
function repeatErrors(path: string, { name = '' }: Container, taken: Set<string>): FieldError[] {
  const isTaken = taken.has(name)
  taken.add(name)
  return isTaken ? [duplicateField(`${path}.name`, name)] : []
}

function restartErrors(
  path: string,
  { restartPolicy, restartPolicyRules = [] }: Container,
): FieldError[] {
  const at = `${path}.restartPolicy`
  const missing = 'must specify restartPolicy when restart rules are used'
  if (restartPolicy === undefined) {
    const isMissed = restartPolicyRules.length > 0
    return isMissed ? [requiredField(at, missing), ...ruleErrors(path, restartPolicyRules)] : []
  }
  return [...oneOf(at, restartPolicy, restartPolicies), ...ruleErrors(path, restartPolicyRules)]
}

function ruleErrors(
  path: string,
  restartPolicyRules: NonNullable<Container['restartPolicyRules']>,
): FieldError[] {
  return [
    ...(restartPolicyRules.length > 20
      ? [tooManyField(`${path}.restartPolicyRules`, restartPolicyRules.length, 20)]
      : []),
    ...restartPolicyRules.flatMap(({ action = '', exitCodes }, index) => {
      const rule = `${path}.restartPolicyRules[${index}]`
      const { operator = '', values = [] } = exitCodes ?? {}
      return [
        ...oneOf(`${rule}.action`, action, ruleActions),
        ...(exitCodes === undefined
          ? [requiredField(`${rule}.exitCodes`, 'must be specified')]
          : oneOf(`${rule}.exitCodes.operator`, operator, ['In', 'NotIn'])),
        ...(values.length > 255
          ? [tooManyField(`${rule}.exitCodes.values`, values.length, 255)]
          : []),
      ]
    }),
  ]
}

const ruleActions = ['Restart', 'RestartAllContainers']

const hooks = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const
const hooklessText = 'may not be set for init containers without restartPolicy=Always'

function hookless(path: string, container: Container): FieldError[] {
  return hooks
    .filter((name) => container[name] !== undefined)
    .map((name) => forbiddenField(`${path}.${name}`, hooklessText))
}

/** Errors for host ports that several containers use. */
function hostPortErrors(path: string, containers: readonly Container[]): FieldError[] {
  const seen = new Set<string>()
  return containers.flatMap(({ ports = [] }, at) =>
    ports.flatMap(({ hostPort = 0, hostIP = '', protocol = '' }, index) => {
      if (hostPort === 0) return []
      const key = `${protocol}/${hostIP}/${hostPort}`
      const isTaken = seen.has(key)
      seen.add(key)
      return isTaken ? [duplicateField(`${path}[${at}].ports[${index}].hostPort`, key)] : []
    }),
  )
}

/** Refused fields, in the order of kube-apiserver's type. */
const refused = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const
const refusedText = 'cannot be set for an Ephemeral Container'

function ephemeralErrors(
  path: string,
  {
    ephemeralContainers,
    taken,
  }: { ephemeralContainers: readonly EphemeralContainer[]; taken: Set<string> },
  around: ContainerSurroundings,
): FieldError[] {
  const others = new Set(taken)
  return ephemeralContainers.flatMap((container, index) => {
    const { targetContainerName: target = '', volumeMounts = [] } = container
    const at = `${path}[${index}]`
    const forbidden = (field: string) => forbiddenField(`${at}.${field}`, refusedText)
    return [
      ...containerErrors(at, container, around),
      ...paddedImageErrors(at, container),
      ...repeatErrors(at, container, taken),
      ...(target === '' || others.has(target)
        ? []
        : [notFoundField(`${at}.targetContainerName`, target)]),
      ...refused.filter((field) => isGiven(field, container)).map(forbidden),
      ...volumeMounts.flatMap(({ subPath = '', subPathExpr = '' }, mount) => [
        ...(subPath === '' ? [] : [forbidden(`volumeMounts[${mount}].subPath`)]),
        ...(subPathExpr === '' ? [] : [forbidden(`volumeMounts[${mount}].subPathExpr`)]),
      ]),
    ]
  })
}

/** Reports whether a field is set; decoding gives every container an empty struct of resources. */
function isGiven(field: (typeof refused)[number], container: Container): boolean {
  const value = container[field]
  return field === 'resources' ? Object.keys(value ?? {}).length > 0 : value !== undefined
}
