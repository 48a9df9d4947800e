/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["meta/v1"],
  messages: `
PartialObjectMetadataList metadata:2:meta/v1.ListMeta items:1:[]meta/v1.PartialObjectMetadata!
`,
}
