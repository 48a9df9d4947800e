import {
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { given, notNegative, oneOf, portName, portNumber } from '../../../fieldChecks.ts'
import type { Container, HTTPGetAction, LifecycleHandler, Probe } from '../../shapes/coreV1.ts'
import type { ContainerSurroundings } from './containerRules.ts'

const schemes = ['HTTP', 'HTTPS']
const header = '[-A-Za-z0-9]+'
const headerText = `a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '${header}')`
const wholeHeader = new RegExp(`^(?:${header})$`)

/**
 * Errors for lifecycle hooks and probes. Source: Kubernetes API reference, Probe and Lifecycle v1.
 */
export function hookErrors(
  path: string,
  container: Container,
  { graceSeconds }: Pick<ContainerSurroundings, 'graceSeconds'>,
): FieldError[] {
  const { lifecycle = {}, livenessProbe, readinessProbe, startupProbe } = container
  return [
    ...lifecycleErrors(`${path}.lifecycle`, lifecycle, graceSeconds),
    ...probeErrors(`${path}.livenessProbe`, livenessProbe),
    ...successErrors(`${path}.livenessProbe`, livenessProbe),
    ...probeErrors(`${path}.readinessProbe`, readinessProbe),
    ...graceErrors(`${path}.readinessProbe`, readinessProbe),
    ...probeErrors(`${path}.startupProbe`, startupProbe),
    ...successErrors(`${path}.startupProbe`, startupProbe),
  ]
}

function lifecycleErrors(
  path: string,
  { postStart, preStop }: NonNullable<Container['lifecycle']>,
  graceSeconds: number,
): FieldError[] {
  return [
    ...(postStart ? handlerErrors(`${path}.postStart`, postStart, graceSeconds) : []),
    ...(preStop ? handlerErrors(`${path}.preStop`, preStop, graceSeconds) : []),
  ]
}

function probeErrors(path: string, probe: Probe | undefined): FieldError[] {
  if (probe === undefined) return []
  const { terminationGracePeriodSeconds: grace } = probe
  return [
    ...handlerErrors(path, probe, 0),
    ...counts.flatMap((name) => notNegative(`${path}.${name}`, probe[name])),
    ...(grace !== undefined && grace <= 0
      ? [invalidField(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')]
      : []),
  ]
}

const counts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const

function successErrors(path: string, probe: Probe | undefined): FieldError[] {
  const count = probe?.successThreshold ?? 1
  return count === 1 ? [] : [invalidField(`${path}.successThreshold`, count, 'must be 1')]
}

function graceErrors(path: string, probe: Probe | undefined): FieldError[] {
  const grace = probe?.terminationGracePeriodSeconds
  const at = `${path}.terminationGracePeriodSeconds`
  return grace === undefined ? [] : [invalidField(at, grace, 'must not be set for readinessProbes')]
}

/** Handler of a probe or a lifecycle hook. */
type Handler = Probe & LifecycleHandler

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const

/** Errors unless there is exactly one handler. */
function handlerErrors(path: string, handler: Handler, graceSeconds: number): FieldError[] {
  const [first, ...others] = handlers.filter((name) => handler[name] !== undefined)
  if (first === undefined) return [requiredField(path, 'must specify a handler type')]
  return [
    ...actionErrors(path, handler, { name: first, graceSeconds }),
    ...others.map((name) =>
      forbiddenField(`${path}.${name}`, 'may not specify more than 1 handler type'),
    ),
  ]
}

function actionErrors(
  path: string,
  handler: Handler,
  { name, graceSeconds }: { name: (typeof handlers)[number]; graceSeconds: number },
): FieldError[] {
  const at = `${path}.${name}`
  const { exec = {}, httpGet = {}, tcpSocket = {}, grpc = {}, sleep = {} } = handler
  switch (name) {
    case 'exec':
      return commandErrors(`${at}.command`, exec.command)
    case 'httpGet':
      return httpErrors(at, httpGet)
    case 'tcpSocket':
      return portErrors(`${at}.port`, tcpSocket.port)
    case 'grpc':
      return portErrors(`${at}.port`, grpc.port)
    case 'sleep':
      return sleepErrors(at, sleep.seconds, graceSeconds)
  }
}

function commandErrors(path: string, command: readonly string[] = []): FieldError[] {
  return command.length === 0 ? [requiredField(path)] : []
}

function sleepErrors(
  path: string,
  seconds: number | undefined,
  graceSeconds: number,
): FieldError[] {
  const length = seconds ?? 0
  if (length >= 0 && length <= graceSeconds) return []
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`
  return [invalidField(path, length, detail)]
}

function httpErrors(path: string, { path: target, port, scheme, httpHeaders = [] }: HTTPGetAction) {
  return [
    ...given(`${path}.path`, target),
    ...portErrors(`${path}.port`, port),
    ...oneOf(`${path}.scheme`, scheme, schemes),
    ...httpHeaders.flatMap(({ name = '' }) =>
      wholeHeader.test(name) ? [] : [invalidField(`${path}.httpHeaders`, name, headerText)],
    ),
  ]
}

function portErrors(path: string, port: number | string = 0): FieldError[] {
  return typeof port === 'number' ? portNumber(path, port) : portName(path, port)
}
