import type { Difference } from './compare.ts'
import { readDeviations } from '../../hack/reference/deviations.ts'

/** Expected differences. */
interface Explanation {
  /** Pattern of `Difference.at`. */
  at: RegExp
  /** Patterns of both responses, as in `Difference.answers`. */
  ours: RegExp
  peer: RegExp
  /** Additional condition on the two differing values. */
  holds?: (ours: unknown, peer: unknown) => boolean
}

/** Deviation of this server, by its name in docs/reference/deviations.yaml. */
interface Deviation extends Explanation {
  deviation: string
}

/** Known deviation of this peer from the common behaviour, with the reason. */
interface PeerDifference extends Explanation {
  why: string
}

const any = /^/

const deviations: readonly Deviation[] = readDeviations().flatMap(({ what, gain, match = [] }) =>
  gain === undefined
    ? []
    : match.map(({ at, ours, peer, cut, cutHere }) => ({
        at: new RegExp(at),
        ours: new RegExp(ours),
        peer: new RegExp(peer, 's'),
        ...(cut === undefined ? {} : { holds: equalWithout(cut, cutHere) }),
        deviation: what,
      })),
)

const ofThisPeer: readonly PeerDifference[] = [
  {
    at: /^status$/,
    ours: /^404 NotFound the server could not find the requested resource$/,
    peer: /^200 ""$/,
    why: 'before 1.35 the library answered 200 to /openapi/v3/<unknown>',
  },
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

/** Deviation that explains the difference; undefined: none. */
export function deviationOf(difference: Difference): string | undefined {
  return deviations.find((known) => fits(known, difference))?.deviation
}

/** Reason why the sample API server is no reference here; undefined: it is one. */
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

function equalWithout(cut: string, cutHere?: string): (ours: unknown, peer: unknown) => boolean {
  const left = (value: unknown, pattern?: string) =>
    pattern === undefined ? value : String(value).replaceAll(new RegExp(pattern, 'g'), '')
  return (ours, peer) => left(ours, cutHere) === left(peer, cut)
}
