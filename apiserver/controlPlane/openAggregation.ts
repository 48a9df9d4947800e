import { Aggregation } from '../aggregation/aggregation.ts'
import { ProxyIdentity, type ProxyIdentityFiles } from '../aggregation/proxyIdentity.ts'
import { servicesResource } from '../apis/kubernetes/apiregistration/localServiceObjects.ts'
import type { PlaneAccess } from '../apis/planeAccess.ts'
import type { Clock } from '../meta/clock.ts'
import type { ControlPlane } from './controlPlane.ts'

export interface AggregationPlaneOptions {
  plane: ControlPlane
  access: PlaneAccess
  files: ProxyIdentityFiles
  clock: Clock
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
}

/** Serves the groups that APIServices of a plane delegate to other servers. */
export async function openAggregation({
  plane,
  access,
  files,
  clock,
  report,
}: AggregationPlaneOptions): Promise<Aggregation> {
  const aggregation = new Aggregation({
    apiServices: access.store(servicesResource),
    services: plane.admission.calls.services,
    serviceStores: [
      access.store({ group: '', resource: 'services' }),
      access.store({ group: 'discovery.k8s.io', resource: 'endpointslices' }),
    ],
    identity: new ProxyIdentity(files, report),
    use: (remote) => {
      plane.remote = remote
      plane.mergedDocuments = remote && ((own) => remote.documents(own))
    },
    clock,
    report,
  })
  await aggregation.start()
  return aggregation
}
