import { documentForm } from '../registry/objectForm.ts'
import { jsonText } from '../meta/json/exactJson.ts'
import type { Schema } from '../meta/schema.ts'
import type { ApiObject, GroupVersion, Verb } from '../meta/types.ts'
import { canonicalForm, objectSchema } from '../registry/schema/canonicalForm.ts'
import { compareVersions } from '../meta/versionOrder.ts'
import type {
  AnsweredSubresource,
  ResourceDefinition,
  SubresourceDefinition,
} from '../registry/resource.ts'
import type { CelLibrary } from '../cel/library.ts'
import { customStrategies, type CustomStrategies, type DefinitionLife } from './customStrategy.ts'
import type { RemoteConversion } from '../registry/versions/remoteConversion.ts'
import { ConversionWebhook, type ConversionCalls } from './conversion/conversionWebhook.ts'
import { defaulting, type Defaulting } from './schemaDefaults.ts'
import { malformedEmbedded } from './embeddedObjects.ts'
import type {
  DefinitionNames,
  DefinitionSpec,
  DefinitionVersion,
  ScalePaths,
} from './definition.ts'
import { hasStatus, storageVersion } from './definition.ts'
import { parseJsonPath } from './jsonPath.ts'
import { printerColumns } from './printerColumns.ts'
import { structuralSchema } from './structuralSchema.ts'

export interface CustomResourceOptions {
  spec: DefinitionSpec
  /** Accepted names. */
  names: DefinitionNames
  life: DefinitionLife
  /** Expression library, loaded if there are validation rules. */
  cel: CelLibrary
  scaleOf: ScaleMaker
  /** Dependencies of calls to conversion webhooks. */
  calls: ConversionCalls
}

/** Creates the scale subresource of a custom kind. */
export type ScaleMaker = (paths: ScalePaths, of: ResourceAddress) => AnsweredSubresource

export interface ResourceAddress extends GroupVersion {
  plural: string
}

/**
 * Kinds of a definition: the storage version, and all served versions starting with it. They share
 * one store.
 * @throws Error for a rule that cannot be compiled.
 */
export function customResources(options: CustomResourceOptions): {
  stored: ResourceDefinition
  served: ResourceDefinition[]
} {
  const { spec } = options
  const stored = storageVersion(spec)
  if (stored === undefined) throw new Error(`${spec.names.plural} has no storage version`)
  const form = versionResource(stored, options)
  const conversion = conversionOf(options)
  const shared = { stored: form, forms: storedForms(spec), ...conversion }
  const whole = withStoredForm(form, shared)
  const others = spec.versions
    .filter((version) => version.served && version !== stored)
    .map((version) => withStoredForm(versionResource(version, options), shared))
  return { stored: whole, served: stored.served ? [whole, ...others] : others }
}

interface SharedForms {
  stored: ResourceDefinition
  forms: ReadonlyMap<string, StoredForm>
  remote?: RemoteConversion
  unconverted?: ResourceDefinition
}

/** Conversion by the webhook of a definition; empty: the definition has none. */
function conversionOf({
  spec,
  names,
  calls,
}: CustomResourceOptions): Pick<SharedForms, 'remote' | 'unconverted'> {
  const { strategy, webhook: { clientConfig, conversionReviewVersions = [] } = {} } =
    spec.conversion ?? {}
  if (strategy !== 'Webhook' || clientConfig === undefined) return {}
  const remote = new ConversionWebhook({
    ...calls,
    config: clientConfig,
    reviewVersions: conversionReviewVersions,
    group: spec.group,
    kind: names.kind,
    versions: spec.versions.map(({ name }) => name),
  })
  return { remote, unconverted: unconvertedResource(spec, names) }
}

/** Objects of a definition in their stored versions, without conversion. */
function unconvertedResource(
  { group, scope, versions }: DefinitionSpec,
  names: DefinitionNames,
): ResourceDefinition {
  return {
    group,
    version: versions.find(({ storage }) => storage)?.name ?? '',
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    namespaced: scope === 'Namespaced',
    verbs: [],
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    strategy: { generation: 'content', allowUnconditionalUpdate: true },
    form: documentForm,
  }
}

/** Form to which objects stored in a version are converted when they are read. */
interface StoredForm {
  schema: Schema
  defaults: Defaulting
}

/** Stored forms by the apiVersion in which objects are stored. */
function storedForms({ group, versions }: DefinitionSpec): ReadonlyMap<string, StoredForm> {
  const entries = versions.map((version): [string, StoredForm] => {
    const schema = kindSchema(version)
    return [`${group}/${version.name}`, { schema, defaults: defaulting(schema) }]
  })
  return new Map(entries)
}

/**
 * Stores objects in the storage version; versions differ only in their name. Stored objects are
 * pruned and defaulted when they are read, with the current schema of their stored version. If the
 * defaults are too large, only some are set, so that the object can still be read and deleted. The
 * requested version prunes once more.
 */
function withStoredForm(
  resource: ResourceDefinition,
  { stored, forms, remote, unconverted }: SharedForms,
): ResourceDefinition {
  const toStored = (object: ApiObject) =>
    remote === undefined ? ofVersion(object, stored) : object
  const own = `${resource.group}/${resource.version}`
  const fromStored = (object: ApiObject) => {
    const form = forms.get(object.apiVersion)
    const isOther = form !== undefined && object.apiVersion !== own
    // canonicalForm returns an object for an object.
    const pruned = isOther
      ? (canonicalForm(object, objectSchema(form.schema)).value as ApiObject)
      : { ...object }
    form?.defaults.fillWhatFits(pruned)
    return remote === undefined ? ofVersion(pruned, resource) : pruned
  }
  const form = { resource: stored, toStored, fromStored }
  if (remote === undefined || unconverted === undefined) return { ...resource, storedAs: form }
  return { ...resource, storedAs: { ...form, remote }, unconverted }
}

function ofVersion(object: ApiObject, { group, version }: ResourceDefinition): ApiObject {
  return { ...object, apiVersion: `${group}/${version}` }
}

/** Verbs in discovery order. Source: reference 0.4. */
const verbs: readonly Verb[] = [
  ...(['delete', 'deletecollection', 'get', 'list', 'patch', 'create'] as const),
  ...(['update', 'watch'] as const),
]

function versionResource(
  version: DefinitionVersion,
  options: CustomResourceOptions,
): ResourceDefinition {
  const { spec, names } = options
  const schema = kindSchema(version)
  const subject = { group: spec.group, resource: names.plural }
  const strategies = customStrategies(version, schema, { ...options, subject })
  const warning = deprecation(version, spec)
  return {
    group: spec.group,
    version: version.name,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    namespaced: spec.scope === 'Namespaced',
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs,
    schema,
    strategy: strategies.main,
    columns: printerColumns(version.additionalPrinterColumns),
    selectableFields: selectableFields(version),
    refusedField,
    declared: {
      schema: version.schema?.openAPIV3Schema ?? {},
      selectable: Object.keys(selectableFields(version)),
      hasRules: strategies.hasRules,
    },
    malformedPart: (body) => malformedEmbedded(body, schema),
    subresources: subresources(version, strategies, options),
    form: documentForm,
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
  }
}

function kindSchema({ schema }: DefinitionVersion): Schema {
  const { properties = {}, ...root } = structuralSchema(schema?.openAPIV3Schema ?? {})
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...content } = properties
  return { ...root, type: 'object', properties: content }
}

function subresources(
  version: DefinitionVersion,
  { status }: CustomStrategies,
  { scaleOf, names, spec }: CustomResourceOptions,
): SubresourceDefinition[] {
  const { scale } = version.subresources ?? {}
  const found: SubresourceDefinition[] = []
  if (hasStatus(version)) {
    found.push({
      name: 'status',
      verbs: ['get', 'patch', 'update'],
      strategy: status,
      resets: [['f:metadata']],
    })
  }
  if (scale !== undefined) {
    const self = { group: spec.group, version: version.name, plural: names.plural }
    found.push(scaleOf(scale, self))
  }
  return found
}

/** Error message for an unknown field selector, for kinds that declare selectable fields. */
function refusedField(path: string): string {
  return `field label not supported: ${path}`
}

function selectableFields({
  selectableFields: fields = [],
}: DefinitionVersion): Record<string, (object: ApiObject) => string> {
  const entries = fields.map(({ jsonPath }): [string, (object: ApiObject) => string] => {
    const path = parseJsonPath(jsonPath)
    const valueOf = (object: ApiObject) => {
      const value = path?.find(object)[0]
      return value === undefined || value === null ? '' : textOf(value)
    }
    return [jsonPath.replace(/^\./, ''), valueOf]
  })
  return Object.fromEntries(entries)
}

/** String form of a scalar; validation of the definition ensures that the value is one. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value)
}

/** Deprecation of a version. Source: Kubernetes documentation, "Version deprecation". */
function deprecation(
  { name, deprecated, deprecationWarning }: DefinitionVersion,
  { group, names: { kind }, versions }: DefinitionSpec,
): string | undefined {
  if (deprecated !== true) return undefined
  if (deprecationWarning !== undefined) return deprecationWarning
  const [newest] = versions
    .filter((other) => other.served && other.deprecated !== true)
    .map((other) => other.name)
    .filter((other) => compareVersions(other, name) < 0)
    .sort(compareVersions)
  const advice = newest === undefined ? '' : `; use ${group}/${newest} ${kind}`
  return `${group}/${name} ${kind} is deprecated${advice}`
}
