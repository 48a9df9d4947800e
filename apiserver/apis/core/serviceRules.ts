import {
  duplicateField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../meta/fieldErrors.ts'
import type { FieldError } from '../../meta/fieldErrors.ts'
import { labelErrors } from '../../meta/nameValidation.ts'
import type { ApiObject } from '../../meta/types.ts'
import { specOf, type Port, type ServiceSpec } from './serviceSpec.ts'

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const protocols = ['SCTP', 'TCP', 'UDP']
const affinities = ['ClientIP', 'None']

/** The address of a service stays what it is. */
export function addressErrors(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (next.type === 'ExternalName' || old.type === 'ExternalName') return []
  if (old.clusterIP === undefined || next.clusterIP === old.clusterIP) return []
  return [invalidField('spec.clusterIPs[0]', next.clusterIP ?? '', 'may not change once set')]
}

/** The rules of a service beyond its schema. Source: Kubernetes API reference, Service v1. */
export function serviceErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  const { ports = [] } = spec
  const errors = [
    ...oneOf('spec.type', spec.type, types),
    ...oneOf('spec.sessionAffinity', spec.sessionAffinity, affinities),
  ]
  const isExternal = spec.type === 'ExternalName'
  if (isExternal && spec.externalName === undefined) {
    errors.push(requiredField('spec.externalName'))
  }
  if (!isExternal && ports.length === 0 && spec.clusterIP !== 'None') {
    errors.push(requiredField('spec.ports'))
  }
  const seen = new Set<string>()
  ports.forEach((port, index) => {
    errors.push(...portErrors(port, `spec.ports[${index}]`, seen))
    if (ports.length > 1 && port.name === undefined) {
      errors.push(requiredField(`spec.ports[${index}].name`))
    }
  })
  return errors
}

/** `seen` are the names and numbers of the ports before. */
function portErrors(port: Port, path: string, seen: Set<string>): FieldError[] {
  const { name, protocol, targetPort } = port
  const errors = [
    ...numberErrors(`${path}.port`, port.port),
    ...oneOf(`${path}.protocol`, protocol, protocols),
    ...(typeof targetPort === 'number' ? numberErrors(`${path}.targetPort`, targetPort) : []),
  ]
  if (name !== undefined) {
    errors.push(...labelErrors(name).map((why) => invalidField(`${path}.name`, name, why)))
    if (isRepeated(seen, `name ${name}`)) errors.push(duplicateField(`${path}.name`, name))
  }
  if (isRepeated(seen, `port ${port.port} ${protocol}`)) {
    errors.push(duplicateField(path, { port: port.port, protocol }))
  }
  return errors
}

function isRepeated(seen: Set<string>, text: string): boolean {
  const isThere = seen.has(text)
  seen.add(text)
  return isThere
}

function numberErrors(path: string, value: number): FieldError[] {
  if (value >= 1 && value <= 65535) return []
  return [invalidField(path, value, 'must be between 1 and 65535, inclusive')]
}

function oneOf(path: string, value: string | undefined, known: readonly string[]): FieldError[] {
  return known.includes(value ?? '') ? [] : [notSupportedField(path, value, known)]
}
