import type { ApiServiceSpec } from '../meta/apiServiceSpec.ts'
import type { ApiObject } from '../meta/types.ts'

/** An APIService that names a service of another server. */
export interface RemoteService {
  /** Name of the APIService: `<version>.<group>`. */
  name: string
  group: string
  version: string
  namespace: string
  service: string
  port: number
  /** PEM; empty: the system's CAs. */
  ca: string
  skipsVerification: boolean
  groupPriority: number
  versionPriority: number
}

export interface AvailableCondition {
  type: 'Available'
  status: 'True' | 'False'
  lastTransitionTime?: string
  reason: string
  message: string
}

/** Service named in an APIService; undefined: this server serves the group version itself. */
export function remoteServiceOf(object: ApiObject): RemoteService | undefined {
  const spec = (object['spec'] ?? {}) as ApiServiceSpec // typed by the schema of APIServices
  if (spec.service === undefined) return undefined
  const { namespace = '', name = '', port = 443 } = spec.service
  return {
    name: object.metadata.name ?? '',
    group: spec.group ?? '',
    version: spec.version ?? '',
    namespace,
    service: name,
    port,
    ca: Buffer.from(spec.caBundle ?? '', 'base64').toString(),
    skipsVerification: spec.insecureSkipTLSVerify === true,
    ...prioritiesOf(object),
  }
}

export function prioritiesOf(
  object: ApiObject,
): Pick<RemoteService, 'groupPriority' | 'versionPriority'> {
  const { groupPriorityMinimum = 0, versionPriority = 0 } = (object['spec'] ?? {}) as ApiServiceSpec
  return { groupPriority: groupPriorityMinimum, versionPriority }
}

export function conditionOf(object: ApiObject): AvailableCondition | undefined {
  const { conditions = [] } = (object['status'] ?? {}) as { conditions?: AvailableCondition[] }
  return conditions.find(({ type }) => type === 'Available')
}

/** Path of a group version. */
export function pathOf({ group, version }: Pick<RemoteService, 'group' | 'version'>): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}
