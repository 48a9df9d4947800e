/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["meta/v1"],
  messages: `
StorageVersionMigration metadata:1:meta/v1.ObjectMeta spec:2:StorageVersionMigrationSpec status:3:StorageVersionMigrationStatus
StorageVersionMigrationList metadata:1:meta/v1.ListMeta items:2:[]StorageVersionMigration!
StorageVersionMigrationSpec resource:1:meta/v1.GroupResource!
StorageVersionMigrationStatus conditions:1:[]meta/v1.Condition resourceVersion:2:string
`,
}
