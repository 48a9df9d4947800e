import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { addressRange, rangeWarnings } from '../../addressChecks.ts'
import { portName, portNumber } from '../../fieldChecks.ts'
import { oneOf } from '../../fieldChecks.ts'
import { selectorErrors } from '../selectorRules.ts'
import { isWithin, parseRange } from '../../../meta/ipAddress.ts'
import type {
  IPBlock,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from '../shapes/networkingV1.ts'

const policyTypes = ['Ingress', 'Egress']
const protocols = ['TCP', 'UDP', 'SCTP']

/**
 * Errors for a policy. Source: Kubernetes API reference, NetworkPolicySpec v1; observed answers.
 */
export function policyErrors(spec: NetworkPolicySpec, kept: readonly string[] = []): FieldError[] {
  const { podSelector = {}, ingress = [], egress = [], policyTypes: types = [] } = spec
  const errors = [
    ...selectorErrors('spec.podSelector', podSelector),
    ...ingress.flatMap(({ ports, from }, index) =>
      ruleErrors(`spec.ingress[${index}]`, ports, {
        side: 'from',
        ...(from && { peers: from }),
        kept,
      }),
    ),
    ...egress.flatMap(({ ports, to }, index) =>
      ruleErrors(`spec.egress[${index}]`, ports, { side: 'to', ...(to && { peers: to }), kept }),
    ),
  ]
  const missing = blocksOf(spec).flatMap(([path, { cidr = '' }]) =>
    cidr === '' ? [requiredField(`${path}.cidr`)] : [],
  )
  if (types.length > policyTypes.length) {
    const detail = 'may not specify more than two policyTypes'
    return [...errors, invalidField('spec.policyTypes', types, detail), ...missing]
  }
  return [
    ...errors,
    ...types.flatMap((type, index) => oneOf(`spec.policyTypes[${index}]`, type, policyTypes)),
    ...missing,
  ]
}

function ruleErrors(
  path: string,
  ports: readonly NetworkPolicyPort[] = [],
  {
    side,
    peers = [],
    kept,
  }: { side: string; peers?: readonly NetworkPolicyPeer[]; kept: readonly string[] },
): FieldError[] {
  return [
    ...ports.flatMap((port, index) => portErrors(`${path}.ports[${index}]`, port)),
    ...peers.flatMap((peer, index) => peerErrors(`${path}.${side}[${index}]`, peer, kept)),
  ]
}

function portErrors(path: string, { protocol, port, endPort }: NetworkPolicyPort): FieldError[] {
  const known = protocol === undefined || protocols.includes(protocol)
  const errors = known ? [] : [notSupportedField(`${path}.protocol`, protocol, protocols)]
  return [...errors, ...rangeErrors(path, port, endPort)]
}

function rangeErrors(
  path: string,
  port: NetworkPolicyPort['port'],
  endPort: number | undefined,
): FieldError[] {
  const at = `${path}.endPort`
  if (typeof port === 'number') {
    const detail = 'must be greater than or equal to `port`'
    const isBefore = endPort !== undefined && endPort < port
    return [
      ...portNumber(`${path}.port`, port),
      ...(isBefore ? [invalidField(at, endPort, detail)] : []),
      ...portNumber(at, endPort),
    ]
  }
  const why = port === undefined ? 'not specified' : 'non-numeric'
  const detail = `may not be specified when \`port\` is ${why}`
  return [
    ...(endPort === undefined ? [] : [invalidField(at, endPort, detail)]),
    ...(port === undefined ? [] : portName(`${path}.port`, port)),
  ]
}

function peerErrors(
  path: string,
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  kept: readonly string[],
): FieldError[] {
  const errors = [
    ...(podSelector ? selectorErrors(`${path}.podSelector`, podSelector) : []),
    ...(namespaceSelector ? selectorErrors(`${path}.namespaceSelector`, namespaceSelector) : []),
    ...(ipBlock ? blockErrors(`${path}.ipBlock`, ipBlock, kept) : []),
  ]
  const count = [podSelector, namespaceSelector, ipBlock].filter(Boolean).length
  if (count === 0) return [...errors, requiredField(path, 'must specify a peer')]
  if (count === 1 || !ipBlock) return errors
  return [...errors, forbiddenField(path, 'may not specify both ipBlock and another peer')]
}

function blockErrors(
  path: string,
  { cidr = '', except = [] }: IPBlock,
  kept: readonly string[],
): FieldError[] {
  if (cidr === '') return []
  const around = parseRange(cidr)
  return [
    ...addressRange(`${path}.cidr`, cidr, kept),
    ...(around === undefined ? [] : except).flatMap((range, index) => {
      const at = `${path}.except[${index}]`
      const errors = addressRange(at, range, kept)
      const inside = parseRange(range)
      if (inside === undefined || around === undefined || isWithin(inside, around)) return errors
      return [...errors, invalidField(at, range, 'must be a strict subset of `cidr`')]
    }),
  ]
}

/** IP blocks of a policy with their paths. */
function blocksOf({
  ingress = [],
  egress = [],
}: NetworkPolicySpec): [path: string, block: IPBlock][] {
  const peers = [
    ...ingress.map(({ from = [] }, index) => ({ at: `spec.ingress[${index}].from`, list: from })),
    ...egress.map(({ to = [] }, index) => ({ at: `spec.egress[${index}].to`, list: to })),
  ]
  return peers.flatMap(({ at, list }) =>
    list.flatMap(({ ipBlock }, index): [string, IPBlock][] =>
      ipBlock === undefined ? [] : [[`${at}[${index}].ipBlock`, ipBlock]],
    ),
  )
}

/** IP ranges of a stored policy, which may keep forms that are refused in new policies. */
export function rangesOf(spec: NetworkPolicySpec): string[] {
  return blocksOf(spec).flatMap(([, { cidr = '', except = [] }]) => [cidr, ...except])
}

export function policyWarnings(spec: NetworkPolicySpec): string[] {
  return blocksOf(spec).flatMap(([path, { cidr = '', except = [] }]) => [
    ...rangeWarnings(`${path}.cidr`, cidr),
    ...except.flatMap((range, index) => rangeWarnings(`${path}.except[${index}]`, range)),
  ])
}
