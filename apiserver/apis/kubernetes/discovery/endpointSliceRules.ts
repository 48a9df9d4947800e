import {
  duplicateField,
  invalidField,
  requiredField,
  tooManyField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import {
  labelErrors,
  labelValueErrors,
  subdomainErrors,
} from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { fixed, isSame, oneOf, qualifiedName } from '../../fieldChecks.ts'
import { labelsErrors } from '../../../registry/write/metadataValidation.ts'
import {
  address as addressErrors,
  addressWarnings,
  canonicalAddress,
  endpointAddress,
} from '../../addressChecks.ts'
import { parseAddress } from '../../../meta/ipAddress.ts'
import { repeats } from '../../../meta/collections/repeats.ts'
import type { Endpoint, EndpointPort } from '../shapes/discoveryV1.ts'

export interface Slice extends ApiObject {
  addressType?: string
  endpoints?: Endpoint[] | null
  ports?: EndpointPort[] | null
}

const maxEndpoints = 1_000
const maxAddresses = 100
const maxPorts = 20_000
const maxTopologyLabels = 16
const maxHints = 8

/**
 * Errors for a slice; `old` undefined: a new object. Unchanged endpoints are not validated. Source:
 * Kubernetes API reference, EndpointSlice v1; observed answers.
 */
export function sliceErrors(slice: Slice, old: Slice | undefined): FieldError[] {
  const { addressType = '', endpoints, ports } = slice
  const areKept = old !== undefined && isSame(endpoints, old.endpoints)
  const type = typeErrors(addressType)
  const isGenerated = old === undefined || addressType === ''
  const shown = areKept ? [] : (endpoints ?? [])
  return [
    ...(isGenerated ? [] : type),
    ...portListErrors(ports ?? []),
    ...endpointListErrors(shown, addressType),
    // Errors for generated rules come last.
    ...(isGenerated ? type : []),
    ...(old === undefined ? [] : fixed('addressType', addressType, old.addressType)),
    ...addresslessErrors(shown),
  ]
}

function typeErrors(type: string): FieldError[] {
  if (type === '') return [requiredField('addressType')]
  return oneOf('addressType', type, ['FQDN', 'IPv4', 'IPv6'])
}

function portListErrors(ports: readonly EndpointPort[]): FieldError[] {
  if (ports.length > maxPorts) return [tooManyField('ports', ports.length, maxPorts)]
  const seen = new Set<string>()
  return ports.flatMap(({ name = '', protocol, appProtocol }, index) => {
    const path = `ports[${index}]`
    const isTaken = seen.has(name)
    seen.add(name)
    return [
      ...(name === '' ? [] : invalidErrors(`${path}.name`, name, labelErrors(name))),
      ...(isTaken ? [duplicateField(`${path}.name`, name)] : []),
      ...oneOf(`${path}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']),
      ...(appProtocol === undefined ? [] : qualifiedName(`${path}.appProtocol`, appProtocol)),
    ]
  })
}

function invalidErrors(path: string, value: string, problems: readonly string[]): FieldError[] {
  return problems.map((text) => invalidField(path, value, text))
}

function endpointListErrors(endpoints: readonly Endpoint[], type: string): FieldError[] {
  if (endpoints.length > maxEndpoints) {
    return [tooManyField('endpoints', endpoints.length, maxEndpoints)]
  }
  return endpoints.flatMap((one, index) => endpointErrors(`endpoints[${index}]`, one, type))
}

function addresslessErrors(endpoints: readonly Endpoint[]): FieldError[] {
  if (endpoints.length > maxEndpoints) return []
  return endpoints.flatMap(({ addresses }, index) =>
    (addresses ?? []).length === 0 ? [requiredField(`endpoints[${index}].addresses`)] : [],
  )
}

function endpointErrors(path: string, endpoint: Endpoint, type: string): FieldError[] {
  const { hostname, nodeName, deprecatedTopology: topology = {}, hints } = endpoint
  const addresses = endpoint.addresses ?? []
  const at = `${path}.addresses`
  const labelCount = Object.keys(topology).length
  return [
    ...(addresses.length > maxAddresses ? [tooManyField(at, addresses.length, maxAddresses)] : []),
    ...addresses.flatMap((one, index) => typedErrors(at, index, one, type)),
    ...(nodeName === undefined
      ? []
      : invalidErrors(`${path}.nodeName`, nodeName, subdomainErrors(nodeName))),
    ...(labelCount > maxTopologyLabels
      ? [tooManyField(`${path}.deprecatedTopology`, labelCount, maxTopologyLabels)]
      : []),
    ...labelsErrors(`${path}.deprecatedTopology`, topology),
    ...(hostname === undefined
      ? []
      : invalidErrors(`${path}.hostname`, hostname, labelErrors(hostname))),
    ...(hints === undefined ? [] : hintErrors(`${path}.hints`, hints)),
  ]
}

/** Errors for an address in `list`, by the slice's address type. */
function typedErrors(list: string, index: number, address: string, type: string): FieldError[] {
  const path = `${list}[${index}]`
  if (type === 'FQDN') return domainErrors(path, address)
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const wrong = type === 'IPv4' ? addressErrors(path, address) : canonicalAddress(path, address)
  if (wrong.length > 0) return wrong
  const family = parseAddress(address)?.width === 128 ? 'IPv6' : 'IPv4'
  const plain = endpointAddress(path, address)
  return family === type
    ? plain
    : [invalidField(list, address, `must be an ${type} address`), ...plain]
}

export function sliceWarnings({ endpoints }: Slice): string[] {
  return (endpoints ?? []).flatMap(({ addresses }, index) =>
    (addresses ?? []).flatMap((one, at) =>
      addressWarnings(`endpoints[${index}].addresses[${at}]`, one),
    ),
  )
}

/** Errors for a domain name. Source: apimachinery, IsFullyQualifiedDomainName. */
function domainErrors(path: string, name: string): FieldError[] {
  if (name === '') return [requiredField(path)]
  const bare = name.endsWith('.') ? name.slice(0, -1) : name
  const problems = subdomainErrors(bare)
  if (problems.length > 0) return [invalidField(path, bare, problems.join(','))]
  const labels = bare.split('.')
  if (labels.length < 2) {
    const detail = 'should be a domain with at least two segments separated by dots'
    return [invalidField(path, bare, detail)]
  }
  const label = labels.find((one) => labelErrors(one).length > 0)
  return label === undefined ? [] : [invalidField(path, label, labelErrors(label).join(','))]
}

function hintErrors(path: string, hints: NonNullable<Endpoint['hints']>): FieldError[] {
  const { forZones = [], forNodes = [] } = hints
  const [zones, nodes] = [`${path}.forZones`, `${path}.forNodes`]
  if (forZones.length > maxHints) return [tooManyField(zones, forZones.length, maxHints)]
  const errors = nameErrors(zones, forZones, labelValueErrors)
  if (forNodes.length > maxHints) return [...errors, tooManyField(nodes, forNodes.length, maxHints)]
  return [...errors, ...nameErrors(nodes, forNodes, subdomainErrors)]
}

function nameErrors(
  path: string,
  list: readonly { name?: string }[],
  rule: (name: string) => string[],
): FieldError[] {
  const names = list.map(({ name = '' }) => name)
  const isTaken = repeats(names)
  return names.flatMap((name, index) => {
    const at = `${path}[${index}].name`
    return [
      ...(isTaken[index] === true ? [duplicateField(at, name)] : []),
      ...invalidErrors(at, name, rule(name)),
    ]
  })
}
