import type { Schema } from '../../../meta/schema.ts'
import { bytes, flag, listOf, struct, string, stringList } from '../../schema.ts'
import { jsonSchemaProps } from './schemaOfSchemas.ts'

const prefix = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'
const atomic = { 'x-kubernetes-list-type': 'atomic' } as const
const whole = (description: string): Schema => ({ type: 'boolean', description, zero: false })
const name = (description: string): Schema => ({ type: 'string', description, zero: '' })

/** The structure of a definition. Source: Kubernetes API reference, CustomResourceDefinition v1. */
export function definitionSchema(): Schema {
  return struct(
    { spec: { ...specSchema(), zero: {} }, status: statusSchema() },
    'CustomResourceDefinition is a kind that is served as if it were built in.',
    { required: ['spec'], definition: `${prefix}.CustomResourceDefinition` },
  )
}

function specSchema(): Schema {
  return struct(
    {
      group: name('The group of the kind. The definition is called <plural>.<group>.'),
      names: {
        ...namesSchema('The names of the kind.'),
        required: ['plural', 'kind'],
        zero: { plural: '', kind: '' },
      },
      scope: name('Namespaced or Cluster.'),
      versions: { ...listOf(versionSchema(), 'The versions of the kind.'), ...atomic },
      conversion: conversionSchema(),
      preserveUnknownFields: flag('Not supported: say so in the schema.'),
    },
    'What the kind is.',
    {
      required: ['group', 'names', 'scope', 'versions'],
      definition: `${prefix}.CustomResourceDefinitionSpec`,
    },
  )
}

function namesSchema(description: string): Schema {
  return struct(
    {
      plural: name('The segment of the path, in lower case.'),
      singular: string('The name of one, in lower case. Default: the kind in lower case.'),
      shortNames: { ...stringList('Short names for the command line.'), ...atomic },
      kind: name('The kind, in CamelCase.'),
      listKind: string('The kind of its lists. Default: <kind>List.'),
      categories: { ...stringList('Groups of kinds that it belongs to, as all.'), ...atomic },
    },
    description,
    { definition: `${prefix}.CustomResourceDefinitionNames` },
  )
}

function versionSchema(): Schema {
  return struct(
    {
      name: name('The version: v1, v1beta1.'),
      served: whole('The version can be reached.'),
      storage: whole('Objects are stored in this version; exactly one is.'),
      deprecated: flag('Requests to this version are answered with a warning.'),
      deprecationWarning: {
        type: 'string',
        description: 'The warning, in place of the usual one.',
      },
      schema: struct(
        { openAPIV3Schema: { ...jsonSchemaProps(), description: 'The schema.' } },
        'The schema of the objects.',
        { definition: `${prefix}.CustomResourceValidation` },
      ),
      subresources: subresourcesSchema(),
      additionalPrinterColumns: {
        ...listOf(columnSchema(), 'The columns of tables, beside the name.'),
        ...atomic,
      },
      selectableFields: {
        ...listOf(selectableSchema(), 'Fields that field selectors may name.'),
        ...atomic,
      },
    },
    'A version of the kind.',
    {
      required: ['name', 'served', 'storage'],
      definition: `${prefix}.CustomResourceDefinitionVersion`,
    },
  )
}

function subresourcesSchema(): Schema {
  const scale = struct(
    {
      specReplicasPath: name('Where the wanted replicas stand: .spec.replicas.'),
      statusReplicasPath: name('Where the replicas there are stand: .status.replicas.'),
      labelSelectorPath: { type: 'string', description: 'Where the selector stands as text.' },
    },
    'The scale of an object.',
    {
      required: ['specReplicasPath', 'statusReplicasPath'],
      definition: `${prefix}.CustomResourceSubresourceScale`,
    },
  )
  const status = struct({}, 'The status is written at a path of its own.', {
    definition: `${prefix}.CustomResourceSubresourceStatus`,
  })
  return struct({ status, scale }, 'The subresources of an object.', {
    definition: `${prefix}.CustomResourceSubresources`,
  })
}

function columnSchema(): Schema {
  return struct(
    {
      name: name('The head of the column.'),
      type: name('string, integer, number, boolean or date.'),
      format: string('A format of the type.'),
      description: string('What is in the column.'),
      priority: {
        type: 'integer',
        format: 'int32',
        description: 'Above 0: in wide output alone.',
        omitEmpty: true,
      },
      jsonPath: name('Where the value stands.'),
    },
    'A column of a table.',
    {
      required: ['name', 'type', 'jsonPath'],
      definition: `${prefix}.CustomResourceColumnDefinition`,
    },
  )
}

function selectableSchema(): Schema {
  return struct({ jsonPath: name('Where the value stands: .spec.color.') }, 'A field.', {
    required: ['jsonPath'],
    definition: `${prefix}.SelectableField`,
  })
}

function conversionSchema(): Schema {
  const strategy = name('None: versions differ in their name alone. Webhook: a program converts.')
  return struct(
    { strategy, webhook: webhookSchema() },
    'How objects become those of another version.',
    { required: ['strategy'], definition: `${prefix}.CustomResourceConversion` },
  )
}

function webhookSchema(): Schema {
  const versions = stringList(
    'Versions of ConversionReview that the webhook knows, the best first.',
  )
  return struct(
    {
      clientConfig: clientConfigSchema(),
      conversionReviewVersions: { ...versions, ...atomic, omitEmpty: false, zero: null },
    },
    'The program that converts. Set if the strategy is Webhook.',
    { required: ['conversionReviewVersions'], definition: `${prefix}.WebhookConversion` },
  )
}

function clientConfigSchema(): Schema {
  const service = struct(
    {
      namespace: name('Namespace of the service.'),
      name: name('Name of the service.'),
      path: { type: 'string', description: 'Path that is called.' },
      port: { type: 'integer', format: 'int32', description: 'Port of the service. Default 443.' },
    },
    'Service that is called, if there is no URL.',
    { required: ['namespace', 'name'], definition: `${prefix}.ServiceReference` },
  )
  return struct(
    {
      url: { type: 'string', description: 'URL that is called, if there is no service.' },
      service,
      caBundle: bytes('Certificates, in PEM, that vouch for that of the webhook.'),
    },
    'How the webhook is called.',
    { definition: `${prefix}.WebhookClientConfig` },
  )
}

function statusSchema(): Schema {
  return struct(
    {
      conditions: {
        ...listOf(conditionSchema(), 'What has become of the definition.'),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
        omitEmpty: false,
        zero: null,
      },
      acceptedNames: {
        ...namesSchema('The names that the kind got.'),
        zero: { plural: '', kind: '' },
      },
      storedVersions: {
        ...stringList('Every version that objects were ever stored in.'),
        ...atomic,
        omitEmpty: false,
        zero: null,
      },
      observedGeneration: {
        type: 'integer',
        format: 'int64',
        description: 'The generation this is about.',
        omitEmpty: true,
      },
    },
    'What has become of the definition.',
    { definition: `${prefix}.CustomResourceDefinitionStatus` },
  )
}

function conditionSchema(): Schema {
  return struct(
    {
      type: name('Established, NamesAccepted, NonStructuralSchema or Terminating.'),
      status: name('True, False or Unknown.'),
      lastTransitionTime: {
        type: 'string',
        format: 'date-time',
        description: 'When the status became this.',
      },
      reason: string('One word for it.'),
      message: string('A sentence about it.'),
      observedGeneration: {
        type: 'integer',
        format: 'int64',
        description: 'The generation this is about.',
        omitEmpty: true,
      },
    },
    'One condition of the definition.',
    {
      required: ['type', 'status'],
      definition: `${prefix}.CustomResourceDefinitionCondition`,
    },
  )
}
