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
    selfSpec: struct(
      asked,
      'Request to check: either resourceAttributes or nonResourceAttributes.',
      {
        definition: nameOf('SelfSubjectAccessReviewSpec'),
      },
    ),
    subjectSpec: struct(
      { ...asked, ...subjectFields },
      'Request to check, either resourceAttributes or nonResourceAttributes, and its user.',
      { definition: nameOf('SubjectAccessReviewSpec') },
    ),
    status: accessStatus(nameOf),
    rulesSpec: struct(
      { namespace: string('Namespace to evaluate rules for.') },
      'Namespace of the review.',
      {
        definition: nameOf('SelfSubjectRulesReviewSpec'),
      },
    ),
    rulesStatus: rulesStatus(nameOf),
  }
}

const subjectFields = {
  user: string('Name of the user; its groups are not looked up.'),
  groups: stringList('Groups of the user.'),
  extra: mapOf(
    // A null is kept like a list without items.
    { type: 'array', items: { type: 'string' }, nullable: true },
    'Extra attributes of the user from authentication.',
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
      resource: string('Plural name of the resource; * is every resource.'),
      subresource: string('Subresource; empty for none.'),
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
      key: { type: 'string', description: 'Key that the requirement applies to.', zero: '' },
      operator: {
        type: 'string',
        description: 'In, NotIn, Exists or DoesNotExist.',
        zero: '',
      },
      values: stringList('Values for In and NotIn.'),
    },
    'Requirement of a selector.',
    {
      definition: `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}Requirement`,
      required: ['key', 'operator'],
    },
  )
  return struct(
    {
      rawSelector: string('Selector in its text form.'),
      requirements: listOf(requirement, 'Requirements of the selector.'),
    },
    'A selector of the request.',
    { definition: nameOf(`${kind}Attributes`) },
  )
}

/** Status without required fields: clients send an empty one in requests. */
function accessStatus(nameOf: NameOf): Schema {
  return struct(
    {
      allowed: alwaysThere('True if the request would be allowed.'),
      denied: flag('True if the request would be denied, regardless of other authorizers.'),
      reason: string('Reason for the decision.'),
      evaluationError: string('Error that occurred during authorization.'),
    },
    'Result of the review.',
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
      resources: stringList('Resources, with subresources after a slash.'),
      resourceNames: stringList('Names of objects; empty for all.'),
    },
    'Allowed verbs on resources.',
    'ResourceRule',
  )
  const pathRule = rule(
    { nonResourceURLs: stringList('Paths; * is allowed only as the last step.') },
    'Allowed verbs on paths.',
    'NonResourceRule',
  )
  return struct(
    {
      resourceRules: nullable(listOf(resourceRule, 'Rules for resources.')),
      nonResourceRules: nullable(listOf(pathRule, 'Rules for paths.')),
      incomplete: alwaysThere('True if the list of rules may be incomplete.'),
      evaluationError: string('Error because of which the rules are incomplete.'),
    },
    'Rules of the user in the namespace.',
    { definition: nameOf('SubjectRulesReviewStatus') },
  )
}
