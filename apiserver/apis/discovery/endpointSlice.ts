import { isIP } from 'node:net'
import {
  duplicateField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { cellColumn, textColumn } from '../columns.ts'
import { oneOf, portName, portNumber, unchanged } from '../fieldChecks.ts'

interface Slice extends ApiObject {
  addressType?: string
  endpoints?: { addresses?: string[] }[] | null
  ports?: { name?: string; protocol?: string; port?: number }[] | null
}

/** Source: Kubernetes API reference, EndpointSlice v1. */
export function endpointSliceResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'discovery.k8s.io',
    version: 'v1',
    plural: 'endpointslices',
    kind: 'EndpointSlice',
    namespaced: true,
    description: 'EndpointSlice is a part of the addresses behind a service.',
    strategy: {
      generation: 'specAndAnnotations',
      setDefaults,
      validate: sliceErrors,
      validateUpdate: (next, old) => [
        ...sliceErrors(next),
        ...unchanged('addressType', next['addressType'], old['addressType']),
      ],
    },
    columns: [
      nameColumn,
      textColumn('AddressType', 'addressType', 'IPv4, IPv6 or FQDN.'),
      cellColumn('Ports', 'Ports of every endpoint.', portsText),
      cellColumn('Endpoints', 'Addresses of the endpoints.', addressesText),
      ageColumn,
    ],
  })
}

function asSlice(object: ApiObject): Slice {
  // The schema says so.
  return object
}

function setDefaults(object: ApiObject): void {
  const slice = asSlice(object)
  slice.endpoints ??= []
  for (const port of slice.ports ?? []) {
    port.name ??= ''
    port.protocol ??= 'TCP'
  }
}

function sliceErrors(object: ApiObject): FieldError[] {
  const { addressType = '', endpoints, ports } = asSlice(object)
  const names = (ports ?? []).map(({ name }) => name)
  return [
    ...(addressType === ''
      ? [requiredField('addressType')]
      : oneOf('addressType', addressType, ['FQDN', 'IPv4', 'IPv6'])),
    ...(endpoints ?? []).flatMap(({ addresses = [] }, index) =>
      addressErrors(`endpoints[${index}].addresses`, addresses, addressType),
    ),
    ...(ports ?? []).flatMap(({ name = '', protocol, port }, index) => [
      ...(name === '' ? [] : portName(`ports[${index}].name`, name)),
      ...(names.indexOf(name) < index ? [duplicateField('ports', name)] : []),
      ...oneOf(`ports[${index}].protocol`, protocol, ['SCTP', 'TCP', 'UDP']),
      ...portNumber(`ports[${index}].port`, port),
    ]),
  ]
}

const families: Readonly<Record<string, number>> = { IPv4: 4, IPv6: 6 }

function addressErrors(path: string, addresses: readonly string[], type: string): FieldError[] {
  if (addresses.length === 0) return [requiredField(path, 'must contain at least 1 address')]
  const family = families[type]
  if (family === undefined) return []
  const detail = `must be a valid ${type} address`
  return addresses.flatMap((address, index) =>
    isIP(address) === family ? [] : [invalidField(`${path}[${index}]`, address, detail)],
  )
}

const shown = 3

function portsText(object: ApiObject): string {
  const { ports } = asSlice(object)
  if (!ports || ports.length === 0) return '<unset>'
  return cut(ports.map(({ port, name = '' }) => String(port ?? (name === '' ? '*' : name))))
}

function addressesText(object: ApiObject): string {
  const { endpoints } = asSlice(object)
  const texts = (endpoints ?? []).flatMap(({ addresses = [] }) => addresses)
  return texts.length === 0 ? '<unset>' : cut(texts)
}

function cut(texts: readonly string[]): string {
  const text = texts.slice(0, shown).join(',')
  return texts.length > shown ? `${text} + ${texts.length - shown} more...` : text
}
