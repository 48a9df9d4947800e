import { requiredField, type FieldError } from '../../../../meta/fieldErrors.ts'
import {
  labelErrors,
  labelKeyErrors,
  subdomainErrors,
} from '../../../../meta/names/nameValidation.ts'
import { address, addressWarnings, endpointAddress } from '../../../addressChecks.ts'
import { givenName, oneOf, optionalName, portNumber } from '../../../fieldChecks.ts'
import type { EndpointAddress, EndpointSubset } from '../../shapes/coreV1.ts'

const protocols = ['SCTP', 'TCP', 'UDP']

/** Errors for endpoints. Source: Kubernetes API reference, Endpoints v1; observed answers. */
export function endpointsErrors(subsets: readonly EndpointSubset[]): FieldError[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, index) => {
    const path = `subsets[${index}]`
    const isEmpty = addresses.length === 0 && notReadyAddresses.length === 0
    const missing = 'must specify `addresses` or `notReadyAddresses`'
    return [
      ...(isEmpty ? [requiredField(path, missing)] : []),
      ...addressErrors(`${path}.addresses`, addresses),
      ...addressErrors(`${path}.notReadyAddresses`, notReadyAddresses),
      ...ports.flatMap(({ port = 0, protocol, name = '', appProtocol }, at) => [
        ...(ports.length > 1 && name === '' ? [requiredField(`${path}.ports[${at}].name`)] : []),
        ...optionalName(`${path}.ports[${at}].name`, name, labelErrors),
        ...portNumber(`${path}.ports[${at}].port`, port),
        ...oneOf(`${path}.ports[${at}].protocol`, protocol, protocols),
        ...givenName(`${path}.ports[${at}].appProtocol`, appProtocol, labelKeyErrors),
      ]),
    ]
  })
}

function addressErrors(path: string, addresses: readonly EndpointAddress[]): FieldError[] {
  return addresses.flatMap(({ ip = '', hostname, nodeName }, index) => {
    const at = `${path}[${index}]`
    return [
      ...address(`${at}.ip`, ip),
      ...optionalName(`${at}.hostname`, hostname, labelErrors),
      ...givenName(`${at}.nodeName`, nodeName, subdomainErrors),
      ...endpointAddress(`${at}.ip`, ip),
    ]
  })
}

export function endpointsWarnings(subsets: readonly EndpointSubset[]): string[] {
  const warnings = (path: string, list: readonly EndpointAddress[] = []) =>
    list.flatMap(({ ip = '' }, index) => addressWarnings(`${path}[${index}].ip`, ip))
  return subsets.flatMap(({ addresses, notReadyAddresses }, index) => [
    ...warnings(`subsets[${index}].addresses`, addresses),
    ...warnings(`subsets[${index}].notReadyAddresses`, notReadyAddresses),
  ])
}
