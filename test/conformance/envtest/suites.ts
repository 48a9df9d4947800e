/** Module of the suites. */
export const suiteModule = 'sigs.k8s.io/controller-runtime'
export const suiteVersion = 'v0.24.1'

/**
 * Packages of the module whose tests start servers, all below `pkg/`. `client/apiutil` is omitted:
 * it looks up nonexistent names, and fails if a resolver returns an address for them.
 */
export const serverSuites: readonly string[] = [
  'client',
  'cache',
  'builder',
  'controller',
  'manager',
  'handler',
  'source',
  'cluster',
  'webhook',
  'envtest',
  'internal/recorder',
  'internal/controller',
  'internal/testing/controlplane',
  'manager/internal/integration',
  'controller/controllerutil',
  'metrics/filters',
  'reconcile',
]

/** All packages whose tests need no network. */
export const suites: readonly string[] = [
  ...serverSuites,
  'cache/internal',
  'certwatcher',
  'client/config',
  'client/fake',
  'client/interceptor',
  'controller/priorityqueue',
  'webhook/admission',
  'webhook/authentication',
  'webhook/conversion',
]
