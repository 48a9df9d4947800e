import { alwaysLeading } from '../../apiserver/runtime/leadership.ts'
import { oneServer } from './servers/oneServer.ts'
import {
  openManagementPlane,
  type ManagementPlane,
} from '../../apiserver/platform/managementPlane.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import type { Clock, Random } from '../../apiserver/meta/clock.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { PlaneEntry } from '../../apiserver/planes/planeEntry.ts'
import { Planes, type PlaneLimits } from '../../apiserver/planes/planes.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { serverOptions } from '../../apiserver/runtime/options/serverOptions.ts'
import type { LevelStorage } from '../../apiserver/storage/level/levelStorage.ts'
import { bareDefinitions } from './kinds/bareDefinitions.ts'

export interface OpenPlanesOptions {
  storage: LevelStorage
  clock: Clock
  random: Random
  limits?: Partial<PlaneLimits>
}

/** Planes of a server without listeners, on a storage that the caller closes. */
export interface OpenPlanes {
  management: ManagementPlane
  planes: Planes
  clusters: Store
  /** planeEntry of a cluster's plane. */
  planeEntry(cluster: string): PlaneEntry
  makeCluster(name: string): Promise<unknown>
  deleteCluster(name: string): Promise<unknown>
  close(): void
}

export async function openPlanes({
  limits = {},
  ...shared
}: OpenPlanesOptions): Promise<OpenPlanes> {
  const report = (error: unknown) => {
    throw error
  }
  const build = { serverVersion: '0.0.0', gitCommit: '', buildDate: '', platform: '', runtime: '' }
  const documents = {
    build,
    definitions: bareDefinitions,
    serveServerPath: () => Promise.resolve(false),
    serverPaths: [],
  }
  const options = serverOptions({ storage: 'memory' })
  const management = await openManagementPlane({
    ...shared,
    ...oneServer,
    options,
    report,
    documents,
  })
  management.platform.bindAddress(() => ({
    url: 'https://127.0.0.1:8443',
    issuer: 'https://127.0.0.1:8443',
    caCertificate: sampleCertificate,
    authority: undefined,
  }))
  const planes = new Planes({
    ...shared,
    names: defaultNames,
    leadership: alwaysLeading,
    servedByAll: () => undefined,
    management,
    documents,
    limits,
    report,
  })
  await planes.start()
  const clusters = management.plane.storeOf(management.parts.kinds.clusters)
  return {
    management,
    planes,
    clusters,
    planeEntry: (cluster) => {
      const found = planes.find(`/kubernetes/cluster/${cluster}/`)
      if (!(found?.plane instanceof PlaneEntry)) throw new Error('the path is of no plane')
      return found.plane
    },
    makeCluster: (name) => clusters.create(clusterObject(clusters, name), systemContext()),
    deleteCluster: (name) => clusters.delete({ namespace: '', name }, {}, systemContext()),
    close: () => {
      planes.close()
      management.close()
    },
  }
}

/** Certificate of typical length. */
const sampleCertificate = `-----BEGIN CERTIFICATE-----\n${'A'.repeat(700)}\n-----END CERTIFICATE-----\n`

function clusterObject({ resource, apiVersion }: Store, name: string): ApiObject {
  return { kind: resource.kind, apiVersion, metadata: { name }, spec: {} }
}
