import {
  duplicateField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import { compareQuantities, parseQuantity } from '../../meta/quantity.ts'
import { given, oneOf, portName, portNumber } from '../fieldChecks.ts'
import type { Container, ContainerPort, Resources } from './podTypes.ts'

const pullPolicies = ['Always', 'IfNotPresent', 'Never']
const protocols = ['SCTP', 'TCP', 'UDP']
const messagePolicies = ['FallbackToLogsOnError', 'File']

/** The rules of one container but for its name. `volumes`: names that it may mount.
 *  Source: Kubernetes API reference, Container v1; observed answers. */
export function containerErrors(
  path: string,
  container: Container,
  volumes: readonly string[],
): FieldError[] {
  const { image, imagePullPolicy, ports = [], env = [], resources = {} } = container
  return [
    ...given(`${path}.image`, image),
    ...imageErrors(`${path}.image`, image ?? ''),
    ...portErrors(`${path}.ports`, ports),
    ...env.flatMap(({ name }, index) => given(`${path}.env[${index}].name`, name)),
    ...mountErrors(`${path}.volumeMounts`, container, volumes),
    ...oneOf(`${path}.imagePullPolicy`, imagePullPolicy, pullPolicies),
    ...oneOf(
      `${path}.terminationMessagePolicy`,
      container.terminationMessagePolicy,
      messagePolicies,
    ),
    ...resourceErrors(`${path}.resources`, resources),
  ]
}

function imageErrors(path: string, image: string): FieldError[] {
  if (image === image.trim()) return []
  return [invalidField(path, image, 'must not have leading or trailing whitespace')]
}

function portErrors(path: string, ports: readonly ContainerPort[]): FieldError[] {
  const names = ports.map(({ name }) => name)
  return ports.flatMap(({ name, containerPort, hostPort, protocol }, index) => {
    const at = `${path}[${index}]`
    const isTaken = name !== undefined && names.indexOf(name) < index
    return [
      ...(name === undefined ? [] : portName(`${at}.name`, name)),
      ...(isTaken ? [duplicateField(`${at}.name`, name)] : []),
      ...(containerPort === undefined || containerPort === 0
        ? [requiredField(`${at}.containerPort`)]
        : portNumber(`${at}.containerPort`, containerPort)),
      ...portNumber(`${at}.hostPort`, hostPort),
      ...oneOf(`${at}.protocol`, protocol, protocols),
    ]
  })
}

function mountErrors(
  path: string,
  { volumeMounts = [] }: Container,
  volumes: readonly string[],
): FieldError[] {
  const places = volumeMounts.map(({ mountPath }) => mountPath)
  return volumeMounts.flatMap(({ name = '', mountPath = '' }, index) => {
    const at = `${path}[${index}]`
    const errors = [...given(`${at}.name`, name), ...given(`${at}.mountPath`, mountPath)]
    if (name !== '' && !volumes.includes(name)) {
      const message = `Not found: ${JSON.stringify(name)}`
      errors.push({ reason: 'FieldValueNotFound', field: `${at}.name`, message })
    }
    if (places.indexOf(mountPath) < index)
      errors.push(invalidField(`${at}.mountPath`, mountPath, 'must be unique'))
    return errors
  })
}

/** Amounts are not negative, and no more is requested than the limit. */
function resourceErrors(path: string, { limits = {}, requests = {} }: Resources): FieldError[] {
  return [
    ...amountErrors(`${path}.limits`, limits),
    ...amountErrors(`${path}.requests`, requests),
    ...Object.entries(requests).flatMap(([name, request]) => {
      const limit = limits[name]
      if (limit === undefined || compare(request, limit) <= 0) return []
      const detail = `must be less than or equal to ${name} limit of ${limit}`
      return [invalidField(`${path}.requests`, request, detail)]
    }),
  ]
}

/** Amounts by name. Source: apimachinery, ValidateNonnegativeQuantity. */
export function amountErrors(
  path: string,
  amounts: Readonly<Record<string, string>>,
): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) =>
    compare(amount, '0') < 0
      ? [invalidField(`${path}[${name}]`, amount, 'must be greater than or equal to 0')]
      : [],
  )
}

/** The schema has made sure that both are quantities. */
function compare(a: string, b: string): number {
  const [left, right] = [parseQuantity(a), parseQuantity(b)]
  return left === undefined || right === undefined ? 0 : compareQuantities(left, right)
}
