import { realClock } from '../../apiserver/runtime/realClock.ts'
import type { ExpressionScope } from '../../syncer/expressions/expressionRuntime.ts'
import { SandboxRuntime } from '../../syncer/expressions/sandboxRuntime.ts'

export const naming = { virtualCluster: 'vcluster', hostNamespace: 'vcluster-ns' }

export const scope: ExpressionScope = {
  naming,
  config: { sync: { toHost: { endpoints: { enabled: true } } } },
  hostObject: null,
  virtualObject: { metadata: { name: 'db' } },
}

export function sandbox(): SandboxRuntime {
  return new SandboxRuntime({ clock: realClock })
}
