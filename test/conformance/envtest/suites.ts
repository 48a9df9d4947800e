/** The module whose suites run. */
export const suiteModule = 'sigs.k8s.io/controller-runtime'
export const suiteVersion = 'v0.24.1'

/** Packages of the module whose tests need no network, all below `pkg/`; `client/apiutil` looks up names that do not exist,
 *  and fails wherever a resolver says otherwise. The first ones start servers. */
export const suites: readonly string[] = [
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
  'manager/internal/integration',
  'cache/internal',
  'certwatcher',
  'client/config',
  'client/fake',
  'client/interceptor',
  'controller/controllerutil',
  'controller/priorityqueue',
  'webhook/admission',
  'webhook/authentication',
  'webhook/conversion',
]
