import type { Schema } from '../../../meta/schema.ts'
import { flag, listOf, mapOf, struct, string, stringList } from '../../schema.ts'

/**
 * Schemas of the access reviews, published under names from `nameOf`.
 * Source: Kubernetes API reference, authorization.k8s.io/v1.
 */
export interface ReviewShapes {
  /** Spec of a review of the caller. */
  selfSpec: Schema
  /** Spec of a review of another user. */
  subjectSpec: Schema
  status: Schema
  rulesSpec: Schema
  rulesStatus: Schema
}

export type NameOf = (type: string) => string

export function reviewShapes(nameOf: NameOf): ReviewShapes {
  const asked = {
    resourceAttributes: resourceAttributes(nameOf),
    nonResourceAttributes: struct(
      {
        path: string('Path of the request.'),
        verb: string('Method of the request, in lower case.'),
      },
      'A request for a path outside the resources.',
      { definition: nameOf('NonResourceAttributes') },
    ),
  }
  return {
    selfSpec: struct(asked, 'The request that is asked about; exactly one of the two.', {
      definition: nameOf('SelfSubjectAccessReviewSpec'),
    }),
    subjectSpec: struct(
      { ...asked, ...subjectFields },
      'The request that is asked about, one of the two, and who would make it.',
      { definition: nameOf('SubjectAccessReviewSpec') },
    ),
    status: accessStatus(nameOf),
    rulesSpec: struct({ namespace: string('Namespace to look at.') }, 'What is asked about.', {
      definition: nameOf('SelfSubjectRulesReviewSpec'),
    }),
    rulesStatus: rulesStatus(nameOf),
  }
}

const subjectFields = {
  user: string('Name of the user; its groups are not looked up.'),
  groups: stringList('Groups of the user.'),
  extra: mapOf(
    // A null is kept like a list without items.
    { type: 'array', items: { type: 'string' }, nullable: true },
    'What else authentication would say of the user.',
  ),
  uid: string('UID of the user.'),
}

function resourceAttributes(nameOf: NameOf): Schema {
  return struct(
    {
      namespace: string('Namespace of the request; empty for none or all.'),
      verb: string('get, list, watch, create, update, patch, delete …; * is every verb.'),
      group: string('API group of the resource; * is every group.'),
      version: string('API version of the resource; * is every version.'),
      resource: string('The plural; * is every resource.'),
      subresource: string('The subresource; empty for none.'),
      name: string('Name of the object; empty for all.'),
      fieldSelector: selectorAttributes(nameOf, 'FieldSelector'),
      labelSelector: selectorAttributes(nameOf, 'LabelSelector'),
    },
    'A request for a resource.',
    { definition: nameOf('ResourceAttributes') },
  )
}

function selectorAttributes(nameOf: NameOf, kind: string): Schema {
  const requirement = struct(
    {
      key: { type: 'string', description: 'What is looked at.', zero: '' },
      operator: {
        type: 'string',
        description: 'In, NotIn, Exists or DoesNotExist.',
        zero: '',
      },
      values: stringList('For In and NotIn: the values.'),
    },
    'One condition of a selector.',
    {
      definition: `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}Requirement`,
      required: ['key', 'operator'],
    },
  )
  return struct(
    {
      rawSelector: string('The selector as text.'),
      requirements: listOf(requirement, 'The conditions of the selector.'),
    },
    'A selector of the request.',
    { definition: nameOf(`${kind}Attributes`) },
  )
}

/** Status without required fields: clients send an empty one in requests. */
function accessStatus(nameOf: NameOf): Schema {
  return struct(
    {
      allowed: alwaysThere('Whether the request would be allowed.'),
      denied: flag('Whether it would be refused, whatever others say.'),
      reason: string('Why.'),
      evaluationError: string('What went wrong while it was decided.'),
    },
    'The answer.',
    { definition: nameOf('SubjectAccessReviewStatus') },
  )
}

function alwaysThere(description: string): Schema {
  return { type: 'boolean', description, zero: false }
}

/** List that is null if absent. */
function nullable(list: Schema): Schema {
  return { ...list, omitEmpty: false, zero: null }
}

function rulesStatus(nameOf: NameOf): Schema {
  const verbs = nullable(stringList('Allowed verbs.'))
  const rule = (fields: Record<string, Schema>, description: string, name: string): Schema =>
    struct({ verbs, ...fields }, description, { definition: nameOf(name), required: ['verbs'] })
  const resourceRule = rule(
    {
      apiGroups: stringList('API groups of the resources.'),
      resources: stringList('Resources, and subresources behind a slash.'),
      resourceNames: stringList('Names of objects; none means all.'),
    },
    'What may be done with resources.',
    'ResourceRule',
  )
  const pathRule = rule(
    { nonResourceURLs: stringList('Paths; a star ends some.') },
    'What may be done with paths.',
    'NonResourceRule',
  )
  return struct(
    {
      resourceRules: nullable(listOf(resourceRule, 'Rights on resources.')),
      nonResourceRules: nullable(listOf(pathRule, 'Rights on paths.')),
      incomplete: alwaysThere('Whether there may be other rights, or fewer.'),
      evaluationError: string('Why the answer is not complete.'),
    },
    'The rights.',
    { definition: nameOf('SubjectRulesReviewStatus') },
  )
}
