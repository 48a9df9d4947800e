import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, integer, listOf, secretString, struct, string, stringList } from '../../schema.ts'
import { shape } from './shape.ts'

const levels = ['None', 'Metadata', 'Request', 'RequestResponse']
const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic']
/** Targets of requests, which differ from those of a scope. Source: platform facts, contradiction 12. */
const targets = ['Management', 'Cluster', 'VCluster', 'ProjectSpace', 'ProjectVCluster']

/** Audit settings. Source: specification, "audit"; platform facts 1.7. */
export function auditSchema(names: NamesProfile): Schema {
  return shape(
    names,
    'Audit',
    {
      enabled: flag('Whether requests are logged.'),
      disableAgentSyncBack: flag('Whether agents keep their audit events local.'),
      level: {
        ...integer(
          'Predefined policy from 1 (only writes) to 4 (everything); cannot be combined with policy.',
        ),
        minimum: 0,
        maximum: 4,
      },
      policy: policySchema(names),
      dataStoreEndpoint: secretString('URL of a database that also receives events.'),
      dataStoreTTL: { ...integer('Hours that events stay in the database.'), minimum: 0 },
      path: string('File that events are appended to. Required when audit is enabled.'),
      maxAge: { ...integer('Days to keep old files; 0: forever.'), minimum: 0 },
      maxBackups: { ...integer('Maximum number of old files; 0: no limit.'), minimum: 0 },
      maxSize: {
        ...integer('Size in megabytes at which a file is rotated.'),
        minimum: 0,
        default: 100,
      },
      compress: flag('Whether rotated files are compressed with gzip.'),
    },
    'Audit log: recorded requests and sinks.',
  )
}

function policySchema(names: NamesProfile): Schema {
  return shape(
    names,
    'AuditPolicy',
    {
      rules: listOf(
        ruleSchema(names),
        'Audit policy. The first matching rule sets the level of a request; without a match nothing is logged.',
      ),
      omitStages: oneOf(stages, 'Stages of a request for which no event is recorded.'),
    },
    'Audit level for matching requests.',
  )
}

function ruleSchema(names: NamesProfile): Schema {
  const rule = shape(
    names,
    'AuditPolicyRule',
    {
      level: {
        ...string('Audit level: None, Metadata, Request or RequestResponse.'),
        enum: levels,
      },
      users: stringList('Users that match; empty: every user.'),
      userGroups: stringList('Groups of matching users, any of them; empty: every user.'),
      verbs: stringList('Verbs that match; empty: every verb.'),
      resources: listOf(resourcesSchema, 'Resources that match; empty: everything.'),
      resourceNames: stringList('Names of matching objects; requires resources. Empty: all.'),
      namespaces: stringList(
        'Namespaces that match; an empty string: requests without a namespace; empty: every namespace.',
      ),
      nonResourceURLs: stringList('Matching paths; * is allowed only as the last step.'),
      omitStages: oneOf(stages, 'Stages without events, in addition to those of the policy.'),
      requestTargets: oneOf(targets, 'Targets of requests that match; empty: every request.'),
      clusters: stringList('Clusters whose requests match; empty: every request.'),
    },
    'Rule for requests. A request matches if all given parts match.',
  )
  return { ...rule, omitEmpty: false }
}

const resourcesSchema = struct(
  {
    group: string('API group; empty: the core group.'),
    resources: stringList(
      'Patterns such as name, name/subresource, *, name/* and */subresource; empty: everything.',
    ),
    resourceNames: stringList('Names of objects; empty: all.'),
  },
  'Resources of one group.',
)

function oneOf(words: readonly string[], description: string): Schema {
  return listOf({ type: 'string', enum: words }, description)
}
