/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const storageV1 = `
StorageClass kind:string? apiVersion:string? metadata:ObjectMeta+ provisioner:string!+ parameters:{}string? reclaimPolicy:string mountOptions:[]string?|l=atomic allowVolumeExpansion:bool volumeBindingMode:string allowedTopologies:[]core/v1.TopologySelectorTerm?|l=atomic
`
