import type { DefinedSchema } from './definedSchema.ts'

/** The name clients know a shared meta/v1 schema by: generators map it to types they already have. */
const meta = (kind: string): DefinedSchema => ({
  definition: `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`,
})

/** The definitions that every group shares, by name alone: `Definitions` has their schemas. */
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

/** Kinds of `v1` alone. */
export const versionOneKinds: Readonly<Record<string, DefinedSchema>> = {
  APIGroup: shared.apiGroup,
  APIGroupList: shared.apiGroupList,
  APIResourceList: shared.apiResourceList,
  APIVersions: shared.apiVersions,
  Status: shared.status,
}

/** Kinds of every group version: a body may name any of them. */
export const everywhereKinds: Readonly<Record<string, DefinedSchema>> = {
  DeleteOptions: shared.deleteOptions,
  WatchEvent: shared.watchEvent,
}
