import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { addressRange, portName, portNumber } from '../../fieldChecks.ts'
import { oneOf } from '../../fieldChecks.ts'
import type { SpecSelector } from '../labelSelection.ts'
import { selectorErrors } from '../selectorRules.ts'
import { isWithin } from './addressRange.ts'

export interface PolicyPort {
  protocol?: string
  port?: number | string
  endPort?: number
}

interface IPBlock {
  cidr?: string
  except?: string[]
}

interface Peer {
  podSelector?: SpecSelector
  namespaceSelector?: SpecSelector
  ipBlock?: IPBlock
}

export interface PolicySpec {
  podSelector?: SpecSelector
  ingress?: { ports?: PolicyPort[]; from?: Peer[] }[]
  egress?: { ports?: PolicyPort[]; to?: Peer[] }[]
  policyTypes?: string[]
}

const policyTypes = ['Ingress', 'Egress']
const protocols = ['TCP', 'UDP', 'SCTP']

/** Source: Kubernetes API reference, NetworkPolicySpec v1; observed answers. */
export function policyErrors(spec: PolicySpec): FieldError[] {
  const { podSelector = {}, ingress = [], egress = [], policyTypes: types = [] } = spec
  const errors = [
    ...selectorErrors('spec.podSelector', podSelector),
    ...ingress.flatMap(({ ports, from }, index) =>
      ruleErrors(`spec.ingress[${index}]`, ports, 'from', from),
    ),
    ...egress.flatMap(({ ports, to }, index) =>
      ruleErrors(`spec.egress[${index}]`, ports, 'to', to),
    ),
  ]
  if (types.length > policyTypes.length) {
    const detail = 'may not specify more than two policyTypes'
    return [...errors, invalidField('spec.policyTypes', types, detail)]
  }
  return [
    ...errors,
    ...types.flatMap((type, index) => oneOf(`spec.policyTypes[${index}]`, type, policyTypes)),
  ]
}

function ruleErrors(
  path: string,
  ports: readonly PolicyPort[] = [],
  side: string,
  peers: readonly Peer[] = [],
): FieldError[] {
  return [
    ...ports.flatMap((port, index) => portErrors(`${path}.ports[${index}]`, port)),
    ...peers.flatMap((peer, index) => peerErrors(`${path}.${side}[${index}]`, peer)),
  ]
}

function portErrors(path: string, { protocol, port, endPort }: PolicyPort): FieldError[] {
  const known = protocol === undefined || protocols.includes(protocol)
  const errors = known ? [] : [notSupportedField(`${path}.protocol`, protocol, protocols)]
  return [...errors, ...rangeErrors(path, port, endPort)]
}

function rangeErrors(
  path: string,
  port: PolicyPort['port'],
  endPort: number | undefined,
): FieldError[] {
  const at = `${path}.endPort`
  if (typeof port === 'number') {
    const detail = 'must be greater than or equal to `port`'
    const isBefore = endPort !== undefined && endPort < port
    return [
      ...portNumber(`${path}.port`, port),
      ...(isBefore ? [invalidField(at, port, detail)] : []),
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

function peerErrors(path: string, { podSelector, namespaceSelector, ipBlock }: Peer): FieldError[] {
  const errors = [
    ...(podSelector ? selectorErrors(`${path}.podSelector`, podSelector) : []),
    ...(namespaceSelector ? selectorErrors(`${path}.namespaceSelector`, namespaceSelector) : []),
    ...(ipBlock ? blockErrors(`${path}.ipBlock`, ipBlock) : []),
  ]
  const count = [podSelector, namespaceSelector, ipBlock].filter(Boolean).length
  if (count === 0) return [...errors, requiredField(path, 'must specify a peer')]
  if (count === 1 || !ipBlock) return errors
  return [...errors, forbiddenField(path, 'may not specify both ipBlock and another peer')]
}

function blockErrors(path: string, { cidr = '', except = [] }: IPBlock): FieldError[] {
  if (cidr === '') return [requiredField(`${path}.cidr`)]
  const wrong = addressRange(`${path}.cidr`, cidr)
  if (wrong.length > 0) return wrong
  return except.flatMap((range, index) => {
    const at = `${path}.except[${index}]`
    const problems = addressRange(at, range)
    if (problems.length > 0 || isWithin(range, cidr)) return problems
    return [invalidField(at, range, 'must be a strict subset of `cidr`')]
  })
}
