import type { Difference } from './compare.ts'

/** Differences that are meant to be. */
interface Explanation {
  /** As `Difference.at`. */
  at: RegExp
  /** What each answer says, as `Difference.answers`. */
  ours: RegExp
  peer: RegExp
  /** What stands in the first column of docs/deviations.md. */
  deviation: string
}

const any = /^/
const text = /^body\.message$|^body\.details\.causes\[0\]\.message$/
const wrongType = 'Wrong type in a typed kind'

const explanations: readonly Explanation[] = [
  {
    at: text,
    ours: /JSON|yaml: |not an object|must be texts|already set in map/,
    peer: /unexpected end of JSON|invalid character|cannot unmarshal|yaml: |YAML/,
    deviation: 'Error texts of malformed JSON and YAML',
  },
  {
    at: /^status$|^body\.message$|^body\.details/,
    ours: /^422 Invalid .* in body must be of type/,
    peer: /^4(00|22) .*(cannot unmarshal|parsing time)/,
    deviation: wrongType,
  },
  {
    at: /^status$/,
    ours: /^401 Unauthorized/,
    peer: /^403 Forbidden .*system:anonymous/,
    deviation: 'Requests without credentials',
  },
  {
    at: text,
    ours: /is registered for version|does not match the expected API version|cannot be converted to/,
    peer: /is registered for version|unknown conversion|unexpected GroupVersion/,
    deviation: 'Error texts for another kind or version',
  },
  {
    at: /^body/,
    ours: /^404 NotFound the server could not find the requested resource$/,
    peer: /^404 \{"paths":/,
    deviation: 'Paths outside the API',
  },
  {
    at: /^body$/,
    ours: /^200 \[\{"type":"ADDED"/,
    peer: /required storage feature RequestWatchProgress is disabled|^200 \{"type":"ERROR"/,
    deviation: 'Watches with initial events',
  },
  {
    at: /^body\.message$/,
    ours: /^500 .*failed to create typed patch object .*not declared in schema/s,
    peer: /^500 .*failed to create typed patch object .*not declared in schema/,
    deviation: 'Several undeclared fields in an apply',
  },
  {
    at: /^body\.items\[\d+\]\.(kind|apiVersion)$/,
    ours: /^200 \{"kind":"PartialObjectMetadataList"|^200 \{"apiVersion":"meta/,
    peer: any,
    deviation: 'Items of a PartialObjectMetadataList',
  },
  {
    at: /^body\.(apiVersion|groups\[\d+\]\.serverAddressByClientCIDRs)$/,
    ours: /^200 \{"kind":"APIGroupList"|^200 \{"apiVersion":"v1","groups"/,
    peer: any,
    deviation: '`/apis` without aggregation',
  },
  {
    at: /^body\.items\[\d+\]\.(metadata\.creationTimestamp|.*responseKind\.(group|version))$/,
    ours: /^200 \{"kind":"APIGroupDiscoveryList"/,
    peer: any,
    deviation: 'Aggregated discovery',
  },
  {
    at: /^status$/,
    ours: /^404 NotFound the server could not find the requested resource$/,
    peer: /^200 ""$/,
    deviation: '`/openapi/v3/<unknown>`',
  },
]

/** The row of docs/deviations.md that says why the two may differ so; undefined: they may not. */
export function deviationOf({ at, answers }: Difference): string | undefined {
  return explanations.find(
    (known) => known.at.test(at) && known.ours.test(answers.ours) && known.peer.test(answers.peer),
  )?.deviation
}
