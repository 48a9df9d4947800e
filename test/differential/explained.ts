import type { Difference } from './compare.ts'

/** Differences that are meant to be. */
interface Explanation {
  /** As `Difference.at`. */
  at: RegExp
  /** What each answer says, as `Difference.answers`. */
  ours: RegExp
  peer: RegExp
  /** What has to hold of the two values that differ, too. */
  holds?: (ours: unknown, peer: unknown) => boolean
}

/** This server differs from the library: what stands in the first column of docs/deviations.md. */
interface Deviation extends Explanation {
  deviation: string
}

/** This peer differs from the behaviour that both are to have: why. */
interface PeerDifference extends Explanation {
  why: string
}

const any = /^/
const text = /^body\.message$|^body\.details\.causes\[0\]\.message$/

const deviations: readonly Deviation[] = [
  {
    at: text,
    ours: /JSON|yaml: |not an object|already set in map/,
    peer: /unexpected end of JSON|invalid character|cannot unmarshal|yaml: |YAML/,
    deviation: 'Error texts of malformed JSON and YAML',
  },
  {
    at: /^status$|^body\.message$|^body\.details/,
    ours: /^422 Invalid .* in body must be of type/,
    peer: /^4(00|22) .*(cannot unmarshal|parsing time)/,
    deviation: 'Wrong type in a typed kind',
  },
  {
    at: /^status$/,
    ours: /^401 Unauthorized/,
    peer: /^403 Forbidden .*system:anonymous/,
    deviation: 'Requests without credentials',
  },
  {
    at: /^status$/,
    ours: /^404 NotFound the server could not find the requested resource$/,
    peer: /^200 ""$/,
    deviation: '`/openapi/v3/<unknown>`',
  },
  {
    at: /^status$/,
    ours: /^400 BadRequest .*exceeded max depth/,
    peer: /^20[01] /,
    deviation: 'Depth of what is looked into',
  },
]

const ofThisPeer: readonly PeerDifference[] = [
  {
    at: /^body$/,
    ours: /^200 \[\{"type":"ADDED"/,
    peer: /required storage feature RequestWatchProgress is disabled|^200 \{"type":"ERROR"/,
    why: 'its etcd is older than 3.4.25 and cannot tell its progress',
  },
  {
    at: /^body\.message$/,
    ours: /^500 .*failed to create typed patch object .*not declared in schema/s,
    peer: /^500 .*failed to create typed patch object .*not declared in schema/s,
    holds: (ours, peer) => undeclared(peer).every((field) => undeclared(ours).includes(field)),
    why: 'it looks at a Go map, whose order is chance, up to the first undeclared field; here it is that of the body',
  },
  {
    at: /^body\.(apiVersion|groups\[\d+\]\.serverAddressByClientCIDRs)$/,
    ours: /^200 \{"kind":"APIGroupList"|^200 \{"apiVersion":"v1","groups"/,
    peer: any,
    holds: (ours, peer) => ours === undefined || (ours === 'v1' && peer === undefined),
    why: 'reference 6.1: the document as an aggregator gives it, which the peer is not',
  },
  {
    at: /^status$/,
    ours: /^200 \{.*"kind":"APIGroupList"/,
    peer: /^405 MethodNotAllowed/,
    why: 'reference 6.1: the document is that of an aggregator, which answers whatever the method',
  },
  {
    at: any,
    ours: /^404 "?404 page not found/,
    peer: /^404 \{"paths"/,
    why: 'kube-apiserver 1.37.2 answers in plain text outside of all APIs, this peer with its index',
  },
]

/** The row of docs/deviations.md that says why the two may differ so; undefined: none does. */
export function deviationOf(difference: Difference): string | undefined {
  return deviations.find((known) => fits(known, difference))?.deviation
}

/** Why the peer is no measure here; undefined: it is one. */
export function peerDifference(difference: Difference): string | undefined {
  return ofThisPeer.find((known) => fits(known, difference))?.why
}

function fits(known: Explanation, { at, ours, peer, answers }: Difference): boolean {
  if (!known.at.test(at) || !known.ours.test(answers.ours) || !known.peer.test(answers.peer))
    return false
  return known.holds?.(ours, peer) ?? true
}

function undeclared(message: unknown): string[] {
  return [...String(message).matchAll(/(\S+): field not declared in schema/g)].map(
    ([, field = '']) => field,
  )
}
