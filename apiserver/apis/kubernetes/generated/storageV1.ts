/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const storageV1 = `
=VolumeBindingMode ["Immediate","WaitForFirstConsumer"]
StorageClass kind:string? apiVersion:string? metadata:ObjectMeta+ provisioner:string!+ parameters:{}string? reclaimPolicy:string|e=core/v1.PersistentVolumeReclaimPolicy mountOptions:[]string?|l=atomic allowVolumeExpansion:bool volumeBindingMode:string|e=VolumeBindingMode allowedTopologies:[]core/v1.TopologySelectorTerm?|l=atomic
StorageClassList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]StorageClass!+
`
