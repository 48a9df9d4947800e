import {
  duplicateField,
  forbiddenField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelErrors, labelKeyErrors } from '../../../../meta/names/nameValidation.ts'
import { givenName, oneOf, optionalName, portName, portNumber } from '../../../fieldChecks.ts'
import type { ServicePort } from '../../shapes/coreV1.ts'

const protocols = ['SCTP', 'TCP', 'UDP']

/** Creates a predicate that is true for each key from its second occurrence on. */
function repeatTest(): (key: string) => boolean {
  const seen = new Set<string>()
  return (key) => {
    const isThere = seen.has(key)
    seen.add(key)
    return isThere
  }
}

const at = (index: number) => `spec.ports[${index}]`

/** Errors for each port of a service, and for duplicate names. */
export function servicePortErrors(ports: readonly ServicePort[]): FieldError[] {
  const isRepeated = repeatTest()
  return ports.flatMap((port, index) => [
    ...nameErrors(`${at(index)}.name`, port.name ?? '', {
      isNeeded: ports.length > 1,
      isRepeated,
    }),
    ...portErrors(at(index), port),
  ])
}

/**
 * Errors for the ports as a set: duplicate numbers, and node ports that the type does not allow.
 */
export function portSetErrors(
  ports: readonly ServicePort[],
  type: string | undefined,
): FieldError[] {
  const isRepeated = repeatTest()
  const inside = "may not be used when `type` is 'ClusterIP'"
  return [
    ...(type === 'ClusterIP' ? ports : []).flatMap(({ nodePort = 0 }, index) =>
      nodePort === 0 ? [] : [forbiddenField(`${at(index)}.nodePort`, inside)],
    ),
    ...ports.flatMap(({ nodePort = 0, protocol = '' }, index) =>
      nodePort !== 0 && isRepeated(`node ${nodePort} ${protocol}`)
        ? [duplicateField(`${at(index)}.nodePort`, nodePort)]
        : [],
    ),
    ...ports.flatMap(({ port = 0, protocol = '' }, index) =>
      isRepeated(`port ${port} ${protocol}`)
        ? [duplicateField(at(index), inGo({ Protocol: protocol, Port: port }))]
        : [],
    ),
  ]
}

function nameErrors(
  path: string,
  name: string,
  { isNeeded, isRepeated }: { isNeeded: boolean; isRepeated: (key: string) => boolean },
): FieldError[] {
  if (name === '') return isNeeded ? [requiredField(path)] : []
  return [
    ...optionalName(path, name, labelErrors),
    ...(isRepeated(`name ${name}`) ? [duplicateField(path, name)] : []),
  ]
}

function portErrors(
  path: string,
  { port = 0, protocol, targetPort = 0, appProtocol }: Partial<ServicePort>,
) {
  return [
    ...portNumber(`${path}.port`, port),
    ...oneOf(`${path}.protocol`, protocol, protocols),
    ...(typeof targetPort === 'number'
      ? portNumber(`${path}.targetPort`, targetPort)
      : portName(`${path}.targetPort`, targetPort)),
    ...givenName(`${path}.appProtocol`, appProtocol, labelKeyErrors),
  ]
}

/** Port as error messages show it, with only the compared fields. */
function inGo(compared: { Protocol: string; Port: number }): Record<string, unknown> {
  const { Protocol, Port } = compared
  return { Name: '', Protocol, AppProtocol: null, Port, TargetPort: 0, NodePort: 0 }
}
