import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { cellColumn, textColumn } from '../../columns.ts'
import { isSame } from '../../fieldChecks.ts'
import { sliceErrors, sliceWarnings, type Slice } from './endpointSliceRules.ts'

/** Definition of the EndpointSlice kind. Source: Kubernetes API reference, EndpointSlice v1. */
export function endpointSliceResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'discovery.k8s.io',
    version: 'v1',
    plural: 'endpointslices',
    kind: 'EndpointSlice',
    namespaced: true,
    description: 'EndpointSlice contains some of the endpoints of a service.',
    strategy: {
      metadata: { finalizersLast: true },
      generation: 'contentAndLabels',
      raisesGeneration: (next, old) =>
        hasTopology(next) && !isSame(asSlice(next).endpoints, asSlice(old).endpoints),
      setDefaults,
      prepareForCreate: dropTopology,
      prepareForUpdate: (next, old) => {
        if (!isSame(asSlice(next).endpoints, asSlice(old).endpoints)) dropTopology(next)
      },
      warningsOnCreate: (object) => [...typeWarnings(object), ...sliceWarnings(asSlice(object))],
      warningsOnUpdate: (object) => sliceWarnings(asSlice(object)),
      // The server itself may have any address.
      validate: (object, { isTrusted }) =>
        isTrusted === true ? [] : sliceErrors(asSlice(object), undefined),
      canonicalize: withoutEmptyLists,
      validateUpdate: (next, old, { isTrusted }) =>
        isTrusted === true ? [] : sliceErrors(asSlice(next), asSlice(old)),
    },
    columns: [
      nameColumn,
      textColumn('AddressType', 'addressType', 'IPv4, IPv6 or FQDN.'),
      cellColumn('Ports', 'Ports of the endpoints.', portsText),
      cellColumn('Endpoints', 'Addresses of the endpoints.', addressesText),
      ageColumn,
    ],
  })
}

function asSlice(object: ApiObject): Slice {
  // Guaranteed by the schema.
  return object
}

function hasTopology(object: ApiObject): boolean {
  const { endpoints } = asSlice(object)
  return (endpoints ?? []).some(
    ({ deprecatedTopology = {} }) => Object.keys(deprecatedTopology).length > 0,
  )
}

/** Drops the deprecated topology, which other fields replaced. */
function dropTopology(object: ApiObject): void {
  for (const endpoint of asSlice(object).endpoints ?? []) delete endpoint.deprecatedTopology
}

function withoutEmptyLists(object: ApiObject): void {
  const slice = asSlice(object)
  if (slice.endpoints?.length === 0) slice.endpoints = null
  if (slice.ports?.length === 0) slice.ports = null
}

function typeWarnings(object: ApiObject): string[] {
  if (asSlice(object).addressType !== 'FQDN') return []
  return ['spec.addressType: FQDN endpoints are deprecated']
}

function setDefaults(object: ApiObject): void {
  for (const port of asSlice(object).ports ?? []) {
    port.name ??= ''
    port.protocol ??= 'TCP'
  }
}

const shown = 3

function portsText(object: ApiObject): string {
  const { ports } = asSlice(object)
  if (!ports || ports.length === 0) return '<unset>'
  const texts = ports.map(({ port, name = '*' }) => String(port ?? name))
  return cut(texts)
}

function addressesText(object: ApiObject): string {
  const { endpoints } = asSlice(object)
  const texts = (endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])
  return texts.length === 0 ? '<unset>' : cut(texts)
}

/** First three items, and the number of further items; a single empty item is shown as unset. */
function cut(texts: readonly string[]): string {
  if (texts.every((text) => text === '')) return '<unset>'
  const text = texts.slice(0, shown).join(',')
  return texts.length > shown ? `${text} + ${texts.length - shown} more...` : text
}
