/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const storagemigrationV1 = `
StorageVersionMigration kind:string? apiVersion:string? metadata:ObjectMeta+ spec:StorageVersionMigrationSpec+ status:StorageVersionMigrationStatus+
StorageVersionMigrationList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]StorageVersionMigration!+
StorageVersionMigrationSpec resource:meta/v1.GroupResource!+
StorageVersionMigrationStatus conditions:[]meta/v1.Condition?|l=map:type|p=merge:type resourceVersion:string?
`
