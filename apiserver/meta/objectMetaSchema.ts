import type { Schema } from './schema.ts'

const text = (description: string): Schema => ({ type: 'string', description, omitEmpty: true })
const alwaysText = (description: string): Schema => ({ type: 'string', description, zero: '' })
const time = (description: string): Schema => ({ type: 'string', format: 'date-time', description })
const whole = (description: string): Schema => ({
  type: 'integer',
  format: 'int64',
  description,
  omitEmpty: true,
})
const stringMap = (description: string): Schema => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
  omitEmpty: true,
})

const metaV1 = 'io.k8s.apimachinery.pkg.apis.meta.v1'

const ownerReference: Schema = {
  definition: `${metaV1}.OwnerReference`,
  description:
    'Names an object that owns this one; both are in the same namespace, or the owner has none.',
  type: 'object',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  'x-kubernetes-map-type': 'atomic',
  properties: {
    apiVersion: alwaysText('Group and version of the owner.'),
    kind: alwaysText('Kind of the owner.'),
    name: alwaysText('Name of the owner.'),
    uid: alwaysText('UID of the owner.'),
    controller: {
      type: 'boolean',
      description: 'Marks the owner as the managing controller; at most one is.',
    },
    blockOwnerDeletion: {
      type: 'boolean',
      description:
        'A foreground deletion of the owner waits for this object. Setting it needs the right to delete the owner.',
    },
  },
}

const managedFieldsEntry: Schema = {
  definition: `${metaV1}.ManagedFieldsEntry`,
  description: 'The fields that one manager set, in one version, by one kind of operation.',
  type: 'object',
  properties: {
    manager: text('Who set the fields.'),
    operation: text('Apply or Update.'),
    apiVersion: text('Group and version that the field set is written in.'),
    time: time('When the set last changed.'),
    fieldsType: text('Format of the field set; FieldsV1 is the only one.'),
    fieldsV1: {
      definition: `${metaV1}.FieldsV1`,
      description: 'A set of fields as a tree of path elements.',
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    subresource: text(
      'The subresource that the fields were set through; empty for the main resource.',
    ),
  },
}

/** `metadata` of every object, in wire order. Source: specification, "metadata"; reference 1.10. */
export const objectMetaSchema: Schema = {
  definition: `${metaV1}.ObjectMeta`,
  description: 'What every stored object carries beside its own content.',
  type: 'object',
  properties: {
    name: text(
      'Unique within a namespace. Needed on create unless generateName is given. It cannot be changed.',
    ),
    generateName: text(
      'A prefix from which the server makes a unique name where none is given; it is cut where the suffix needs the room.',
    ),
    namespace: text(
      'The namespace the object lives in; empty for objects that have none. It cannot be changed.',
    ),
    selfLink: text('Deprecated: no longer filled.'),
    uid: text('Unique in time and space; set by the server.'),
    resourceVersion: text(
      'Opaque version of the object, for optimistic concurrency, change detection and watches; set by the server.',
    ),
    generation: whole('Sequence number of the desired state; set by the server.'),
    creationTimestamp: time('When the object was created, RFC 3339 in UTC; set by the server.'),
    deletionTimestamp: time(
      'When the object is to be gone, RFC 3339 in UTC; set by the server when a graceful deletion is requested.',
    ),
    deletionGracePeriodSeconds: {
      type: 'integer',
      format: 'int64',
      description:
        'Seconds a graceful deletion may take; set together with deletionTimestamp, and only shortened.',
    },
    labels: stringMap('Keys and values to organise and select objects by.'),
    annotations: stringMap(
      'Free keys and values that tools keep with the object; not for selection.',
    ),
    ownerReferences: {
      type: 'array',
      items: ownerReference,
      description: 'The objects this one depends on: when all are gone, it is garbage collected.',
      omitEmpty: true,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'uid',
    },
    finalizers: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Must be empty before the object is removed; during a deletion entries can only be taken away.',
      omitEmpty: true,
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    },
    managedFields: {
      type: 'array',
      items: managedFieldsEntry,
      description: 'Which manager set which fields; kept by the server.',
      omitEmpty: true,
      'x-kubernetes-list-type': 'atomic',
    },
  },
}
