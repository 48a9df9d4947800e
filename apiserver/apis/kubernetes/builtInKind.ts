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

/** A built-in kind whose structure is generated: the fields here are what Go types do not tell. */
export interface BuiltInKind extends Omit<
  ResourceDefinition,
  'schema' | 'singular' | 'patchTypes' | 'verbs' | 'strategy'
> {
  description: string
  /** Default: all. */
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

/** The definition of a kind with its schema made at first use: discovery, stores and routes never ask for it.
 *  Defaults are also set on what the server itself creates; updates may always leave the version out. */
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

/** `core/v1`, `networking/v1` for networking.k8s.io/v1: where the Go types of a group version are. */
function packageOf({ group, version }: { group: string; version: string }): string {
  return `${group === '' ? 'core' : (group.split('.')[0] ?? '')}/${version}`
}

/** The schema of a kind from its generated type, without the fields that every object has. */
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

/** The subresource that writes the status and leaves all other content unchanged. `more`: other hooks of its
 *  strategy. `resets`: paths of metadata that it also leaves unchanged. */
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
