import { jsonText } from '../../../meta/json/exactJson.ts'
import { tooLongField, type FieldError } from '../../../meta/fieldErrors.ts'
import { invalid } from '../../../meta/statusErrors.ts'
import type { Schema } from '../../../meta/schema.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { listOf, struct, string } from '../../schema.ts'
import { answeredKind, opaque, open } from '../managementKind.ts'
import type { Platform, SyncProblem, SyncTrial } from '../platform.ts'

const kind = 'VirtualClusterSyncExplanation'
const maxConfigBytes = 256 * 1024
const maxObjectBytes = 64 * 1024

/**
 * Explains the sync of an object to the host under a configuration, patch by patch, like `sync explain`. An extension.
 * Source: specification, "Virtual-cluster sync option".
 */
export function syncExplanationResource(platform: Platform): ResourceDefinition {
  const { names } = platform
  const shape = {
    names,
    kind,
    plural: 'virtualclustersyncexplanations',
    description: `${kind} shows the effect of syncing an object of a virtual cluster to its host.`,
    fields: {
      spec: struct(specFields, 'Configuration and object to explain.'),
      status: struct(statusFields, 'Result of the request.'),
    },
  }
  const resource: ResourceDefinition = answeredKind(shape, ['create'], {
    create: async (sent) => {
      const trial = readTrial(sent, resource)
      const result = await platform.trySync(trial)
      if ('problems' in result) throw refused(result.problems, sent, resource)
      return { ...sent, status: result.explanation }
    },
  })
  return resource
}

const specFields = {
  config: string('Configuration of the virtual cluster, in YAML. Default: empty.'),
  object: opaque('Object in the virtual cluster.'),
  virtualCluster: string('Name of the virtual cluster. Default: vcluster.'),
  hostNamespace: string('Host namespace of the virtual cluster. Default: vcluster-ns.'),
}

const anything = (description: string): Schema => ({ ...open, description })
const match = struct(
  {
    path: string('Path of the value.'),
    input: anything('Value before the patch.'),
    result: anything('Value after the patch; null if it was removed.'),
  },
  'A value that the patch matched.',
)

const patch = struct(
  {
    path: string('Path of the patch.'),
    by: string('Expression of the patch, or the object that it refers to.'),
    matches: listOf(match, 'Values that the patch matched.'),
  },
  'A patch that was applied.',
)

const statusFields = {
  object: string('Kind, namespace and name of the object.'),
  notSynced: string('Reason why the object is not synced; empty if it is synced.'),
  patches: listOf(patch, 'Effects of the patches, in order.'),
  error: string('Error that stopped the sync after these patches.'),
  host: opaque('Object that would be written to the host.'),
}

interface SyncExplanationSpec {
  config?: string
  object?: Record<string, unknown>
  virtualCluster?: string
  hostNamespace?: string
}

function readTrial({ spec, metadata }: ApiObject, resource: ResourceDefinition): SyncTrial {
  // Guaranteed by the schema.
  const {
    config = '',
    object = {},
    virtualCluster: name = 'vcluster',
    hostNamespace = 'vcluster-ns',
  } = (spec ?? {}) as SyncExplanationSpec
  const isLong: [field: string, bytes: number, max: number][] = [
    ['spec.config', Buffer.byteLength(config), maxConfigBytes],
    ['spec.object', Buffer.byteLength(jsonText(object)), maxObjectBytes],
  ]
  const errors = isLong
    .filter(([, bytes, max]) => bytes > max)
    .map(([field, , max]) => tooLongField(field, max))
  if (errors.length > 0) throw invalid(resource, metadata.name ?? '', errors)
  return { config, object, name, hostNamespace }
}

function refused(
  problems: readonly SyncProblem[],
  { metadata }: ApiObject,
  resource: ResourceDefinition,
): Error {
  const errors = problems.map(({ field, message }): FieldError => ({
    reason: 'FieldValueInvalid',
    field: `spec.${field}`,
    // The sent value is long, and the sender knows it.
    message: `Invalid value: ${message}`,
  }))
  return invalid(resource, metadata.name ?? '', errors)
}
