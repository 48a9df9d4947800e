import { formOf } from '../../registry/objectForm.ts'
import {
  acceptedTypes,
  defaultTypes,
  jsonType,
  type ServedType,
} from '../../encoding/mediaTypes.ts'
import type { Transforms } from '../../encoding/negotiate.ts'
import { Negotiator } from '../../encoding/negotiator.ts'
import type { OutputFormat } from '../../encoding/outputFormat.ts'
import { wantsPretty } from '../../encoding/pretty.ts'
import type { StatusError } from '../../meta/status.ts'
import { notAcceptable, routeNotAcceptable } from '../../meta/statusErrors.ts'
import { acceptOf, isAccepted } from './acceptOf.ts'
import type { Exchange } from '../exchange.ts'
import { servesProtobuf } from './protobufForm.ts'

// Shared by all servers, since they only cache headers.
const custom = new Negotiator()
const builtIn = new Negotiator(defaultTypes.map((type) => ({ ...type, onlyMetadata: false })))

/**
 * The negotiator of a request. Built-in kinds have a protobuf form, and so have discovery documents and errors without
 * a kind.
 */
function negotiatorFor({ bodyKind: resource }: Exchange): Negotiator {
  return resource === undefined || servesProtobuf(resource) ? builtIn : custom
}

/** Negotiates the format. @throws StatusError NotAcceptable. Source: reference 1.9. */
export function outputFormat(
  exchange: Exchange,
  transforms: Transforms,
  stream = false,
): OutputFormat {
  const accept = acceptOf(exchange.request)
  const negotiator = negotiatorFor(exchange)
  const negotiated = isRouted(exchange, negotiator.types)
    ? negotiator.negotiate(accept, { transforms, stream })
    : undefined
  if (negotiated === undefined) {
    // A watch is refused like a list if the list would be refused.
    const asStream = stream && negotiator.negotiate(accept, { transforms }) !== undefined
    throw refusedAccept(exchange, negotiator.types, asStream)
  }
  return {
    mediaType: negotiated.mediaType,
    pretty: isPretty(exchange, negotiated.pretty),
    ...(negotiated.convert === undefined ? {} : { convert: negotiated.convert }),
  }
}

/**
 * The error for an unsupported Accept: the route refuses types without any match; other mismatches are refused by
 * negotiation.
 * Source: reference 1.5, 1.9.
 */
function refusedAccept(
  exchange: Exchange,
  types: readonly ServedType[],
  stream: boolean,
): StatusError {
  if (isRouted(exchange, types)) return notAcceptable(acceptedTypes(types, stream))
  const { verb, name } = exchange.info
  const streams = name === '' && (verb === 'list' || verb === 'watch')
  return routeNotAcceptable([
    ...acceptedTypes(types),
    ...(streams ? acceptedTypes(types, true) : []),
  ])
}

/**
 * Reports whether a route matches: routes know whole types and the wildcard for all, but not `application/*`, which
 * only negotiation supports. Custom kinds have no routes of their own.
 */
function isRouted({ request, resource }: Exchange, types: readonly ServedType[]): boolean {
  const accept = acceptOf(request) ?? ''
  if (accept === '' || accept === jsonType) return true
  if (resource !== undefined && !formOf(resource).hasRoutes) return true
  return isAccepted(
    accept,
    types.map(({ mediaType }) => mediaType),
  )
}

/** The format of an error: according to Accept, or JSON if that is unsupported. Errors are never tables. */
export function errorFormat(exchange: Exchange): OutputFormat {
  const accept = acceptOf(exchange.request)
  const negotiated = builtIn.negotiate(accept, { transforms: 'none' })
  if (negotiated === undefined) return { mediaType: 'application/json', pretty: true }
  return { mediaType: negotiated.mediaType, pretty: isPretty(exchange, negotiated.pretty) }
}

function isPretty({ query, request }: Exchange, accept: boolean): boolean {
  const hints = {
    query: query.get('pretty') ?? undefined,
    userAgent: request.headers['user-agent'],
    accept,
  }
  return wantsPretty(hints)
}
