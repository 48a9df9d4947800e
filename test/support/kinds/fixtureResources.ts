import type { Schema } from '../../../apiserver/meta/schema.ts'
import type { ResourceDefinition } from '../../../apiserver/registry/resource.ts'

/**
 * Kinds for tests of everything derived from resource definitions: together they use every keyword
 * of `Schema`.
 */

const quantity: Schema = {
  description: 'An amount, as a number or with a unit.',
  'x-kubernetes-int-or-string': true,
}

const port: Schema = {
  definition: 'dev.example.v1.WidgetPort',
  description: 'A port of a widget.',
  type: 'object',
  required: ['name', 'port'],
  properties: {
    name: { type: 'string', description: 'The name of the port.', minLength: 1, maxLength: 63 },
    port: { type: 'integer', format: 'int32', minimum: 1, maximum: 65535 },
    protocol: { type: 'string', enum: ['TCP', 'UDP'], default: 'TCP', omitEmpty: true },
  },
}

const widgetSpec: Schema = {
  definition: 'dev.example.v1.WidgetSpec',
  description: 'WidgetSpec is what a widget should be.',
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'string', description: 'How big it is.', enum: ['small', 'large'], default: '' },
    capacity: { ...quantity, description: 'How much goes in.' },
    labels: {
      type: 'object',
      description: 'Free keys.',
      additionalProperties: { type: 'string' },
      'x-kubernetes-map-type': 'atomic',
    },
    ports: {
      type: 'array',
      description: 'The ports, by name.',
      items: port,
      minItems: 1,
      maxItems: 8,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    },
    mainPort: { ...port, description: 'The port to try first.', default: {}, nullable: true },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    anything: { type: 'array', description: 'Values of any type.' },
    parts: {
      type: 'object',
      description: 'Parts by name.',
      additionalProperties: {
        type: 'object',
        properties: {
          weight: { type: 'number', format: 'double', nullable: true },
          secret: { type: 'string', format: 'byte' },
          madeAt: { type: 'string', format: 'date-time' },
        },
      },
    },
    template: {
      type: 'object',
      description: 'The object to make from it.',
      properties: { metadata: {}, enabled: { type: 'boolean', default: true } },
    },
    raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    embedded: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    code: { type: 'string', pattern: '^[a-z]+$', omitEmpty: true },
  },
}

export const widget: ResourceDefinition = {
  group: 'example.dev',
  version: 'v1',
  plural: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  namespaced: true,
  shortNames: ['wd'],
  categories: ['all'],
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  schema: {
    definition: 'dev.example.v1.Widget',
    description: 'Widget is a thing with ports.',
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: {},
      spec: { ...widgetSpec, description: 'What it should be.' },
    },
  },
  strategy: {},
}

export const gadget: ResourceDefinition = {
  group: 'example.dev',
  version: 'v1beta1',
  plural: 'gadgets',
  singular: 'gadget',
  kind: 'Gadget',
  namespaced: false,
  verbs: ['watch', 'list', 'get', 'update', 'patch', 'create', 'delete'],
  schema: {
    description: 'Gadget is a thing of the whole cluster.',
    type: 'object',
    properties: {
      metadata: { description: 'Its metadata.' },
      spec: {
        type: 'object',
        description: 'What it should be.',
        properties: { replicas: { type: 'integer', format: 'int64', minimum: 1 } },
      },
      status: {
        type: 'object',
        description: 'What it is.',
        properties: { phase: { type: 'string', description: 'Where it stands.' } },
      },
    },
  },
  strategy: {},
  subresources: [{ name: 'status', verbs: ['update', 'get', 'patch'], strategy: {} }],
  patchTypes: ['application/merge-patch+json'],
}

/** Kind of the core group with two verbs only. */
export const note: ResourceDefinition = {
  group: '',
  version: 'v1',
  plural: 'notes',
  singular: 'note',
  kind: 'Note',
  namespaced: true,
  verbs: ['list', 'create'],
  schema: { definition: 'io.k8s.api.core.v1.Note', description: 'Note is a note.', type: 'object' },
  strategy: {},
}

export const fixtureResources: readonly ResourceDefinition[] = [widget, gadget]
