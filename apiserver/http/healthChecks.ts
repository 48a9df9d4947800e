import type { HealthCheck, HealthRoot } from '../endpoints/documents/health.ts'

/** Parts inspected by the health checks. Each check throws the reason of its failure. */
export interface CheckedParts {
  /** Checks that every part runs and has created its first objects. */
  checkStarted: () => void
  /** Checks that the storage accepts writes. */
  checkStorage: () => void
  checkShutdown: () => void
  /** Checks that every KMS of the encryption responds; undefined: nothing is encrypted. */
  checkKms: (() => void) | undefined
}

/**
 * Start hooks of the real server. In this server, all are complete before the first request is
 * served.
 */
const startHooks = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'peer-endpoint-reconciler-controller',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
]
const lastHooks = ['apiservice-openapi-controller', 'apiservice-openapiv3-controller']
const alive: readonly HealthRoot[] = ['healthz', 'livez']
const ready: readonly HealthRoot[] = ['readyz']

/**
 * Checks with the names and in the order of the real server, which tools rely on. Source: seen on kube-apiserver
 * 1.37.2.
 */
export function healthChecks(parts: CheckedParts): HealthCheck[] {
  const { checkStarted, checkStorage, checkShutdown, checkKms } = parts
  const hook = (name: string) => ({ name: `poststarthook/${name}`, check: checkStarted })
  return [
    { name: 'ping', check: () => undefined },
    { name: 'log', check: () => undefined },
    { name: 'loopback-serving-certificate', check: checkStarted, roots: alive },
    { name: 'etcd', check: checkStorage },
    { name: 'etcd-readiness', check: checkStorage, roots: ready },
    { name: 'informer-sync', check: checkStarted, roots: ready },
    ...(checkKms === undefined ? [] : [{ name: 'kms-providers', check: checkKms }]),
    ...startHooks.map(hook),
    { name: 'autoregister-completion', check: checkStarted },
    ...lastHooks.map(hook),
    { name: 'shutdown', check: checkShutdown, roots: ready },
  ]
}
