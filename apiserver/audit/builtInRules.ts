import { managementGroup, type NamesProfile } from '../meta/names/namesProfile.ts'
import type { AuditRule } from './auditSettings.ts'

/** The rules that stand before those of a level. What hands out a credential, or asks only what one may do, is not
 *  noted; of what carries a secret when it is made the body is not. A rule of its own for creates comes first, so that
 *  a kubeconfig that was handed out is noted, and a look at one is not. Source: platform facts 1.7. */
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

/** The fixed policies. 1: writes alone, creates with what was sent. 2: reads too, without bodies. 3: every write with
 *  what was sent. 4: everything with what was sent and answered, and reads outside the API, probes and documents left
 *  out. Of requests outside the API bodies are never noted. Source: platform facts 1.7. */
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
