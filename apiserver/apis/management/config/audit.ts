import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, integer, listOf, secretText, struct, text, textList } from '../../schema.ts'
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
      disableAgentSyncBack: flag('Whether agents keep their audit events to themselves.'),
      level: {
        ...integer('A ready-made policy from 1, writes alone, to 4, all; not with policy.'),
        minimum: 0,
        maximum: 4,
      },
      policy: policySchema(names),
      dataStoreEndpoint: secretText('Address of a database that events go to as well.'),
      dataStoreTTL: { ...integer('Hours that events stay in the database.'), minimum: 0 },
      path: text('File that events are appended to. Required when audit is enabled.'),
      maxAge: { ...integer('Days that old files are kept; 0: for ever.'), minimum: 0 },
      maxBackups: { ...integer('How many old files are kept; 0: all.'), minimum: 0 },
      maxSize: {
        ...integer('Size in megabytes at which a file is rotated.'),
        minimum: 0,
        default: 100,
      },
      compress: flag('Whether rotated files are compressed with gzip.'),
    },
    'What is written of requests, and where to.',
  )
}

function policySchema(names: NamesProfile): Schema {
  return shape(
    names,
    'AuditPolicy',
    {
      rules: listOf(
        ruleSchema(names),
        'The first rule that a request matches says what is logged of it; none: nothing is.',
      ),
      omitStages: oneOf(stages, 'Stages of a request at which no event is made.'),
    },
    'What is logged of which requests.',
  )
}

function ruleSchema(names: NamesProfile): Schema {
  const rule = shape(
    names,
    'AuditPolicyRule',
    {
      level: {
        ...text('How much is logged: None, Metadata, Request or RequestResponse.'),
        enum: levels,
      },
      users: textList('Users that match; empty: every user.'),
      userGroups: textList('Groups of which a user must be in one; empty: every user.'),
      verbs: textList('Verbs that match; empty: every verb.'),
      resources: listOf(resourcesSchema, 'Resources that match; empty: everything.'),
      resourceNames: textList('Names of objects that match; they need resources. Empty: all.'),
      namespaces: textList(
        'Namespaces that match; an empty text: requests without one; empty: every namespace.',
      ),
      nonResourceURLs: textList('Paths that match; * only as the last step.'),
      omitStages: oneOf(stages, 'Stages at which no event is made, beside those of the policy.'),
      requestTargets: oneOf(targets, 'Targets of requests that match; empty: every request.'),
      clusters: textList('Clusters whose requests match; empty: every request.'),
    },
    'A request matches when every part that is given matches.',
  )
  return { ...rule, omitEmpty: false }
}

const resourcesSchema = struct(
  {
    group: text('API group; empty: the core group.'),
    resources: textList(
      'Patterns such as name, name/subresource, *, name/* and */subresource; empty: everything.',
    ),
    resourceNames: textList('Names of objects; empty: all.'),
  },
  'Resources of one group.',
)

function oneOf(words: readonly string[], description: string): Schema {
  return listOf({ type: 'string', enum: words }, description)
}
