import type { ApiObject } from '../../apiserver/meta/types.ts'
import { isPlaneError, type PlaneClient, type PlaneResource } from '../client/planeClient.ts'
import { safeConcat } from '../../apiserver/meta/hostName.ts'
import { mappedNamespace } from '../names/namespaceMapping.ts'
import { applyPatches } from '../patches/applyPatches.ts'
import { patchableMetadata, patchPlace, type KindTranslation } from './hostDocument.ts'

const namespaces: PlaneResource = {
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
}

/** Makes the host namespace that a virtual one is mapped to. One that is there already is used as it is; none is deleted,
 *  since others may have come to use it. @throws PlaneError, PatchError. Source: platform facts 6.1, 6.7, 6.8. */
export async function ensureHostNamespace(
  namespace: string,
  { virtual, host }: { virtual: PlaneClient; host: PlaneClient },
  kind: KindTranslation,
): Promise<void> {
  const { naming, marks } = kind.translation
  const { namespaces: config } = kind.config
  const name = mappedNamespace(namespace, config.mappings.byName, naming.virtualCluster)
  if (name === undefined || (await host.get(namespaces, { name, namespace: '' })) !== undefined)
    return
  const source = await virtual.get(namespaces, { name: namespace, namespace: '' })
  if (source === undefined) return
  const made = { metadata: { name, labels: { ...config.extraLabels } } }
  const place = patchPlace('toHost', { virtual: source, host: undefined }, kind)
  const { metadata, ...fields } = await applyPatches(made, config.patches, place)
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
    if (!isPlaneError(error, 409)) throw error // another try made it meanwhile
  })
}
