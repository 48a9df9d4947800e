/** The name clients know a shared meta/v1 schema by: generators map it to types they already have. */
export function metaName(kind: string): string {
  return `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`
}

export const apiVersionDescription =
  'The group and version this object is written in, `group/version`; `version` alone in the core group.'

export const kindDescription =
  'The kind of this object, in CamelCase. It cannot change once the object exists.'
