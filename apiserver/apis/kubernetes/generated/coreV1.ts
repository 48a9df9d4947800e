/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const coreV1 = `
AWSElasticBlockStoreVolumeSource volumeID:string!+ fsType:string? partition:int32? readOnly:bool?
Affinity nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity
AppArmorProfile type:string!+ localhostProfile:string
AttachedVolume name:string!+ devicePath:string!+
AzureDiskVolumeSource diskName:string!+ diskURI:string!+ cachingMode:string fsType:string|d="ext4" readOnly:bool|d=false kind:string
AzureFilePersistentVolumeSource secretName:string!+ shareName:string!+ readOnly:bool? secretNamespace:string-
AzureFileVolumeSource secretName:string!+ shareName:string!+ readOnly:bool?
Binding kind:string? apiVersion:string? metadata:ObjectMeta+ target:ObjectReference!+
CSIPersistentVolumeSource driver:string!+ volumeHandle:string!+ readOnly:bool? fsType:string? volumeAttributes:{}string? controllerPublishSecretRef:SecretReference nodeStageSecretRef:SecretReference nodePublishSecretRef:SecretReference controllerExpandSecretRef:SecretReference nodeExpandSecretRef:SecretReference
CSIVolumeSource driver:string!+ readOnly:bool fsType:string volumeAttributes:{}string? nodePublishSecretRef:LocalObjectReference
Capabilities add:[]string?|l=atomic drop:[]string?|l=atomic
CephFSPersistentVolumeSource monitors:[]string!+|l=atomic path:string? user:string? secretFile:string? secretRef:SecretReference readOnly:bool?
CephFSVolumeSource monitors:[]string!+|l=atomic path:string? user:string? secretFile:string? secretRef:LocalObjectReference readOnly:bool?
CinderPersistentVolumeSource volumeID:string!+ fsType:string? readOnly:bool? secretRef:SecretReference
CinderVolumeSource volumeID:string!+ fsType:string? readOnly:bool? secretRef:LocalObjectReference
ClientIPConfig timeoutSeconds:int32
ClusterTrustBundleProjection name:string signerName:string labelSelector:meta/v1.LabelSelector optional:bool path:string!+ user:int64
ConfigMapEnvSource name:string?|d="" optional:bool
ConfigMapKeySelector |m=atomic name:string?|d="" key:string!+ optional:bool
ConfigMapNodeConfigSource namespace:string!+ name:string!+ uid:string? resourceVersion:string? kubeletConfigKey:string!+
ConfigMapProjection name:string?|d="" items:[]KeyToPath?|l=atomic optional:bool
ConfigMapVolumeSource name:string?|d="" items:[]KeyToPath?|l=atomic defaultMode:int32 optional:bool defaultUser:int64
Container name:string!+ image:string? command:[]string?|l=atomic args:[]string?|l=atomic workingDir:string? ports:[]ContainerPort?|l=map:containerPort,protocol|p=merge:containerPort envFrom:[]EnvFromSource?|l=atomic env:[]EnvVar?|l=map:name|p=merge:name resources:ResourceRequirements+ resizePolicy:[]ContainerResizePolicy?|l=atomic restartPolicy:string restartPolicyRules:[]ContainerRestartRule?|l=atomic volumeMounts:[]VolumeMount?|l=map:mountPath|p=merge:mountPath volumeDevices:[]VolumeDevice?|l=map:devicePath|p=merge:devicePath livenessProbe:Probe readinessProbe:Probe startupProbe:Probe lifecycle:Lifecycle terminationMessagePath:string? terminationMessagePolicy:string? imagePullPolicy:string? securityContext:SecurityContext stdin:bool? stdinOnce:bool? tty:bool?
ContainerExtendedResourceRequest containerName:string!+ resourceName:string!+ requestName:string!+
ContainerImage names:[]string+|l=atomic sizeBytes:int64?
ContainerPort name:string? hostPort:int32? containerPort:int32!+ protocol:string?|d="TCP" hostIP:string?
ContainerResizePolicy resourceName:string!+ restartPolicy:string!+
ContainerRestartRule action:string? exitCodes:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator:string? values:[]int32?|l=set
ContainerState waiting:ContainerStateWaiting running:ContainerStateRunning terminated:ContainerStateTerminated
ContainerStateRunning startedAt:Time+
ContainerStateTerminated exitCode:int32!+ signal:int32? reason:string? message:string? startedAt:Time+ finishedAt:Time+ containerID:string?
ContainerStateWaiting reason:string? message:string?
ContainerStatus name:string!+ state:ContainerState+ lastState:ContainerState+ ready:bool!+ restartCount:int32!+ image:string!+ imageID:string!+ containerID:string? started:bool allocatedResources:{}Quantity? resources:ResourceRequirements volumeMounts:[]VolumeMountStatus?|l=map:mountPath|p=merge:mountPath user:ContainerUser allocatedResourcesStatus:[]ResourceStatus?|l=map:name|p=merge:name stopSignal:string
ContainerUser linux:LinuxContainerUser
DaemonEndpoint Port:int32!+
DownwardAPIProjection items:[]DownwardAPIVolumeFile?|l=atomic
DownwardAPIVolumeFile path:string!+ fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector mode:int32 user:int64
DownwardAPIVolumeSource items:[]DownwardAPIVolumeFile?|l=atomic defaultMode:int32 defaultUser:int64
EmptyDirVolumeSource medium:string? sizeLimit:Quantity mode:int32
EndpointAddress |m=atomic ip:string!+ hostname:string? nodeName:string targetRef:ObjectReference
EndpointPort |m=atomic name:string? port:int32!+ protocol:string? appProtocol:string
EndpointSubset addresses:[]EndpointAddress?|l=atomic notReadyAddresses:[]EndpointAddress?|l=atomic ports:[]EndpointPort?|l=atomic
Endpoints kind:string? apiVersion:string? metadata:ObjectMeta+ subsets:[]EndpointSubset?|l=atomic
EnvFromSource prefix:string? configMapRef:ConfigMapEnvSource secretRef:SecretEnvSource
EnvVar name:string!+ value:string? valueFrom:EnvVarSource
EnvVarSource fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector configMapKeyRef:ConfigMapKeySelector secretKeyRef:SecretKeySelector fileKeyRef:FileKeySelector
EphemeralContainer name:string!+ image:string? command:[]string?|l=atomic args:[]string?|l=atomic workingDir:string? ports:[]ContainerPort?|l=map:containerPort,protocol|p=merge:containerPort envFrom:[]EnvFromSource?|l=atomic env:[]EnvVar?|l=map:name|p=merge:name resources:ResourceRequirements+ resizePolicy:[]ContainerResizePolicy?|l=atomic restartPolicy:string restartPolicyRules:[]ContainerRestartRule?|l=atomic volumeMounts:[]VolumeMount?|l=map:mountPath|p=merge:mountPath volumeDevices:[]VolumeDevice?|l=map:devicePath|p=merge:devicePath livenessProbe:Probe readinessProbe:Probe startupProbe:Probe lifecycle:Lifecycle terminationMessagePath:string? terminationMessagePolicy:string? imagePullPolicy:string? securityContext:SecurityContext stdin:bool? stdinOnce:bool? tty:bool? targetContainerName:string?
EphemeralVolumeSource volumeClaimTemplate:PersistentVolumeClaimTemplate
Event kind:string? apiVersion:string? metadata:ObjectMeta!+ involvedObject:ObjectReference!+ reason:string? message:string? source:EventSource+ firstTimestamp:Time+ lastTimestamp:Time+ count:int32? type:string? eventTime:MicroTime+ series:EventSeries action:string? related:ObjectReference reportingComponent:string+ reportingInstance:string+
EventSeries count:int32? lastObservedTime:MicroTime+
EventSource component:string? host:string?
EvictionResponder |m=atomic name:string!+ priority:int32!-
ExecAction command:[]string?|l=atomic
FCVolumeSource targetWWNs:[]string?|l=atomic lun:int32 fsType:string? readOnly:bool? wwids:[]string?|l=atomic
FileKeySelector |m=atomic volumeName:string!+ path:string!+ key:string!+ optional:bool|d=false
FlexPersistentVolumeSource driver:string!+ fsType:string? secretRef:SecretReference readOnly:bool? options:{}string?
FlexVolumeSource driver:string!+ fsType:string? secretRef:LocalObjectReference readOnly:bool? options:{}string?
FlockerVolumeSource datasetName:string? datasetUUID:string?
GCEPersistentDiskVolumeSource pdName:string!+ fsType:string? partition:int32? readOnly:bool?
GRPCAction port:int32!+ service:string-|d="" mode:string
GitRepoVolumeSource repository:string!+ revision:string? directory:string?
GlusterfsPersistentVolumeSource endpoints:string!+ path:string!+ readOnly:bool? endpointsNamespace:string
GlusterfsVolumeSource endpoints:string!+ path:string!+ readOnly:bool?
HTTPGetAction path:string? port:IntOrString!+ host:string? scheme:string? httpHeaders:[]HTTPHeader?|l=atomic protocol:string
HTTPHeader name:string!+ value:string!+
HostAlias ip:string!+ hostnames:[]string?|l=atomic
HostIP ip:string!+
HostPathVolumeSource path:string!+ type:string
ISCSIPersistentVolumeSource targetPortal:string!+ iqn:string!+ lun:int32!+ iscsiInterface:string?|d="default" fsType:string? readOnly:bool? portals:[]string?|l=atomic chapAuthDiscovery:bool? chapAuthSession:bool? secretRef:SecretReference initiatorName:string
ISCSIVolumeSource targetPortal:string!+ iqn:string!+ lun:int32!+ iscsiInterface:string?|d="default" fsType:string? readOnly:bool? portals:[]string?|l=atomic chapAuthDiscovery:bool? chapAuthSession:bool? secretRef:LocalObjectReference initiatorName:string
ImageVolumeSource reference:string? pullPolicy:string?
ImageVolumeStatus imageRef:string?
KeyToPath key:string!+ path:string!+ mode:int32 user:int64
Lifecycle postStart:LifecycleHandler preStop:LifecycleHandler stopSignal:string
LifecycleHandler exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction sleep:SleepAction
LimitRange kind:string? apiVersion:string? metadata:ObjectMeta+ spec:LimitRangeSpec+
LimitRangeItem type:string!+ max:{}Quantity? min:{}Quantity? default:{}Quantity? defaultRequest:{}Quantity? maxLimitRequestRatio:{}Quantity?
LimitRangeSpec limits:[]LimitRangeItem!+|l=atomic
LinuxContainerUser uid:int64!+ gid:int64!+ supplementalGroups:[]int64?|l=atomic
LoadBalancerIngress ip:string? hostname:string? ipMode:string ports:[]PortStatus?|l=atomic
LoadBalancerStatus ingress:[]LoadBalancerIngress?|l=atomic
LocalObjectReference |m=atomic name:string?|d=""
LocalVolumeSource path:string!+ fsType:string
ModifyVolumeStatus targetVolumeAttributesClassName:string? status:string!+
NFSVolumeSource server:string!+ path:string!+ readOnly:bool?
Node kind:string? apiVersion:string? metadata:ObjectMeta+ spec:NodeSpec+ status:NodeStatus+
NodeAddress type:string!+ address:string!+
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:NodeSelector preferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm?|l=atomic
NodeAllocatableMappedResources name:string!+ quantity:Quantity!-
NodeAllocatableOverheadResources name:string!+ perPod:Quantity perContainer:Quantity
NodeAllocatableResourceClaimStatus resourceClaimName:string!+ containers:[]string?|l=set mapping:[]NodeAllocatableMappedResources?|l=map:name|p=merge:name overhead:[]NodeAllocatableOverheadResources?|l=map:name|p=merge:name
NodeCondition type:string!+ status:string!+ lastHeartbeatTime:Time+ lastTransitionTime:Time+ reason:string? message:string?
NodeConfigSource configMap:ConfigMapNodeConfigSource
NodeConfigStatus assigned:NodeConfigSource active:NodeConfigSource lastKnownGood:NodeConfigSource error:string?
NodeDaemonEndpoints kubeletEndpoint:DaemonEndpoint+
NodeFeatures supplementalGroupsPolicy:bool
NodePodPreemptionPolicy disableResizePreemption:[]string?|l=set
NodeRuntimeHandler name:string+ features:NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts:bool userNamespaces:bool
NodeSelector |m=atomic nodeSelectorTerms:[]NodeSelectorTerm!+|l=atomic
NodeSelectorRequirement key:string!+ operator:string!+ values:[]string?|l=atomic
NodeSelectorTerm |m=atomic matchExpressions:[]NodeSelectorRequirement?|l=atomic matchFields:[]NodeSelectorRequirement?|l=atomic
NodeSpec podCIDR:string? podCIDRs:[]string?|l=set|p=merge providerID:string? unschedulable:bool? taints:[]Taint?|l=atomic configSource:NodeConfigSource externalID:string? podPreemptionPolicy:NodePodPreemptionPolicy
NodeStatus capacity:{}Quantity? allocatable:{}Quantity? phase:string? conditions:[]NodeCondition?|l=map:type|p=merge:type addresses:[]NodeAddress?|l=map:type|p=merge:type daemonEndpoints:NodeDaemonEndpoints+ nodeInfo:NodeSystemInfo+ images:[]ContainerImage?|l=atomic volumesInUse:[]string?|l=atomic volumesAttached:[]AttachedVolume?|l=atomic config:NodeConfigStatus runtimeHandlers:[]NodeRuntimeHandler?|l=atomic features:NodeFeatures declaredFeatures:[]string?|l=atomic
NodeSwapStatus capacity:int64
NodeSystemInfo machineID:string!+ systemUUID:string!+ bootID:string!+ kernelVersion:string!+ osImage:string!+ containerRuntimeVersion:string!+ kubeletVersion:string!+ kubeProxyVersion:string!+ operatingSystem:string!+ architecture:string!+ swap:NodeSwapStatus runningInUserNamespace:bool
ObjectFieldSelector |m=atomic apiVersion:string? fieldPath:string!+
ObjectReference |m=atomic kind:string? namespace:string? name:string? uid:string? apiVersion:string? resourceVersion:string? fieldPath:string?
PersistentVolume kind:string? apiVersion:string? metadata:ObjectMeta+ spec:PersistentVolumeSpec+ status:PersistentVolumeStatus+
PersistentVolumeClaim kind:string? apiVersion:string? metadata:ObjectMeta+ spec:PersistentVolumeClaimSpec+ status:PersistentVolumeClaimStatus+
PersistentVolumeClaimCondition type:string!+ status:string!+ lastProbeTime:Time+ lastTransitionTime:Time+ reason:string? message:string?
PersistentVolumeClaimSpec accessModes:[]string?|l=atomic selector:meta/v1.LabelSelector resources:VolumeResourceRequirements+ volumeName:string? storageClassName:string volumeMode:string dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference volumeAttributesClassName:string
PersistentVolumeClaimStatus phase:string? accessModes:[]string?|l=atomic capacity:{}Quantity? conditions:[]PersistentVolumeClaimCondition?|l=map:type|p=merge:type allocatedResources:{}Quantity? allocatedResourceStatuses:{}string? currentVolumeAttributesClassName:string modifyVolumeStatus:ModifyVolumeStatus healthStatus:VolumeHealthStatus
PersistentVolumeClaimTemplate metadata:ObjectMeta+ spec:PersistentVolumeClaimSpec!+
PersistentVolumeClaimVolumeSource claimName:string!+ readOnly:bool?
PersistentVolumeSpec capacity:{}Quantity? gcePersistentDisk:GCEPersistentDiskVolumeSource awsElasticBlockStore:AWSElasticBlockStoreVolumeSource hostPath:HostPathVolumeSource glusterfs:GlusterfsPersistentVolumeSource nfs:NFSVolumeSource rbd:RBDPersistentVolumeSource iscsi:ISCSIPersistentVolumeSource cinder:CinderPersistentVolumeSource cephfs:CephFSPersistentVolumeSource fc:FCVolumeSource flocker:FlockerVolumeSource flexVolume:FlexPersistentVolumeSource azureFile:AzureFilePersistentVolumeSource vsphereVolume:VsphereVirtualDiskVolumeSource quobyte:QuobyteVolumeSource azureDisk:AzureDiskVolumeSource photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource scaleIO:ScaleIOPersistentVolumeSource local:LocalVolumeSource storageos:StorageOSPersistentVolumeSource csi:CSIPersistentVolumeSource accessModes:[]string?|l=atomic claimRef:ObjectReference persistentVolumeReclaimPolicy:string? storageClassName:string? mountOptions:[]string?|l=atomic volumeMode:string nodeAffinity:VolumeNodeAffinity volumeAttributesClassName:string
PersistentVolumeStatus phase:string? message:string? reason:string? lastPhaseTransitionTime:Time
PhotonPersistentDiskVolumeSource pdID:string!+ fsType:string?
Pod kind:string? apiVersion:string? metadata:ObjectMeta+ spec:PodSpec+ status:PodStatus+
PodAffinity requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm?|l=atomic preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm?|l=atomic
PodAffinityTerm labelSelector:meta/v1.LabelSelector namespaces:[]string?|l=atomic topologyKey:string!+ namespaceSelector:meta/v1.LabelSelector matchLabelKeys:[]string?|l=atomic mismatchLabelKeys:[]string?|l=atomic
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm?|l=atomic preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm?|l=atomic
PodCertificateProjection signerName:string? keyType:string? maxExpirationSeconds:int32 credentialBundlePath:string? keyPath:string? certificateChainPath:string? userAnnotations:{}string? user:int64
PodCondition type:string!+ observedGeneration:int64? status:string!+ lastProbeTime:Time+ lastTransitionTime:Time+ reason:string? message:string?
PodDNSConfig nameservers:[]string?|l=atomic searches:[]string?|l=atomic options:[]PodDNSConfigOption?|l=atomic
PodDNSConfigOption name:string? value:string
PodExtendedResourceClaimStatus requestMappings:[]ContainerExtendedResourceRequest!+|l=atomic resourceClaimName:string!+
PodIP ip:string!+
PodOS name:string!+
PodReadinessGate conditionType:string!+
PodResourceClaim name:string!+ resourceClaimName:string resourceClaimTemplateName:string
PodResourceClaimStatus name:string!+ resourceClaimName:string
PodSchedulingGate name:string!+
PodSchedulingGroup podGroupName:string
PodSecurityContext seLinuxOptions:SELinuxOptions windowsOptions:WindowsSecurityContextOptions runAsUser:int64 runAsGroup:int64 runAsNonRoot:bool supplementalGroups:[]int64?|l=atomic supplementalGroupsPolicy:string fsGroup:int64 sysctls:[]Sysctl?|l=atomic fsGroupChangePolicy:string seccompProfile:SeccompProfile appArmorProfile:AppArmorProfile seLinuxChangePolicy:string
PodSpec volumes:[]Volume?|l=map:name|p=merge,retainKeys:name initContainers:[]Container?|l=map:name|p=merge:name containers:[]Container!+|l=map:name|p=merge:name ephemeralContainers:[]EphemeralContainer?|l=map:name|p=merge:name restartPolicy:string? terminationGracePeriodSeconds:int64 activeDeadlineSeconds:int64 dnsPolicy:string? nodeSelector:{}string?|m=atomic serviceAccountName:string? serviceAccount:string? automountServiceAccountToken:bool nodeName:string? hostNetwork:bool? hostPID:bool? hostIPC:bool? shareProcessNamespace:bool securityContext:PodSecurityContext imagePullSecrets:[]LocalObjectReference?|l=map:name|p=merge:name hostname:string? subdomain:string? affinity:Affinity schedulerName:string? tolerations:[]Toleration?|l=atomic hostAliases:[]HostAlias?|l=map:ip|p=merge:ip priorityClassName:string? priority:int32 dnsConfig:PodDNSConfig readinessGates:[]PodReadinessGate?|l=atomic runtimeClassName:string enableServiceLinks:bool preemptionPolicy:string overhead:{}Quantity? topologySpreadConstraints:[]TopologySpreadConstraint?|l=map:topologyKey,whenUnsatisfiable|p=merge:topologyKey setHostnameAsFQDN:bool os:PodOS hostUsers:bool schedulingGates:[]PodSchedulingGate?|l=map:name|p=merge:name resourceClaims:[]PodResourceClaim?|l=map:name|p=merge,retainKeys:name resources:ResourceRequirements hostnameOverride:string schedulingGroup:PodSchedulingGroup evictionResponders:[]EvictionResponder?|l=map:name|p=merge:name
PodStatus observedGeneration:int64? phase:string? conditions:[]PodCondition?|l=map:type|p=merge:type message:string? reason:string? nominatedNodeName:string? hostIP:string? hostIPs:[]HostIP?|l=atomic|p=merge:ip podIP:string? podIPs:[]PodIP?|l=map:ip|p=merge:ip startTime:Time initContainerStatuses:[]ContainerStatus?|l=atomic containerStatuses:[]ContainerStatus?|l=atomic qosClass:string? ephemeralContainerStatuses:[]ContainerStatus?|l=atomic resize:string? resourceClaimStatuses:[]PodResourceClaimStatus?|l=map:name|p=merge,retainKeys:name extendedResourceClaimStatus:PodExtendedResourceClaimStatus allocatedResources:{}Quantity? resources:ResourceRequirements nodeAllocatableResourceClaimStatuses:[]NodeAllocatableResourceClaimStatus?|l=map:resourceClaimName|p=merge:resourceClaimName volumeHealth:[]PodVolumeHealth?|l=map:name
PodTemplate kind:string? apiVersion:string? metadata:ObjectMeta+ template:PodTemplateSpec+
PodTemplateSpec metadata:ObjectMeta+ spec:PodSpec+
PodVolumeHealth name:string!+ healthConditions:[]VolumeHealthCondition?|l=map:status,reason|p=merge:status lastTransitionTime:Time+
PortStatus port:int32!+ protocol:string!+ error:string
PortworxVolumeSource volumeID:string!+ fsType:string? readOnly:bool?
PreferredSchedulingTerm weight:int32!+ preference:NodeSelectorTerm!+
Probe exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction grpc:GRPCAction initialDelaySeconds:int32? timeoutSeconds:int32? periodSeconds:int32? successThreshold:int32? failureThreshold:int32? terminationGracePeriodSeconds:int64
ProjectedVolumeSource sources:[]VolumeProjection+|l=atomic defaultMode:int32 defaultUser:int64
QuobyteVolumeSource registry:string!+ volume:string!+ readOnly:bool? user:string? group:string? tenant:string?
RBDPersistentVolumeSource monitors:[]string!+|l=atomic image:string!+ fsType:string? pool:string?|d="rbd" user:string?|d="admin" keyring:string?|d="/etc/ceph/keyring" secretRef:SecretReference readOnly:bool?
RBDVolumeSource monitors:[]string!+|l=atomic image:string!+ fsType:string? pool:string?|d="rbd" user:string?|d="admin" keyring:string?|d="/etc/ceph/keyring" secretRef:LocalObjectReference readOnly:bool?
ReplicationController kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ReplicationControllerSpec+ status:ReplicationControllerStatus+
ReplicationControllerCondition type:string!+ status:string!+ lastTransitionTime:Time+ reason:string? message:string?
ReplicationControllerSpec replicas:int32|d=1 minReadySeconds:int32?|d=0 selector:{}string?|m=atomic template:PodTemplateSpec
ReplicationControllerStatus replicas:int32!+ fullyLabeledReplicas:int32? readyReplicas:int32? availableReplicas:int32? observedGeneration:int64? conditions:[]ReplicationControllerCondition?|l=map:type|p=merge:type
ResourceClaim name:string!+ request:string?
ResourceFieldSelector |m=atomic containerName:string? resource:string!+ divisor:Quantity?
ResourceHealth resourceID:string!+ health:string? message:string
ResourceQuota kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ResourceQuotaSpec+ status:ResourceQuotaStatus+
ResourceQuotaSpec hard:{}Quantity? scopes:[]string?|l=atomic scopeSelector:ScopeSelector
ResourceQuotaStatus hard:{}Quantity? used:{}Quantity?
ResourceRequirements limits:{}Quantity? requests:{}Quantity? claims:[]ResourceClaim?|l=map:name
ResourceStatus name:string!+ resources:[]ResourceHealth?|l=map:resourceID
SELinuxOptions user:string? role:string? type:string? level:string?
ScaleIOPersistentVolumeSource gateway:string!+ system:string!+ secretRef:SecretReference!- sslEnabled:bool? protectionDomain:string? storagePool:string? storageMode:string?|d="ThinProvisioned" volumeName:string? fsType:string?|d="xfs" readOnly:bool?
ScaleIOVolumeSource gateway:string!+ system:string!+ secretRef:LocalObjectReference!- sslEnabled:bool? protectionDomain:string? storagePool:string? storageMode:string?|d="ThinProvisioned" volumeName:string? fsType:string?|d="xfs" readOnly:bool?
ScopeSelector |m=atomic matchExpressions:[]ScopedResourceSelectorRequirement?|l=atomic
ScopedResourceSelectorRequirement scopeName:string!+ operator:string!+ values:[]string?|l=atomic
SeccompProfile type:string!+ localhostProfile:string
SecretEnvSource name:string?|d="" optional:bool
SecretKeySelector |m=atomic name:string?|d="" key:string!+ optional:bool
SecretProjection name:string?|d="" items:[]KeyToPath?|l=atomic optional:bool
SecretReference |m=atomic name:string? namespace:string?
SecretVolumeSource secretName:string? items:[]KeyToPath?|l=atomic defaultMode:int32 optional:bool defaultUser:int64
SecurityContext capabilities:Capabilities privileged:bool seLinuxOptions:SELinuxOptions windowsOptions:WindowsSecurityContextOptions runAsUser:int64 runAsGroup:int64 runAsNonRoot:bool readOnlyRootFilesystem:bool allowPrivilegeEscalation:bool procMount:string seccompProfile:SeccompProfile appArmorProfile:AppArmorProfile
Service kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ServiceSpec+ status:ServiceStatus+
ServiceAccount kind:string? apiVersion:string? metadata:ObjectMeta+ secrets:[]ObjectReference?|l=map:name|p=merge:name imagePullSecrets:[]LocalObjectReference?|l=atomic automountServiceAccountToken:bool
ServiceAccountTokenProjection audience:string? expirationSeconds:int64 path:string!+ user:int64
ServicePort name:string? protocol:string?|d="TCP" appProtocol:string port:int32!+ targetPort:IntOrString? nodePort:int32?
ServiceSpec ports:[]ServicePort?|l=map:port,protocol|p=merge:port selector:{}string?|m=atomic clusterIP:string? clusterIPs:[]string?|l=atomic type:string? externalIPs:[]string?|l=atomic sessionAffinity:string? loadBalancerIP:string? loadBalancerSourceRanges:[]string?|l=atomic externalName:string? externalTrafficPolicy:string? healthCheckNodePort:int32? publishNotReadyAddresses:bool? sessionAffinityConfig:SessionAffinityConfig ipFamilies:[]string?|l=atomic ipFamilyPolicy:string allocateLoadBalancerNodePorts:bool loadBalancerClass:string internalTrafficPolicy:string trafficDistribution:string
ServiceStatus loadBalancer:LoadBalancerStatus+ conditions:[]meta/v1.Condition?|l=map:type|p=merge:type
SessionAffinityConfig clientIP:ClientIPConfig
SleepAction seconds:int64!+
StorageOSPersistentVolumeSource volumeName:string? volumeNamespace:string? fsType:string? readOnly:bool? secretRef:ObjectReference
StorageOSVolumeSource volumeName:string? volumeNamespace:string? fsType:string? readOnly:bool? secretRef:LocalObjectReference
Sysctl name:string!+ value:string!+
TCPSocketAction port:IntOrString!+ host:string?
Taint key:string!+ value:string? effect:string!+ timeAdded:Time
Toleration key:string? operator:string? value:string? effect:string? tolerationSeconds:int64
TopologySelectorLabelRequirement key:string!+ values:[]string!+|l=atomic
TopologySelectorTerm |m=atomic matchLabelExpressions:[]TopologySelectorLabelRequirement?|l=atomic
TopologySpreadConstraint maxSkew:int32!+ topologyKey:string!+ whenUnsatisfiable:string!+ labelSelector:meta/v1.LabelSelector minDomains:int32 nodeAffinityPolicy:string nodeTaintsPolicy:string matchLabelKeys:[]string?|l=atomic
TypedLocalObjectReference |m=atomic apiGroup:string- kind:string!+ name:string!+
TypedObjectReference apiGroup:string- kind:string!+ name:string!+ namespace:string
Volume name:string!+ hostPath:HostPathVolumeSource emptyDir:EmptyDirVolumeSource gcePersistentDisk:GCEPersistentDiskVolumeSource awsElasticBlockStore:AWSElasticBlockStoreVolumeSource gitRepo:GitRepoVolumeSource secret:SecretVolumeSource nfs:NFSVolumeSource iscsi:ISCSIVolumeSource glusterfs:GlusterfsVolumeSource persistentVolumeClaim:PersistentVolumeClaimVolumeSource rbd:RBDVolumeSource flexVolume:FlexVolumeSource cinder:CinderVolumeSource cephfs:CephFSVolumeSource flocker:FlockerVolumeSource downwardAPI:DownwardAPIVolumeSource fc:FCVolumeSource azureFile:AzureFileVolumeSource configMap:ConfigMapVolumeSource vsphereVolume:VsphereVirtualDiskVolumeSource quobyte:QuobyteVolumeSource azureDisk:AzureDiskVolumeSource photonPersistentDisk:PhotonPersistentDiskVolumeSource projected:ProjectedVolumeSource portworxVolume:PortworxVolumeSource scaleIO:ScaleIOVolumeSource storageos:StorageOSVolumeSource csi:CSIVolumeSource ephemeral:EphemeralVolumeSource image:ImageVolumeSource
VolumeDevice name:string!+ devicePath:string!+
VolumeHealthCondition status:string!+ reason:string!+ message:string?
VolumeHealthStatus healthConditions:[]VolumeHealthCondition?|l=map:status,reason|p=merge:status lastTransitionTime:Time+
VolumeMount name:string!+ readOnly:bool? recursiveReadOnly:string mountPath:string!+ subPath:string? mountPropagation:string subPathExpr:string? bindMountOptions:[]string?|l=set
VolumeMountStatus name:string!+ mountPath:string!+ readOnly:bool? recursiveReadOnly:string volumeStatus:VolumeStatus
VolumeNodeAffinity required:NodeSelector
VolumeProjection secret:SecretProjection downwardAPI:DownwardAPIProjection configMap:ConfigMapProjection serviceAccountToken:ServiceAccountTokenProjection clusterTrustBundle:ClusterTrustBundleProjection podCertificate:PodCertificateProjection
VolumeResourceRequirements limits:{}Quantity? requests:{}Quantity?
VolumeStatus image:ImageVolumeStatus
VsphereVirtualDiskVolumeSource volumePath:string!+ fsType:string? storagePolicyName:string? storagePolicyID:string?
WeightedPodAffinityTerm weight:int32!+ podAffinityTerm:PodAffinityTerm!+
WindowsSecurityContextOptions gmsaCredentialSpecName:string gmsaCredentialSpec:string runAsUserName:string hostProcess:bool
`
