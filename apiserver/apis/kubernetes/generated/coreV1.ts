/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const coreV1 = `
=AppArmorProfileType ["Localhost","RuntimeDefault","Unconfined"]
=AzureDataDiskCachingMode ["None","ReadOnly","ReadWrite"]
=AzureDataDiskKind ["Dedicated","Managed","Shared"]
=ClaimResourceStatus ["ControllerResizeInProgress","ControllerResizeInfeasible","NodeResizeInProgress","NodeResizeInfeasible","NodeResizePending"]
=DNSPolicy ["ClusterFirst","ClusterFirstWithHostNet","Default","None"]
=GRPCProbeMode ["Plaintext","TLS"]
=HTTPProtocol ["HTTP1","HTTP2"]
=HostPathType ["","BlockDevice","CharDevice","Directory","DirectoryOrCreate","File","FileOrCreate","Socket"]
=IPFamily ["","IPv4","IPv6"]
=IPFamilyPolicy ["PreferDualStack","RequireDualStack","SingleStack"]
=MountPropagationMode ["Bidirectional","HostToContainer","None"]
=NamespacePhase ["Active","Terminating"]
=NodeInclusionPolicy ["Honor","Ignore"]
=NodePhase ["Pending","Running","Terminated"]
=NodeSelectorOperator ["DoesNotExist","Exists","Gt","In","Lt","NotIn"]
=PersistentVolumeAccessMode ["ReadOnlyMany","ReadWriteMany","ReadWriteOnce","ReadWriteOncePod"]
=PersistentVolumeClaimModifyVolumeStatus ["InProgress","Infeasible","Pending"]
=PersistentVolumeClaimPhase ["Bound","Lost","Pending"]
=PersistentVolumeMode ["Block","Filesystem"]
=PersistentVolumePhase ["Available","Bound","Failed","Pending","Released"]
=PersistentVolumeReclaimPolicy ["Delete","Recycle","Retain"]
=PodFSGroupChangePolicy ["Always","OnRootMismatch"]
=PodPhase ["Failed","Pending","Running","Succeeded","Unknown"]
=PodQOSClass ["BestEffort","Burstable","Guaranteed"]
=PreemptionPolicy ["Never","PreemptLowerPriority"]
=ProcMountType ["Default","Unmasked"]
=Protocol ["SCTP","TCP","UDP"]
=PullPolicy ["Always","IfNotPresent","Never"]
=ResourceQuotaScope ["BestEffort","CrossNamespacePodAffinity","NotBestEffort","NotTerminating","PriorityClass","Terminating","VolumeAttributesClass"]
=RestartPolicy ["Always","Never","OnFailure"]
=ScopeSelectorOperator ["DoesNotExist","Exists","In","NotIn"]
=SeccompProfileType ["Localhost","RuntimeDefault","Unconfined"]
=ServiceAffinity ["ClientIP","None"]
=ServiceExternalTrafficPolicy ["Cluster","Local"]
=ServiceInternalTrafficPolicy ["Cluster","Local"]
=ServiceType ["ClusterIP","ExternalName","LoadBalancer","NodePort"]
=Signal ["SIGABRT","SIGALRM","SIGBUS","SIGCHLD","SIGCLD","SIGCONT","SIGFPE","SIGHUP","SIGILL","SIGINT","SIGIO","SIGIOT","SIGKILL","SIGPIPE","SIGPOLL","SIGPROF","SIGPWR","SIGQUIT","SIGRTMAX","SIGRTMAX-1","SIGRTMAX-10","SIGRTMAX-11","SIGRTMAX-12","SIGRTMAX-13","SIGRTMAX-14","SIGRTMAX-2","SIGRTMAX-3","SIGRTMAX-4","SIGRTMAX-5","SIGRTMAX-6","SIGRTMAX-7","SIGRTMAX-8","SIGRTMAX-9","SIGRTMIN","SIGRTMIN+1","SIGRTMIN+10","SIGRTMIN+11","SIGRTMIN+12","SIGRTMIN+13","SIGRTMIN+14","SIGRTMIN+15","SIGRTMIN+2","SIGRTMIN+3","SIGRTMIN+4","SIGRTMIN+5","SIGRTMIN+6","SIGRTMIN+7","SIGRTMIN+8","SIGRTMIN+9","SIGSEGV","SIGSTKFLT","SIGSTOP","SIGSYS","SIGTERM","SIGTRAP","SIGTSTP","SIGTTIN","SIGTTOU","SIGURG","SIGUSR1","SIGUSR2","SIGVTALRM","SIGWINCH","SIGXCPU","SIGXFSZ"]
=SupplementalGroupsPolicy ["Merge","Strict"]
=TaintEffect ["NoExecute","NoSchedule","PreferNoSchedule"]
=TerminationMessagePolicy ["FallbackToLogsOnError","File"]
=TolerationOperator ["Equal","Exists","Gt","Lt"]
=URIScheme ["HTTP","HTTPS"]
=UnsatisfiableConstraintAction ["DoNotSchedule","ScheduleAnyway"]
=VolumeHealthStatusType ["DataLoss","Degraded","Inaccessible"]
AWSElasticBlockStoreVolumeSource volumeID:string!+ fsType:string? partition:int32? readOnly:bool?
Affinity nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity
AppArmorProfile |u={"discriminator":"type","fields-to-discriminateBy":{"localhostProfile":"LocalhostProfile"}} type:string!+|e=AppArmorProfileType localhostProfile:string
AttachedVolume name:string!+ devicePath:string!+
AzureDiskVolumeSource diskName:string!+ diskURI:string!+ cachingMode:string|d="ReadWrite"|e=AzureDataDiskCachingMode fsType:string|d="ext4" readOnly:bool|d=false kind:string|d="Shared"|e=AzureDataDiskKind
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
ClusterTrustBundleProjection name:string signerName:string labelSelector:meta/v1.LabelSelector optional:bool path:string!+ user:int64|g=AtomicWriteVolumeUserFields
ComponentCondition type:string!+ status:string!+ message:string? error:string?
ComponentStatus kind:string? apiVersion:string? metadata:ObjectMeta+ conditions:[]ComponentCondition?|l=map:type|p=merge:type
ComponentStatusList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ComponentStatus!+
ConfigMap kind:string? apiVersion:string? metadata:ObjectMeta+ immutable:bool data:{}string? binaryData:{}bytes?
ConfigMapEnvSource name:string?|d="" optional:bool
ConfigMapKeySelector |m=atomic name:string?|d="" key:string!+ optional:bool
ConfigMapList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ConfigMap!+
ConfigMapNodeConfigSource namespace:string!+ name:string!+ uid:string? resourceVersion:string? kubeletConfigKey:string!+
ConfigMapProjection name:string?|d="" items:[]KeyToPath?|l=atomic optional:bool
ConfigMapVolumeSource name:string?|d="" items:[]KeyToPath?|l=atomic defaultMode:int32 optional:bool defaultUser:int64|g=AtomicWriteVolumeUserFields
Container name:string!+ image:string? command:[]string?|l=atomic args:[]string?|l=atomic workingDir:string? ports:[]ContainerPort?|l=map:containerPort,protocol|p=merge:containerPort envFrom:[]EnvFromSource?|l=atomic env:[]EnvVar?|l=map:name|p=merge:name resources:ResourceRequirements+ resizePolicy:[]ContainerResizePolicy?|l=atomic|g=InPlacePodVerticalScaling restartPolicy:string restartPolicyRules:[]ContainerRestartRule?|l=atomic|g=ContainerRestartRules volumeMounts:[]VolumeMount?|l=map:mountPath|p=merge:mountPath volumeDevices:[]VolumeDevice?|l=map:devicePath|p=merge:devicePath livenessProbe:Probe readinessProbe:Probe startupProbe:Probe lifecycle:Lifecycle terminationMessagePath:string? terminationMessagePolicy:string?|e=TerminationMessagePolicy imagePullPolicy:string?|e=PullPolicy securityContext:SecurityContext stdin:bool? stdinOnce:bool? tty:bool?
ContainerExtendedResourceRequest containerName:string!+ resourceName:string!+ requestName:string!+
ContainerImage names:[]string+|l=atomic sizeBytes:int64?
ContainerPort name:string? hostPort:int32? containerPort:int32!+ protocol:string?|d="TCP"|e=Protocol hostIP:string?
ContainerResizePolicy resourceName:string!+ restartPolicy:string!+
ContainerRestartRule action:string!? exitCodes:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator:string!? values:[]int32?|l=set
ContainerState waiting:ContainerStateWaiting running:ContainerStateRunning terminated:ContainerStateTerminated
ContainerStateRunning startedAt:Time+
ContainerStateTerminated exitCode:int32!+ signal:int32? reason:string? message:string? startedAt:Time+ finishedAt:Time+ containerID:string?
ContainerStateWaiting reason:string? message:string?
ContainerStatus name:string!+ state:ContainerState+ lastState:ContainerState+ ready:bool!+ restartCount:int32!+ image:string!+ imageID:string!+ containerID:string? started:bool allocatedResources:{}Quantity? resources:ResourceRequirements|g=InPlacePodVerticalScaling volumeMounts:[]VolumeMountStatus?|l=map:mountPath|p=merge:mountPath user:ContainerUser|g=SupplementalGroupsPolicy allocatedResourcesStatus:[]ResourceStatus?|l=map:name|p=merge:name|g=ResourceHealthStatus stopSignal:string|g=ContainerStopSignals|e=Signal
ContainerUser linux:LinuxContainerUser
DaemonEndpoint Port:int32!+
DownwardAPIProjection items:[]DownwardAPIVolumeFile?|l=atomic
DownwardAPIVolumeFile path:string!+ fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector mode:int32 user:int64|g=AtomicWriteVolumeUserFields
DownwardAPIVolumeSource items:[]DownwardAPIVolumeFile?|l=atomic defaultMode:int32 defaultUser:int64|g=AtomicWriteVolumeUserFields
EmptyDirVolumeSource medium:string? sizeLimit:Quantity mode:int32|g=EmptyDirVolumeMode
EndpointAddress |m=atomic ip:string!+ hostname:string? nodeName:string targetRef:ObjectReference
EndpointPort |m=atomic name:string? port:int32!+ protocol:string?|e=Protocol appProtocol:string
EndpointSubset addresses:[]EndpointAddress?|l=atomic notReadyAddresses:[]EndpointAddress?|l=atomic ports:[]EndpointPort?|l=atomic
Endpoints kind:string? apiVersion:string? metadata:ObjectMeta+ subsets:[]EndpointSubset?|l=atomic
EndpointsList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Endpoints!+
EnvFromSource prefix:string? configMapRef:ConfigMapEnvSource secretRef:SecretEnvSource
EnvVar name:string!+ value:string? valueFrom:EnvVarSource
EnvVarSource fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector configMapKeyRef:ConfigMapKeySelector secretKeyRef:SecretKeySelector fileKeyRef:FileKeySelector|g=EnvFiles
EphemeralContainer name:string!+ image:string? command:[]string?|l=atomic args:[]string?|l=atomic workingDir:string? ports:[]ContainerPort?|l=map:containerPort,protocol|p=merge:containerPort envFrom:[]EnvFromSource?|l=atomic env:[]EnvVar?|l=map:name|p=merge:name resources:ResourceRequirements+ resizePolicy:[]ContainerResizePolicy?|l=atomic|g=InPlacePodVerticalScaling restartPolicy:string restartPolicyRules:[]ContainerRestartRule?|l=atomic|g=ContainerRestartRules volumeMounts:[]VolumeMount?|l=map:mountPath|p=merge:mountPath volumeDevices:[]VolumeDevice?|l=map:devicePath|p=merge:devicePath livenessProbe:Probe readinessProbe:Probe startupProbe:Probe lifecycle:Lifecycle terminationMessagePath:string? terminationMessagePolicy:string?|e=TerminationMessagePolicy imagePullPolicy:string?|e=PullPolicy securityContext:SecurityContext stdin:bool? stdinOnce:bool? tty:bool? targetContainerName:string?
EphemeralVolumeSource volumeClaimTemplate:PersistentVolumeClaimTemplate
Event kind:string? apiVersion:string? metadata:ObjectMeta!+ involvedObject:ObjectReference!+ reason:string? message:string? source:EventSource+ firstTimestamp:Time+ lastTimestamp:Time+ count:int32? type:string? eventTime:MicroTime+ series:EventSeries action:string? related:ObjectReference reportingComponent:string+ reportingInstance:string+
EventList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Event!+
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
GRPCAction port:int32!+ service:string-|d="" mode:string|g=GRPCContainerProbeTLS|e=GRPCProbeMode
GitRepoVolumeSource repository:string!+ revision:string? directory:string?
GlusterfsPersistentVolumeSource endpoints:string!+ path:string!+ readOnly:bool? endpointsNamespace:string
GlusterfsVolumeSource endpoints:string!+ path:string!+ readOnly:bool?
HTTPGetAction path:string? port:IntOrString!+ host:string? scheme:string?|e=URIScheme httpHeaders:[]HTTPHeader?|l=atomic protocol:string|g=H2CContainerProbe|e=HTTPProtocol
HTTPHeader name:string!+ value:string!+
HostAlias ip:string!+ hostnames:[]string?|l=atomic
HostIP ip:string!+
HostPathVolumeSource path:string!+ type:string|e=HostPathType
ISCSIPersistentVolumeSource targetPortal:string!+ iqn:string!+ lun:int32!+ iscsiInterface:string?|d="default" fsType:string? readOnly:bool? portals:[]string?|l=atomic chapAuthDiscovery:bool? chapAuthSession:bool? secretRef:SecretReference initiatorName:string
ISCSIVolumeSource targetPortal:string!+ iqn:string!+ lun:int32!+ iscsiInterface:string?|d="default" fsType:string? readOnly:bool? portals:[]string?|l=atomic chapAuthDiscovery:bool? chapAuthSession:bool? secretRef:LocalObjectReference initiatorName:string
ImageVolumeSource reference:string? pullPolicy:string?|e=PullPolicy
ImageVolumeStatus imageRef:string!?
KeyToPath key:string!+ path:string!+ mode:int32 user:int64|g=AtomicWriteVolumeUserFields
Lifecycle postStart:LifecycleHandler preStop:LifecycleHandler stopSignal:string|e=Signal
LifecycleHandler exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction sleep:SleepAction
LimitRange kind:string? apiVersion:string? metadata:ObjectMeta+ spec:LimitRangeSpec+
LimitRangeItem type:string!+ max:{}Quantity? min:{}Quantity? default:{}Quantity? defaultRequest:{}Quantity? maxLimitRequestRatio:{}Quantity?
LimitRangeList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]LimitRange!+
LimitRangeSpec limits:[]LimitRangeItem!+|l=atomic
LinuxContainerUser uid:int64!+ gid:int64!+ supplementalGroups:[]int64?|l=atomic
LoadBalancerIngress ip:string? hostname:string? ipMode:string ports:[]PortStatus?|l=atomic
LoadBalancerStatus ingress:[]LoadBalancerIngress?|l=atomic
LocalObjectReference |m=atomic name:string?|d=""
LocalVolumeSource path:string!+ fsType:string
ModifyVolumeStatus targetVolumeAttributesClassName:string? status:string!+|e=PersistentVolumeClaimModifyVolumeStatus
NFSVolumeSource server:string!+ path:string!+ readOnly:bool?
Namespace kind:string? apiVersion:string? metadata:ObjectMeta+ spec:NamespaceSpec+ status:NamespaceStatus+
NamespaceCondition type:string!+ status:string!+ lastTransitionTime:Time+ reason:string? message:string?
NamespaceList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Namespace!+
NamespaceSpec finalizers:[]string?|l=atomic
NamespaceStatus phase:string?|e=NamespacePhase conditions:[]NamespaceCondition?|l=map:type|p=merge:type
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
NodeList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Node!+
NodePodPreemptionPolicy disableResizePreemption:[]string?|l=set
NodeRuntimeHandler name:string+ features:NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts:bool userNamespaces:bool
NodeSelector |m=atomic nodeSelectorTerms:[]NodeSelectorTerm!+|l=atomic
NodeSelectorRequirement key:string!+ operator:string!+|e=NodeSelectorOperator values:[]string?|l=atomic
NodeSelectorTerm |m=atomic matchExpressions:[]NodeSelectorRequirement?|l=atomic matchFields:[]NodeSelectorRequirement?|l=atomic
NodeSpec podCIDR:string? podCIDRs:[]string?|l=set|p=merge providerID:string? unschedulable:bool? taints:[]Taint?|l=atomic configSource:NodeConfigSource externalID:string? podPreemptionPolicy:NodePodPreemptionPolicy|g=InPlacePodVerticalScalingSchedulerPreemption
NodeStatus capacity:{}Quantity? allocatable:{}Quantity? phase:string?|e=NodePhase conditions:[]NodeCondition?|l=map:type|p=merge:type addresses:[]NodeAddress?|l=map:type|p=merge:type daemonEndpoints:NodeDaemonEndpoints+ nodeInfo:NodeSystemInfo+ images:[]ContainerImage?|l=atomic volumesInUse:[]string?|l=atomic volumesAttached:[]AttachedVolume?|l=atomic config:NodeConfigStatus runtimeHandlers:[]NodeRuntimeHandler?|l=atomic features:NodeFeatures|g=SupplementalGroupsPolicy declaredFeatures:[]string?|l=atomic|g=NodeDeclaredFeatures
NodeSwapStatus capacity:int64
NodeSystemInfo machineID:string!+ systemUUID:string!+ bootID:string!+ kernelVersion:string!+ osImage:string!+ containerRuntimeVersion:string!+ kubeletVersion:string!+ kubeProxyVersion:string!+ operatingSystem:string!+ architecture:string!+ swap:NodeSwapStatus runningInUserNamespace:bool|g=KubeletInUserNamespace
ObjectFieldSelector |m=atomic apiVersion:string? fieldPath:string!+
ObjectReference |m=atomic kind:string? namespace:string? name:string? uid:string? apiVersion:string? resourceVersion:string? fieldPath:string?
PersistentVolume kind:string? apiVersion:string? metadata:ObjectMeta+ spec:PersistentVolumeSpec+ status:PersistentVolumeStatus+
PersistentVolumeClaim kind:string? apiVersion:string? metadata:ObjectMeta+ spec:PersistentVolumeClaimSpec+ status:PersistentVolumeClaimStatus+
PersistentVolumeClaimCondition type:string!+ status:string!+ lastProbeTime:Time+ lastTransitionTime:Time+ reason:string? message:string?
PersistentVolumeClaimList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]PersistentVolumeClaim!+
PersistentVolumeClaimSpec accessModes:[]string?|l=atomic|e=PersistentVolumeAccessMode selector:meta/v1.LabelSelector resources:VolumeResourceRequirements+ volumeName:string? storageClassName:string volumeMode:string|e=PersistentVolumeMode dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference volumeAttributesClassName:string|g=VolumeAttributesClass
PersistentVolumeClaimStatus phase:string?|e=PersistentVolumeClaimPhase accessModes:[]string?|l=atomic|e=PersistentVolumeAccessMode capacity:{}Quantity? conditions:[]PersistentVolumeClaimCondition?|l=map:type|p=merge:type allocatedResources:{}Quantity? allocatedResourceStatuses:{}string?|m=granular|e=ClaimResourceStatus currentVolumeAttributesClassName:string|g=VolumeAttributesClass modifyVolumeStatus:ModifyVolumeStatus|g=VolumeAttributesClass healthStatus:VolumeHealthStatus|g=CSIVolumeHealth
PersistentVolumeClaimTemplate metadata:ObjectMeta+ spec:PersistentVolumeClaimSpec!+
PersistentVolumeClaimVolumeSource claimName:string!+ readOnly:bool?
PersistentVolumeList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]PersistentVolume!+
PersistentVolumeSpec capacity:{}Quantity? gcePersistentDisk:GCEPersistentDiskVolumeSource awsElasticBlockStore:AWSElasticBlockStoreVolumeSource hostPath:HostPathVolumeSource glusterfs:GlusterfsPersistentVolumeSource nfs:NFSVolumeSource rbd:RBDPersistentVolumeSource iscsi:ISCSIPersistentVolumeSource cinder:CinderPersistentVolumeSource cephfs:CephFSPersistentVolumeSource fc:FCVolumeSource flocker:FlockerVolumeSource flexVolume:FlexPersistentVolumeSource azureFile:AzureFilePersistentVolumeSource vsphereVolume:VsphereVirtualDiskVolumeSource quobyte:QuobyteVolumeSource azureDisk:AzureDiskVolumeSource photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource scaleIO:ScaleIOPersistentVolumeSource local:LocalVolumeSource storageos:StorageOSPersistentVolumeSource csi:CSIPersistentVolumeSource accessModes:[]string?|l=atomic|e=PersistentVolumeAccessMode claimRef:ObjectReference|m=granular persistentVolumeReclaimPolicy:string?|e=PersistentVolumeReclaimPolicy storageClassName:string? mountOptions:[]string?|l=atomic volumeMode:string|e=PersistentVolumeMode nodeAffinity:VolumeNodeAffinity volumeAttributesClassName:string|g=VolumeAttributesClass
PersistentVolumeStatus phase:string?|e=PersistentVolumePhase message:string? reason:string? lastPhaseTransitionTime:Time
PhotonPersistentDiskVolumeSource pdID:string!+ fsType:string?
Pod kind:string? apiVersion:string? metadata:ObjectMeta+ spec:PodSpec+ status:PodStatus+
PodAffinity requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm?|l=atomic preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm?|l=atomic
PodAffinityTerm labelSelector:meta/v1.LabelSelector namespaces:[]string?|l=atomic topologyKey:string!+ namespaceSelector:meta/v1.LabelSelector matchLabelKeys:[]string?|l=atomic mismatchLabelKeys:[]string?|l=atomic
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm?|l=atomic preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm?|l=atomic
PodCertificateProjection signerName:string!? keyType:string!? maxExpirationSeconds:int32 credentialBundlePath:string? keyPath:string? certificateChainPath:string? userAnnotations:{}string? user:int64|g=AtomicWriteVolumeUserFields
PodCondition type:string!+ observedGeneration:int64? status:string!+ lastProbeTime:Time+ lastTransitionTime:Time+ reason:string? message:string?
PodDNSConfig nameservers:[]string?|l=atomic searches:[]string?|l=atomic options:[]PodDNSConfigOption?|l=atomic
PodDNSConfigOption name:string? value:string
PodExtendedResourceClaimStatus requestMappings:[]ContainerExtendedResourceRequest!+|l=atomic resourceClaimName:string!+
PodIP ip:string!+
PodList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Pod!+
PodOS name:string!+
PodReadinessGate conditionType:string!+
PodResourceClaim name:string!+ resourceClaimName:string resourceClaimTemplateName:string
PodResourceClaimStatus name:string!+ resourceClaimName:string
PodSchedulingGate name:string!+
PodSchedulingGroup |u={"fields-to-discriminateBy":{"podGroupName":"PodGroupName"}} podGroupName:string
PodSecurityContext seLinuxOptions:SELinuxOptions windowsOptions:WindowsSecurityContextOptions runAsUser:int64 runAsGroup:int64 runAsNonRoot:bool supplementalGroups:[]int64?|l=atomic supplementalGroupsPolicy:string|g=SupplementalGroupsPolicy|e=SupplementalGroupsPolicy fsGroup:int64 sysctls:[]Sysctl?|l=atomic fsGroupChangePolicy:string|e=PodFSGroupChangePolicy seccompProfile:SeccompProfile appArmorProfile:AppArmorProfile seLinuxChangePolicy:string|g=SELinuxChangePolicy
PodSpec volumes:[]Volume?|l=map:name|p=merge,retainKeys:name initContainers:[]Container?|l=map:name|p=merge:name containers:[]Container!+|l=map:name|p=merge:name ephemeralContainers:[]EphemeralContainer?|l=map:name|p=merge:name restartPolicy:string?|e=RestartPolicy terminationGracePeriodSeconds:int64 activeDeadlineSeconds:int64 dnsPolicy:string?|e=DNSPolicy nodeSelector:{}string?|m=atomic serviceAccountName:string? serviceAccount:string? automountServiceAccountToken:bool nodeName:string? hostNetwork:bool? hostPID:bool? hostIPC:bool? shareProcessNamespace:bool securityContext:PodSecurityContext imagePullSecrets:[]LocalObjectReference?|l=map:name|p=merge:name hostname:string? subdomain:string? affinity:Affinity schedulerName:string? tolerations:[]Toleration?|l=atomic hostAliases:[]HostAlias?|l=map:ip|p=merge:ip priorityClassName:string? priority:int32 dnsConfig:PodDNSConfig readinessGates:[]PodReadinessGate?|l=atomic runtimeClassName:string enableServiceLinks:bool preemptionPolicy:string|e=PreemptionPolicy overhead:{}Quantity? topologySpreadConstraints:[]TopologySpreadConstraint?|l=map:topologyKey,whenUnsatisfiable|p=merge:topologyKey setHostnameAsFQDN:bool os:PodOS hostUsers:bool schedulingGates:[]PodSchedulingGate?|l=map:name|p=merge:name resourceClaims:[]PodResourceClaim?|l=map:name|p=merge,retainKeys:name|g=DynamicResourceAllocation resources:ResourceRequirements|g=PodLevelResources hostnameOverride:string|g=HostnameOverride schedulingGroup:PodSchedulingGroup|g=GenericWorkload evictionResponders:[]EvictionResponder?|l=map:name|p=merge:name|g=EvictionRequestAPI
PodStatus observedGeneration:int64? phase:string?|e=PodPhase conditions:[]PodCondition?|l=map:type|p=merge:type message:string? reason:string? nominatedNodeName:string? hostIP:string? hostIPs:[]HostIP?|l=atomic|p=merge:ip podIP:string? podIPs:[]PodIP?|l=map:ip|p=merge:ip startTime:Time initContainerStatuses:[]ContainerStatus?|l=atomic containerStatuses:[]ContainerStatus?|l=atomic qosClass:string?|e=PodQOSClass ephemeralContainerStatuses:[]ContainerStatus?|l=atomic resize:string?|g=InPlacePodVerticalScaling resourceClaimStatuses:[]PodResourceClaimStatus?|l=map:name|p=merge,retainKeys:name|g=DynamicResourceAllocation extendedResourceClaimStatus:PodExtendedResourceClaimStatus|g=DRAExtendedResource allocatedResources:{}Quantity?|g=InPlacePodLevelResourcesVerticalScaling resources:ResourceRequirements|g=InPlacePodLevelResourcesVerticalScaling nodeAllocatableResourceClaimStatuses:[]NodeAllocatableResourceClaimStatus?|l=map:resourceClaimName|p=merge:resourceClaimName|g=DRANodeAllocatableResources volumeHealth:[]PodVolumeHealth?|l=map:name|g=CSIVolumeHealth
PodTemplate kind:string? apiVersion:string? metadata:ObjectMeta+ template:PodTemplateSpec+
PodTemplateList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]PodTemplate!+
PodTemplateSpec metadata:ObjectMeta+ spec:PodSpec+
PodVolumeHealth name:string!+ healthConditions:[]VolumeHealthCondition?|l=map:status,reason|p=merge:status lastTransitionTime:Time+
PortStatus port:int32!+ protocol:string!+|e=Protocol error:string
PortworxVolumeSource volumeID:string!+ fsType:string? readOnly:bool?
PreferredSchedulingTerm weight:int32!+ preference:NodeSelectorTerm!+
Probe exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction grpc:GRPCAction initialDelaySeconds:int32? timeoutSeconds:int32? periodSeconds:int32? successThreshold:int32? failureThreshold:int32? terminationGracePeriodSeconds:int64
ProjectedVolumeSource sources:[]VolumeProjection+|l=atomic defaultMode:int32 defaultUser:int64|g=AtomicWriteVolumeUserFields
QuobyteVolumeSource registry:string!+ volume:string!+ readOnly:bool? user:string? group:string? tenant:string?
RBDPersistentVolumeSource monitors:[]string!+|l=atomic image:string!+ fsType:string? pool:string?|d="rbd" user:string?|d="admin" keyring:string?|d="/etc/ceph/keyring" secretRef:SecretReference readOnly:bool?
RBDVolumeSource monitors:[]string!+|l=atomic image:string!+ fsType:string? pool:string?|d="rbd" user:string?|d="admin" keyring:string?|d="/etc/ceph/keyring" secretRef:LocalObjectReference readOnly:bool?
ReplicationController kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ReplicationControllerSpec+ status:ReplicationControllerStatus+
ReplicationControllerCondition type:string!+ status:string!+ lastTransitionTime:Time+ reason:string? message:string?
ReplicationControllerList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ReplicationController!+
ReplicationControllerSpec replicas:int32|d=1 minReadySeconds:int32?|d=0 selector:{}string?|m=atomic template:PodTemplateSpec
ReplicationControllerStatus replicas:int32!+ fullyLabeledReplicas:int32? readyReplicas:int32? availableReplicas:int32? observedGeneration:int64? conditions:[]ReplicationControllerCondition?|l=map:type|p=merge:type
ResourceClaim name:string!+ request:string?
ResourceFieldSelector |m=atomic containerName:string? resource:string!+ divisor:Quantity?
ResourceHealth resourceID:string!+ health:string? message:string|g=ResourceHealthStatusMessage
ResourceQuota kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ResourceQuotaSpec+ status:ResourceQuotaStatus+
ResourceQuotaList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ResourceQuota!+
ResourceQuotaSpec hard:{}Quantity? scopes:[]string?|l=atomic|e=ResourceQuotaScope scopeSelector:ScopeSelector
ResourceQuotaStatus hard:{}Quantity? used:{}Quantity?
ResourceRequirements limits:{}Quantity? requests:{}Quantity? claims:[]ResourceClaim?|l=map:name|g=DynamicResourceAllocation
ResourceStatus name:string!+ resources:[]ResourceHealth?|l=map:resourceID
SELinuxOptions user:string? role:string? type:string? level:string?
ScaleIOPersistentVolumeSource gateway:string!+ system:string!+ secretRef:SecretReference!- sslEnabled:bool? protectionDomain:string? storagePool:string? storageMode:string?|d="ThinProvisioned" volumeName:string? fsType:string?|d="xfs" readOnly:bool?
ScaleIOVolumeSource gateway:string!+ system:string!+ secretRef:LocalObjectReference!- sslEnabled:bool? protectionDomain:string? storagePool:string? storageMode:string?|d="ThinProvisioned" volumeName:string? fsType:string?|d="xfs" readOnly:bool?
ScopeSelector |m=atomic matchExpressions:[]ScopedResourceSelectorRequirement?|l=atomic
ScopedResourceSelectorRequirement scopeName:string!+|e=ResourceQuotaScope operator:string!+|e=ScopeSelectorOperator values:[]string?|l=atomic
SeccompProfile |u={"discriminator":"type","fields-to-discriminateBy":{"localhostProfile":"LocalhostProfile"}} type:string!+|e=SeccompProfileType localhostProfile:string
Secret kind:string? apiVersion:string? metadata:ObjectMeta+ immutable:bool data:{}bytes? stringData:{}string? type:string?
SecretEnvSource name:string?|d="" optional:bool
SecretKeySelector |m=atomic name:string?|d="" key:string!+ optional:bool
SecretList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Secret!+
SecretProjection name:string?|d="" items:[]KeyToPath?|l=atomic optional:bool
SecretReference |m=atomic name:string? namespace:string?
SecretVolumeSource secretName:string? items:[]KeyToPath?|l=atomic defaultMode:int32 optional:bool defaultUser:int64|g=AtomicWriteVolumeUserFields
SecurityContext capabilities:Capabilities privileged:bool seLinuxOptions:SELinuxOptions windowsOptions:WindowsSecurityContextOptions runAsUser:int64 runAsGroup:int64 runAsNonRoot:bool readOnlyRootFilesystem:bool allowPrivilegeEscalation:bool procMount:string|e=ProcMountType seccompProfile:SeccompProfile appArmorProfile:AppArmorProfile
Service kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ServiceSpec+ status:ServiceStatus+
ServiceAccount kind:string? apiVersion:string? metadata:ObjectMeta+ secrets:[]ObjectReference?|l=map:name|p=merge:name imagePullSecrets:[]LocalObjectReference?|l=atomic automountServiceAccountToken:bool
ServiceAccountList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ServiceAccount!+
ServiceAccountTokenProjection audience:string? expirationSeconds:int64 path:string!+ user:int64|g=AtomicWriteVolumeUserFields
ServiceList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Service!+
ServicePort name:string? protocol:string?|d="TCP"|e=Protocol appProtocol:string port:int32!+ targetPort:IntOrString? nodePort:int32?
ServiceSpec ports:[]ServicePort?|l=map:port,protocol|p=merge:port selector:{}string?|m=atomic clusterIP:string? clusterIPs:[]string?|l=atomic type:string?|e=ServiceType externalIPs:[]string?|l=atomic sessionAffinity:string?|e=ServiceAffinity loadBalancerIP:string? loadBalancerSourceRanges:[]string?|l=atomic externalName:string? externalTrafficPolicy:string?|e=ServiceExternalTrafficPolicy healthCheckNodePort:int32? publishNotReadyAddresses:bool? sessionAffinityConfig:SessionAffinityConfig ipFamilies:[]string?|l=atomic|e=IPFamily ipFamilyPolicy:string|e=IPFamilyPolicy allocateLoadBalancerNodePorts:bool loadBalancerClass:string internalTrafficPolicy:string|e=ServiceInternalTrafficPolicy trafficDistribution:string
ServiceStatus loadBalancer:LoadBalancerStatus+ conditions:[]meta/v1.Condition?|l=map:type|p=merge:type
SessionAffinityConfig clientIP:ClientIPConfig
SleepAction seconds:int64!+
StorageOSPersistentVolumeSource volumeName:string? volumeNamespace:string? fsType:string? readOnly:bool? secretRef:ObjectReference
StorageOSVolumeSource volumeName:string? volumeNamespace:string? fsType:string? readOnly:bool? secretRef:LocalObjectReference
Sysctl name:string!+ value:string!+
TCPSocketAction port:IntOrString!+ host:string?
Taint key:string!+ value:string? effect:string!+|e=TaintEffect timeAdded:Time
Toleration key:string? operator:string?|e=TolerationOperator value:string? effect:string?|e=TaintEffect tolerationSeconds:int64
TopologySelectorLabelRequirement key:string!+ values:[]string!+|l=atomic
TopologySelectorTerm |m=atomic matchLabelExpressions:[]TopologySelectorLabelRequirement?|l=atomic
TopologySpreadConstraint maxSkew:int32!+ topologyKey:string!+ whenUnsatisfiable:string!+|e=UnsatisfiableConstraintAction labelSelector:meta/v1.LabelSelector minDomains:int32 nodeAffinityPolicy:string|e=NodeInclusionPolicy nodeTaintsPolicy:string|e=NodeInclusionPolicy matchLabelKeys:[]string?|l=atomic
TypedLocalObjectReference |m=atomic apiGroup:string- kind:string!+ name:string!+
TypedObjectReference apiGroup:string- kind:string!+ name:string!+ namespace:string|g=CrossNamespaceVolumeDataSource
Volume name:string!+ hostPath:HostPathVolumeSource emptyDir:EmptyDirVolumeSource gcePersistentDisk:GCEPersistentDiskVolumeSource awsElasticBlockStore:AWSElasticBlockStoreVolumeSource gitRepo:GitRepoVolumeSource secret:SecretVolumeSource nfs:NFSVolumeSource iscsi:ISCSIVolumeSource glusterfs:GlusterfsVolumeSource persistentVolumeClaim:PersistentVolumeClaimVolumeSource rbd:RBDVolumeSource flexVolume:FlexVolumeSource cinder:CinderVolumeSource cephfs:CephFSVolumeSource flocker:FlockerVolumeSource downwardAPI:DownwardAPIVolumeSource fc:FCVolumeSource azureFile:AzureFileVolumeSource configMap:ConfigMapVolumeSource vsphereVolume:VsphereVirtualDiskVolumeSource quobyte:QuobyteVolumeSource azureDisk:AzureDiskVolumeSource photonPersistentDisk:PhotonPersistentDiskVolumeSource projected:ProjectedVolumeSource portworxVolume:PortworxVolumeSource scaleIO:ScaleIOVolumeSource storageos:StorageOSVolumeSource csi:CSIVolumeSource ephemeral:EphemeralVolumeSource image:ImageVolumeSource
VolumeDevice name:string!+ devicePath:string!+
VolumeHealthCondition status:string!+|e=VolumeHealthStatusType reason:string!+ message:string?
VolumeHealthStatus healthConditions:[]VolumeHealthCondition?|l=map:status,reason|p=merge:status lastTransitionTime:Time+
VolumeMount name:string!+ readOnly:bool? recursiveReadOnly:string mountPath:string!+ subPath:string? mountPropagation:string|e=MountPropagationMode subPathExpr:string? bindMountOptions:[]string?|l=set|g=VolumeBindMountOptions
VolumeMountStatus name:string!+ mountPath:string!+ readOnly:bool? recursiveReadOnly:string volumeStatus:VolumeStatus
VolumeNodeAffinity required:NodeSelector
VolumeProjection secret:SecretProjection downwardAPI:DownwardAPIProjection configMap:ConfigMapProjection serviceAccountToken:ServiceAccountTokenProjection clusterTrustBundle:ClusterTrustBundleProjection|g=ClusterTrustBundleProjection podCertificate:PodCertificateProjection|g=PodCertificateProjection
VolumeResourceRequirements limits:{}Quantity? requests:{}Quantity?
VolumeStatus image:ImageVolumeStatus|g=ImageVolumeWithDigest
VsphereVirtualDiskVolumeSource volumePath:string!+ fsType:string? storagePolicyName:string? storagePolicyID:string?
WeightedPodAffinityTerm weight:int32!+ podAffinityTerm:PodAffinityTerm!+
WindowsSecurityContextOptions gmsaCredentialSpecName:string gmsaCredentialSpec:string runAsUserName:string hostProcess:bool
`
