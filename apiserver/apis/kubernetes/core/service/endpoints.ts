import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../../registry/table.ts'
import { builtInKind, type KindContext } from '../../builtInKind.ts'
import { cellColumn } from '../../../columns.ts'
import { isSame } from '../../../fieldChecks.ts'
import { fill } from '../../../fill.ts'
import type { EndpointSubset } from '../../shapes/coreV1.ts'
import { endpointsErrors, endpointsWarnings } from './endpointsRules.ts'

/** Definition of the Endpoints kind. Source: Kubernetes API reference, Endpoints v1. */
export function endpointsResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'endpoints',
    kind: 'Endpoints',
    listKind: 'EndpointsList',
    namespaced: true,
    shortNames: ['ep'],
    description: 'Endpoints are the addresses of the pods behind a service.',
    deprecationWarning:
      'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    strategy: {
      allowCreateOnUpdate: true,
      generation: 'none',
      setDefaults: (object) => {
        for (const { ports = [] } of subsetsOf(object)) {
          for (const port of ports) fill(port, { protocol: 'TCP' })
        }
      },
      // The server itself may have any address, and stored addresses stay valid.
      validate: (object, { isTrusted }) =>
        isTrusted === true ? [] : endpointsErrors(subsetsOf(object)),
      validateUpdate: (next, old, { isTrusted }) =>
        isTrusted === true || isSame(subsetsOf(next), subsetsOf(old))
          ? []
          : endpointsErrors(subsetsOf(next)),
      warningsOnCreate: (object) => endpointsWarnings(subsetsOf(object)),
      warningsOnUpdate: (object) => endpointsWarnings(subsetsOf(object)),
    },
    columns: [
      nameColumn,
      cellColumn('Endpoints', 'Addresses and ports.', addressesText),
      ageColumn,
    ],
  })
}

function subsetsOf(object: ApiObject): EndpointSubset[] {
  // Guaranteed by the schema.
  return (object['subsets'] as EndpointSubset[] | undefined) ?? []
}

const shown = 3

/** First three addresses, and the number of further ones. */
function addressesText(object: ApiObject): string {
  if (subsetsOf(object).length === 0) return '<none>'
  const texts = subsetsOf(object).flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip = '' }) => ip)
      : ports.flatMap(({ port = 0 }) => addresses.map(({ ip = '' }) => joined(ip, port))),
  )
  const text = texts.slice(0, shown).join(',')
  return texts.length > shown ? `${text} + ${texts.length - shown} more...` : text
}

function joined(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`
}
