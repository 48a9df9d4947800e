import type { ApiObject } from '../../../../meta/types.ts'
import type { SpecSelector } from '../../labelSelection.ts'

/**
 * Parts of pods that rules and columns read; guaranteed by the schema.
 * Source: Kubernetes API reference, PodSpec and PodStatus v1.
 */

export interface ContainerPort {
  name?: string
  containerPort?: number
  hostPort?: number
  hostIP?: string
  protocol?: string
}

export interface HttpGet {
  path?: string
  port?: number | string
  scheme?: string
  httpHeaders?: { name?: string }[]
}

export interface Probe {
  exec?: { command?: string[] }
  httpGet?: HttpGet
  tcpSocket?: { port?: number | string }
  grpc?: { port?: number; service?: string }
  /** Set for lifecycle hooks only. */
  sleep?: { seconds?: number }
  initialDelaySeconds?: number
  timeoutSeconds?: number
  periodSeconds?: number
  successThreshold?: number
  failureThreshold?: number
  terminationGracePeriodSeconds?: number
}

export interface Resources {
  limits?: Record<string, string>
  requests?: Record<string, string>
  claims?: { name?: string; request?: string }[]
}

export interface FieldRef {
  apiVersion?: string
  fieldPath?: string
}

export interface ResourceFieldRef {
  containerName?: string
  resource?: string
  divisor?: string
}

export interface KeyRef {
  name?: string
  key?: string
}

export interface VariableSource {
  fieldRef?: FieldRef
  resourceFieldRef?: ResourceFieldRef
  configMapKeyRef?: KeyRef
  secretKeyRef?: KeyRef
  fileKeyRef?: { key?: string; path?: string; volumeName?: string }
}

export interface EnvVar {
  name?: string
  value?: string
  valueFrom?: VariableSource
}

export interface EnvFrom {
  prefix?: string
  configMapRef?: { name?: string }
  secretRef?: { name?: string }
}

export interface VolumeMount {
  name?: string
  mountPath?: string
  subPath?: string
  subPathExpr?: string
  readOnly?: boolean
  mountPropagation?: string
  recursiveReadOnly?: string
}

export interface SeccompProfile {
  type?: string
  localhostProfile?: string
}

export type AppArmorProfile = SeccompProfile

export interface WindowsOptions {
  gmsaCredentialSpec?: string
  gmsaCredentialSpecName?: string
  hostProcess?: boolean
  runAsUserName?: string
}

export interface SecurityContext {
  runAsUser?: number
  runAsGroup?: number
  privileged?: boolean
  allowPrivilegeEscalation?: boolean
  capabilities?: { add?: string[]; drop?: string[] }
  runAsNonRoot?: boolean
  readOnlyRootFilesystem?: boolean
  seLinuxOptions?: SELinuxOptions
  procMount?: string
  seccompProfile?: SeccompProfile
  appArmorProfile?: AppArmorProfile
  windowsOptions?: WindowsOptions
}

export interface SELinuxOptions {
  type?: string
  user?: string
  role?: string
}

export interface PodSecurityContext {
  runAsNonRoot?: boolean
  seLinuxOptions?: SELinuxOptions
  fsGroup?: number
  runAsUser?: number
  runAsGroup?: number
  supplementalGroups?: number[]
  sysctls?: { name?: string }[]
  fsGroupChangePolicy?: string
  seLinuxChangePolicy?: string
  supplementalGroupsPolicy?: string
  seccompProfile?: SeccompProfile
  appArmorProfile?: AppArmorProfile
  windowsOptions?: WindowsOptions
}

export interface Container {
  name?: string
  image?: string
  imagePullPolicy?: string
  ports?: ContainerPort[]
  env?: EnvVar[]
  envFrom?: EnvFrom[]
  resources?: Resources
  volumeMounts?: VolumeMount[]
  volumeDevices?: { name?: string; devicePath?: string }[]
  livenessProbe?: Probe
  readinessProbe?: Probe
  startupProbe?: Probe
  lifecycle?: { postStart?: Probe; preStop?: Probe; stopSignal?: string }
  terminationMessagePath?: string
  terminationMessagePolicy?: string
  restartPolicy?: string
  restartPolicyRules?: {
    action?: string
    exitCodes?: { operator?: string; values?: number[] }
  }[]
  resizePolicy?: { resourceName?: string; restartPolicy?: string }[]
  securityContext?: SecurityContext
  /** Target of an ephemeral container: the container whose processes it sees. */
  targetContainerName?: string
}

export type Volume = { name?: string } & Record<string, unknown>

export interface NodeTest {
  key?: string
  operator?: string
  values?: string[]
}

export interface NodeSelectorTerm {
  matchExpressions?: NodeTest[]
  matchFields?: NodeTest[]
}

export interface PodAffinityTerm {
  labelSelector?: SpecSelector
  namespaceSelector?: SpecSelector
  namespaces?: string[]
  topologyKey?: string
  matchLabelKeys?: string[]
  mismatchLabelKeys?: string[]
}

interface PodTerms {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[]
  preferredDuringSchedulingIgnoredDuringExecution?: {
    weight?: number
    podAffinityTerm?: PodAffinityTerm
  }[]
}

export interface Affinity {
  nodeAffinity?: {
    requiredDuringSchedulingIgnoredDuringExecution?: {
      nodeSelectorTerms?: NodeSelectorTerm[] | null
    }
    preferredDuringSchedulingIgnoredDuringExecution?: {
      weight?: number
      preference?: NodeSelectorTerm
    }[]
  }
  podAffinity?: PodTerms
  podAntiAffinity?: PodTerms
}

export interface SpreadConstraint {
  maxSkew?: number
  topologyKey?: string
  whenUnsatisfiable?: string
  labelSelector?: SpecSelector
  minDomains?: number
  nodeAffinityPolicy?: string
  nodeTaintsPolicy?: string
  matchLabelKeys?: string[]
}

export interface Toleration {
  key?: string
  operator?: string
  value?: string
  effect?: string
  tolerationSeconds?: number
}

export interface PodSpec {
  volumes?: Volume[]
  initContainers?: Container[]
  containers?: Container[] | null
  ephemeralContainers?: Container[]
  restartPolicy?: string
  terminationGracePeriodSeconds?: number
  activeDeadlineSeconds?: number
  dnsPolicy?: string
  dnsConfig?: { nameservers?: string[]; searches?: string[]; options?: { name?: string }[] }
  nodeSelector?: Record<string, string>
  serviceAccountName?: string
  serviceAccount?: string
  nodeName?: string
  hostNetwork?: boolean
  hostPID?: boolean
  hostIPC?: boolean
  hostUsers?: boolean
  shareProcessNamespace?: boolean
  setHostnameAsFQDN?: boolean
  hostname?: string
  subdomain?: string
  hostnameOverride?: string
  imagePullSecrets?: { name?: string }[]
  hostAliases?: { ip?: string; hostnames?: string[] }[]
  affinity?: Affinity
  securityContext?: PodSecurityContext
  schedulerName?: string
  tolerations?: Toleration[]
  topologySpreadConstraints?: SpreadConstraint[]
  enableServiceLinks?: boolean
  priorityClassName?: string
  priority?: number
  automountServiceAccountToken?: boolean
  runtimeClassName?: string
  preemptionPolicy?: string
  overhead?: Record<string, string>
  os?: { name?: string }
  resources?: Resources
  resourceClaims?: {
    name?: string
    resourceClaimName?: string
    resourceClaimTemplateName?: string
  }[]
  readinessGates?: { conditionType: string }[]
  schedulingGates?: { name?: string }[]
}

export interface PodTemplate {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> }
  spec?: PodSpec
}

/** Metadata that rules of a pod's spec read; a template has none of its own. */
export type PodMeta = Pick<ApiObject['metadata'], 'name' | 'annotations'>

export interface ContainerState {
  waiting?: { reason?: string }
  running?: { startedAt?: string | null }
  terminated?: { reason?: string; exitCode?: number; signal?: number; finishedAt?: string | null }
}

export interface ContainerStatus {
  name: string
  state?: ContainerState
  lastState?: ContainerState
  ready?: boolean
  started?: boolean
  restartCount?: number
  resources?: Resources
  user?: { linux?: { uid?: number; gid?: number; supplementalGroups?: number[] } }
  allocatedResourcesStatus?: {
    name?: string
    resources?: { resourceID?: string; health?: string; message?: string }[]
  }[]
}

export interface PodCondition {
  type: string
  status: string
  observedGeneration?: number
  reason?: string
  message?: string
  lastProbeTime?: string | null
  lastTransitionTime?: string
}

export interface RequestMapping {
  containerName?: string
  resourceName?: string
  requestName?: string
}

export interface PodStatus {
  observedGeneration?: number
  phase?: string
  reason?: string
  qosClass?: string
  hostIP?: string
  hostIPs?: { ip: string }[]
  podIP?: string
  podIPs?: { ip: string }[]
  nominatedNodeName?: string
  conditions?: PodCondition[]
  containerStatuses?: ContainerStatus[]
  initContainerStatuses?: ContainerStatus[]
  ephemeralContainerStatuses?: ContainerStatus[]
  resourceClaimStatuses?: { name?: string; resourceClaimName?: string }[]
  extendedResourceClaimStatus?: {
    requestMappings?: RequestMapping[] | null
    resourceClaimName?: string
  }
}

export interface Pod extends ApiObject {
  spec: PodSpec
  status: PodStatus
}

export function asPod(object: ApiObject): Pod {
  object['spec'] ??= {}
  object['status'] ??= {}
  // Guaranteed by the schema; the store sets both fields.
  return object as Pod
}

/** Reports whether an init container keeps running alongside the regular containers. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === 'Always'
}
