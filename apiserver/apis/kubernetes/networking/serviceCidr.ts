import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { parseRange, rangeText } from '../../../meta/ipAddress.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { addressRange } from '../../addressChecks.ts'
import { cellColumn } from '../../columns.ts'
import { unchanged } from '../../fieldChecks.ts'
import { defaultServiceRange } from '../core/service/serviceAddress.ts'
import { bareStatusSubresource, builtInKind, type KindContext } from '../builtInKind.ts'

/**
 * Definition of the ServiceCIDR kind, stored for clients that read it; services get their addresses from the server's
 * range.
 * Source: Kubernetes API reference, ServiceCIDR v1; seen on kube-apiserver 1.37.2.
 */
export function serviceCidrResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'networking.k8s.io',
    version: 'v1',
    plural: 'servicecidrs',
    kind: 'ServiceCIDR',
    namespaced: false,
    description: 'ServiceCIDR defines address ranges for services.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'none',
      validate: (object) => rangesErrors(rangesOf(object)),
      validateUpdate: (next, old) => changeErrors(givenRanges(next), rangesOf(old)),
    },
    subresources: [bareStatusSubresource()],
    columns: [
      nameColumn,
      cellColumn('CIDRs', 'Address ranges.', (object) => rangesOf(object).join(',')),
      ageColumn,
    ],
  })
}

/** ServiceCIDR with the ranges of a plane's service addresses. */
export function defaultServiceCidr(ranges: readonly string[] = [defaultServiceRange]): ApiObject {
  return {
    kind: 'ServiceCIDR',
    apiVersion: 'networking.k8s.io/v1',
    metadata: { name: 'kubernetes' },
    spec: { cidrs: [...ranges] },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: '',
          message: 'Kubernetes default Service CIDR is ready',
        },
      ],
    },
  }
}

/**
 * Ranges of a ServiceCIDR from which services get addresses: none while it is not ready or is being
 * deleted. Without a condition it counts as ready, since there may be no controller to set one.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function readyRanges(object: ApiObject): readonly string[] {
  if (object.metadata.deletionTimestamp !== undefined) return []
  // Guaranteed by the schema.
  const { conditions = [] } = (object['status'] ?? {}) as { conditions?: Condition[] }
  const ready = conditions.find(({ type }) => type === 'Ready')
  return ready === undefined || ready.status === 'True' ? rangesOf(object) : []
}

interface Condition {
  type: string
  status: string
}

function rangesOf(object: ApiObject): readonly string[] {
  return givenRanges(object) ?? []
}

function givenRanges(object: ApiObject): readonly string[] | undefined {
  // Guaranteed by the schema.
  return (object['spec'] as { cidrs?: string[] } | undefined)?.cidrs
}

const path = 'spec.cidrs'
const oneOfAFamily =
  'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'

function rangesErrors(ranges: readonly string[]): FieldError[] {
  if (ranges.length === 0) return [requiredField(path, 'at least one CIDR required')]
  if (ranges.length > 2) {
    return [invalidField(path, { CIDRs: ranges }, 'may only hold up to 2 values')]
  }
  const [first, second] = ranges.map((range) => parseRange(range)?.address.width)
  const isSameFamily = first !== undefined && first === second
  return [
    ...ranges.flatMap((range, index) => canonicalRange(`${path}[${index}]`, range)),
    ...(isSameFamily ? [invalidField(path, ranges, oneOfAFamily)] : []),
  ]
}

function canonicalRange(at: string, value: string): FieldError[] {
  const errors = addressRange(at, value)
  const range = parseRange(value)
  if (errors.length > 0 || range === undefined || rangeText(range) === value) return errors
  return [invalidField(at, value, `must be in canonical form ("${rangeText(range)}")`)]
}

/** Errors for changed ranges: only a range of the other family may be added. */
function changeErrors(given: readonly string[] | undefined, old: readonly string[]): FieldError[] {
  const next = given ?? []
  if (next.length === old.length || (old.length === 1 && next.length === 2)) {
    return [
      ...old.flatMap((range, index) => unchanged(`${path}[${index}]`, next[index], range)),
      ...(next.length === old.length ? [] : rangesErrors(next)),
    ]
  }
  return unchanged(path, given, old)
}
