import type { DefinedSchema } from './definedSchema.ts'

/** Definition of a shared meta/v1 schema by the name that clients know: generators map it to existing types. */
const meta = (kind: string): DefinedSchema => ({
  definition: `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`,
})

/** Definitions shared by every group, by name alone: `Definitions` has their schemas. */
export const shared = {
  objectMeta: meta('ObjectMeta'),
  listMeta: meta('ListMeta'),
  status: meta('Status'),
  deleteOptions: meta('DeleteOptions'),
  patch: meta('Patch'),
  time: meta('Time'),
  watchEvent: meta('WatchEvent'),
  apiVersions: meta('APIVersions'),
  apiGroupList: meta('APIGroupList'),
  apiGroup: meta('APIGroup'),
  apiResourceList: meta('APIResourceList'),
  versionInfo: { definition: 'io.k8s.apimachinery.pkg.version.Info' },
} as const satisfies Record<string, DefinedSchema>

/** Kinds only of `v1`. */
export const versionOneKinds: Readonly<Record<string, DefinedSchema>> = {
  APIGroup: shared.apiGroup,
  APIGroupList: shared.apiGroupList,
  APIResourceList: shared.apiResourceList,
  APIVersions: shared.apiVersions,
  Status: shared.status,
}

/** Kinds of every group version: any body may name them. */
export const everywhereKinds: Readonly<Record<string, DefinedSchema>> = {
  DeleteOptions: shared.deleteOptions,
  WatchEvent: shared.watchEvent,
}
