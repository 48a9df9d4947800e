import { isIP } from 'node:net'
import { invalidField, requiredField, type FieldError } from '../../meta/fieldErrors.ts'
import { labelErrors } from '../../meta/nameValidation.ts'
import { oneOf, portNumber } from '../fieldChecks.ts'

export interface EndpointSubset {
  addresses?: EndpointAddress[]
  notReadyAddresses?: EndpointAddress[]
  ports?: { name?: string; port?: number; protocol?: string }[]
}

interface EndpointAddress {
  ip?: string
  hostname?: string
}

const protocols = ['SCTP', 'TCP', 'UDP']
const addressText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'

/** Source: Kubernetes API reference, Endpoints v1; observed answers. */
export function endpointsErrors(subsets: readonly EndpointSubset[]): FieldError[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, index) => {
    const path = `subsets[${index}]`
    const isEmpty = addresses.length === 0 && notReadyAddresses.length === 0
    const missing = 'must specify `addresses` or `notReadyAddresses`'
    return [
      ...(isEmpty ? [requiredField(path, missing)] : []),
      ...addressErrors(`${path}.addresses`, addresses),
      ...addressErrors(`${path}.notReadyAddresses`, notReadyAddresses),
      ...ports.flatMap(({ port, protocol, name }, at) => [
        ...(ports.length > 1 && name === undefined
          ? [requiredField(`${path}.ports[${at}].name`)]
          : []),
        ...portNumber(`${path}.ports[${at}].port`, port),
        ...oneOf(`${path}.ports[${at}].protocol`, protocol, protocols),
      ]),
    ]
  })
}

function addressErrors(path: string, addresses: readonly EndpointAddress[]): FieldError[] {
  return addresses.flatMap(({ ip = '', hostname }, index) => {
    const at = `${path}[${index}]`
    const errors = isIP(ip) === 0 ? [invalidField(`${at}.ip`, ip, addressText)] : []
    if (hostname === undefined) return errors
    const why = labelErrors(hostname)
    return [...errors, ...why.map((text) => invalidField(`${at}.hostname`, hostname, text))]
  })
}
