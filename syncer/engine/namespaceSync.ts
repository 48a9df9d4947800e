import type { ApiObject } from '../../apiserver/meta/types.ts'
import {
  isPlaneError,
  PlaneError,
  type PlaneClient,
  type PlaneResource,
} from '../client/planeClient.ts'
import { safeConcat } from '../../apiserver/meta/names/hostName.ts'
import type { Markers } from '../names/markers.ts'
import { mappedNamespace } from '../names/namespaceMapping.ts'
import { applyPatches } from '../patches/applyPatches.ts'
import type { Translation } from '../rules/kindRules.ts'
import type { ObjectReference } from '../patches/references.ts'
import { patchableMetadata, patchPlace, type KindTranslation } from './hostDocument.ts'
import { collected, haveReferences } from './referencesOf.ts'

const namespaces: PlaneResource = {
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
}

/**
 * Creates the host namespace that a virtual one is mapped to. An existing one is used unless it is marked for another
 * owner. Namespaces are never deleted, since they may have other users.
 * @throws PlaneError, PatchError. Source: platform facts 6.1, 6.7, 6.8.
 */
export async function ensureHostNamespace(
  namespace: string,
  { virtual, host }: { virtual: PlaneClient; host: PlaneClient },
  kind: KindTranslation,
): Promise<void> {
  const { naming, marks } = kind.translation
  const { namespaces: config } = kind.config
  const name = mappedNamespace(namespace, config.mappings.byName, naming.virtualCluster)
  if (name === undefined) return
  const there = await host.get(namespaces, { name, namespace: '' })
  if (there !== undefined) {
    if (name !== naming.hostNamespace && hasOwner(there, marks)) throw ofAnother(name)
    return
  }
  const source = await virtual.get(namespaces, { name: namespace, namespace: '' })
  if (source === undefined) return
  const { metadata, ...fields } = await patchedNamespace(source, name, kind)
  const { labels, annotations } = patchableMetadata(metadata)
  const object: ApiObject = {
    ...fields,
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: {
        ...labels,
        [marks.managedBy]: safeConcat(naming.hostNamespace, 'x', naming.virtualCluster),
      },
      annotations: {
        ...annotations,
        [marks.objectName]: namespace,
        [marks.objectKind]: '/v1, Kind=Namespace',
      },
    },
  }
  await host.create(namespaces, object).catch((error: unknown) => {
    if (!isPlaneError(error, 409)) throw error // another attempt created it in the meantime
  })
}

/**
 * References in the patches of namespaces for a mapped virtual namespace.
 * @throws PlaneError, PatchError.
 */
export async function namespaceReferences(
  namespace: string,
  virtual: PlaneClient,
  kind: KindTranslation,
): Promise<readonly ObjectReference[]> {
  const { naming } = kind.translation
  const { mappings, patches } = kind.config.namespaces
  const name = mappedNamespace(namespace, mappings.byName, naming.virtualCluster)
  if (name === undefined || !haveReferences(patches)) return []
  const source = await virtual.get(namespaces, { name: namespace, namespace: '' })
  if (source === undefined) return []
  return collected(kind, (collecting) => patchedNamespace(source, name, collecting))
}

function patchedNamespace(
  source: ApiObject,
  name: string,
  kind: KindTranslation,
): Promise<Record<string, unknown>> {
  const made = { metadata: { name, labels: { ...kind.config.namespaces.extraLabels } } }
  const place = patchPlace('toHost', { virtual: source, host: undefined }, kind)
  return applyPatches(made, kind.patches, place)
}

/**
 * Reports whether a host namespace is marked for another owner: a virtual cluster's configuration may name any
 * namespace.
 */
export async function isOfAnother(
  name: string,
  host: PlaneClient,
  { naming, marks }: Translation,
): Promise<boolean> {
  if (name === naming.hostNamespace) return false
  const there = await host.get(namespaces, { name, namespace: '' })
  return there !== undefined && hasOwner(there, marks)
}

export function ofAnother(name: string): PlaneError {
  const what = 'of the host belongs to somebody else, and nothing is mapped to it'
  return new PlaneError(403, 'Forbidden', `namespace "${name}" ${what}`)
}

function hasOwner({ metadata: { annotations = {} } }: ApiObject, marks: Markers): boolean {
  return marks.namespaceOwners.some((owner) => annotations[owner] !== undefined)
}
