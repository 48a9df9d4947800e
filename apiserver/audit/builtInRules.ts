import { managementGroup, type NamesProfile } from '../meta/names/namesProfile.ts'
import type { AuditRule } from './auditSettings.ts'

/**
 * Rules that precede those of a level. Requests that return a credential or only query permissions
 * are not recorded; creates that contain a secret are recorded without their bodies. A rule for
 * creates comes first, so that issuing a kubeconfig is recorded but reading one is not. Source:
 * platform facts 1.7.
 */
export function builtInRules(names: NamesProfile): AuditRule[] {
  const group = managementGroup(names)
  return [
    {
      level: 'Metadata',
      verbs: ['create'],
      resources: [{ group, resources: ['*/snapshotcredentials', ...madeWithSecrets] }],
    },
    {
      level: 'None',
      resources: [
        { group, resources: neverNoted },
        { group: 'authorization.k8s.io', resources: reviews },
      ],
    },
    { level: 'Metadata', resources: [{ group: '*', resources: streams }] },
  ]
}

const madeWithSecrets = [
  'ownedaccesskeys',
  'resetaccesskeys',
  'sharedsecrets',
  'clusters',
  'users/profile',
  'virtualclusterinstances/kubeconfig',
]
const reviews = ['selfsubjectaccessreviews', 'subjectaccessreviews']
const neverNoted = [
  ...reviews,
  'agentauditevents',
  'licensetokens',
  'directclusterendpointtokens',
  'ingressauthtokens',
  'selves',
  'virtualclusterinstances/kubeconfig',
]
const streams = ['*/log', '*/exec', '*/attach', '*/portforward']

const reads = ['get', 'list', 'watch']
const writes = ['create', 'update', 'patch', 'delete', 'deletecollection']
const methodsThatWrite = ['post', 'put']
const paths = ['*']

/**
 * The fixed policies. 1: writes only, creates with their request bodies. 2: also reads, without
 * bodies. 3: every write with its request body. 4: everything with request and response bodies, and
 * reads outside the API, except probes and documents. Bodies of requests outside the API are never
 * recorded. Source: platform facts 1.7.
 */
export function levelRules(level: number): AuditRule[] {
  const beyond: AuditRule = {
    level: 'Metadata',
    verbs: [...methodsThatWrite, ...writes],
    nonResourceURLs: paths,
  }
  const apiReads: AuditRule[] = [
    { level: 'None', verbs: ['get', 'head', 'options'], nonResourceURLs: paths },
    { level: 'Metadata', verbs: reads },
  ]
  const creates: AuditRule = { level: 'Request', verbs: ['create'] }
  switch (level) {
    case 1:
      return [beyond, creates, { level: 'Metadata', verbs: writes }]
    case 2:
      return [beyond, creates, { level: 'Metadata', verbs: writes }, ...apiReads]
    case 3:
      return [beyond, { level: 'Request', verbs: writes }, ...apiReads]
    default:
      return [
        { level: 'None', verbs: ['get', 'head', 'options'], nonResourceURLs: ordinaryReads },
        { level: 'Metadata', nonResourceURLs: paths },
        { level: 'RequestResponse' },
      ]
  }
}

const ordinaryReads = [
  ...['/healthz', '/livez', '/readyz', '/metrics', '/version', '/api', '/apis', '/'],
  ...['/healthz/*', '/livez/*', '/readyz/*', '/api/*', '/apis/*', '/openapi/*'],
]
