import type { ApiObject } from '../../meta/types.ts'

/** The parts of pods that rules and columns look at; the schema has all of them.
 *  Source: Kubernetes API reference, PodSpec and PodStatus v1. */

export interface ContainerPort {
  name?: string
  containerPort?: number
  hostPort?: number
  protocol?: string
}

export interface HttpGet {
  path?: string
  port?: number | string
  scheme?: string
}

export interface Probe {
  httpGet?: HttpGet
  grpc?: { service?: string }
  timeoutSeconds?: number
  periodSeconds?: number
  successThreshold?: number
  failureThreshold?: number
}

export interface Resources {
  limits?: Record<string, string>
  requests?: Record<string, string>
}

export interface EnvVar {
  name?: string
  value?: string
  valueFrom?: { fieldRef?: { apiVersion?: string } }
}

export interface Container {
  name?: string
  image?: string
  imagePullPolicy?: string
  ports?: ContainerPort[]
  env?: EnvVar[]
  resources?: Resources
  volumeMounts?: { name?: string; mountPath?: string }[]
  livenessProbe?: Probe
  readinessProbe?: Probe
  startupProbe?: Probe
  lifecycle?: { postStart?: Probe; preStop?: Probe }
  terminationMessagePath?: string
  terminationMessagePolicy?: string
  restartPolicy?: string
  resizePolicy?: unknown[]
  /** Of an ephemeral container: whose processes it sees. */
  targetContainerName?: string
}

export type Volume = { name?: string } & Record<string, unknown>

export interface PodSpec {
  volumes?: Volume[]
  initContainers?: Container[]
  containers?: Container[]
  ephemeralContainers?: Container[]
  restartPolicy?: string
  terminationGracePeriodSeconds?: number
  activeDeadlineSeconds?: number
  dnsPolicy?: string
  nodeSelector?: Record<string, string>
  serviceAccountName?: string
  serviceAccount?: string
  nodeName?: string
  hostNetwork?: boolean
  securityContext?: Record<string, unknown>
  schedulerName?: string
  tolerations?: unknown[]
  enableServiceLinks?: boolean
  readinessGates?: { conditionType: string }[]
  schedulingGates?: { name: string }[]
}

export interface PodTemplate {
  metadata?: { labels?: Record<string, string> }
  spec?: PodSpec
}

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
  restartCount?: number
}

export interface PodCondition {
  type: string
  status: string
  reason?: string
  message?: string
  lastTransitionTime?: string
}

export interface PodStatus {
  phase?: string
  reason?: string
  qosClass?: string
  podIP?: string
  podIPs?: { ip: string }[]
  nominatedNodeName?: string
  conditions?: PodCondition[]
  containerStatuses?: ContainerStatus[]
  initContainerStatuses?: ContainerStatus[]
}

export interface Pod extends ApiObject {
  spec: PodSpec
  status: PodStatus
}

export function asPod(object: ApiObject): Pod {
  object['spec'] ??= {}
  object['status'] ??= {}
  // The schema says what spec and status hold, and both are there now.
  return object as Pod
}
