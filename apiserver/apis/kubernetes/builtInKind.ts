import type { Schema } from '../../meta/schema.ts'
import type { Verb } from '../../meta/types.ts'
import { builtInPatchTypes, type ResourceDefinition } from '../../registry/resource.ts'
import { keepMetadataContents } from '../../registry/write/keepMetadata.ts'
import type { ParentSubresource } from '../../registry/resource.ts'
import type { Strategy } from '../../registry/strategy.ts'
import type { BuiltInTypes } from './builtInTypes.ts'
import type { PlaneAccess } from '../planeAccess.ts'

/** Dependencies of built-in kinds. */
export interface KindContext {
  types: BuiltInTypes
  access: PlaneAccess
}

/** Built-in kind with a generated structure. These fields cannot be derived from the Go types. */
export interface BuiltInKind extends Omit<
  ResourceDefinition,
  'schema' | 'singular' | 'patchTypes' | 'verbs' | 'strategy'
> {
  description: string
  /** Verbs; absent: all. */
  verbs?: readonly Verb[]
  strategy: Strategy
}

const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

/**
 * Definition of a kind whose schema is created on first use, since discovery, stores and routes do not need it.
 * Defaults are also set on objects that the server itself creates; updates may always omit the version.
 */
export function builtInKind(types: BuiltInTypes, kind: BuiltInKind): ResourceDefinition {
  const { description, strategy, ...rest } = kind
  return {
    verbs: allVerbs,
    ...rest,
    singular: kind.kind.toLowerCase(),
    patchTypes: builtInPatchTypes,
    strategy: withDefaults({
      allowUnconditionalUpdate: true,
      tellsErrorsOnce: true,
      ...strategy,
      metadata: { reportedFirst: true, qualifiedFinalizers: true, ...strategy.metadata },
    }),
    get schema(): Schema {
      const schema = kindSchema(types, kind, description)
      Object.defineProperty(this, 'schema', { value: schema, enumerable: true })
      return schema
    },
  }
}

/** Package of the Go types of a group version: `core/v1`, `networking/v1` for networking.k8s.io/v1. */
function packageOf({ group, version }: { group: string; version: string }): string {
  return `${group === '' ? 'core' : (group.split('.')[0] ?? '')}/${version}`
}

/** Schema of a kind from its generated type, without the common fields of objects. */
export function kindSchema(
  types: BuiltInTypes,
  kind: Pick<ResourceDefinition, 'group' | 'version' | 'kind'>,
  description: string,
): Schema {
  const schema = types.schema(packageOf(kind), kind.kind)
  const {
    kind: _kind,
    apiVersion: _version,
    metadata: _metadata,
    ...rest
  } = schema.properties ?? {}
  const required = schema.required?.filter((name) => name !== 'metadata') ?? []
  const { required: _required, ...words } = schema
  return { ...words, description, properties: rest, ...(required.length > 0 ? { required } : {}) }
}

function withDefaults(strategy: Strategy): Strategy {
  if (strategy.setDefaults === undefined) return strategy
  return {
    ...strategy,
    prepareForCreate: (object, context) => {
      strategy.setDefaults?.(object)
      strategy.prepareForCreate?.(object, context)
    },
  }
}

/**
 * Subresource that writes the status and leaves everything else unchanged. `more`: additional hooks
 * of its strategy. `resets`: additional metadata paths to leave unchanged.
 */
export function statusSubresource(
  validateUpdate?: NonNullable<Strategy['validateUpdate']>,
  { resets, ...more }: Strategy & Pick<ParentSubresource, 'resets'> = {},
): ParentSubresource {
  const strategy = { resetsContent: true, ...(validateUpdate && { validateUpdate }), ...more }
  const verbs = ['get', 'update', 'patch'] as const
  return { name: 'status', verbs, strategy, ...(resets && { resets }) }
}

/** A status subresource that also leaves the metadata unchanged. */
export function bareStatusSubresource(
  validateUpdate?: NonNullable<Strategy['validateUpdate']>,
  more: Strategy = {},
): ParentSubresource {
  return statusSubresource(validateUpdate, {
    prepareForUpdate: keepMetadataContents,
    ...more,
    resets: [['f:metadata']],
  })
}
