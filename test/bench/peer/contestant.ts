import type { Bench } from '../bench.ts'
import type { ApiServer } from '../apiServer.ts'
import { residentBytes } from '../childProcess.ts'
import type { Loaded } from '../loadTool.ts'

/** Server under comparison, with a kind whose objects are about 1 KB. */
export interface Contestant extends Loaded {
  token: string
  startMs: number
  /** Path of the objects. */
  collection: string
  /** Content of the objects besides metadata. */
  content: object
  /** Resident memory of all compared processes. */
  residentBytes: () => number
  stop: () => Promise<void>
}

/** Starts a contestant on an empty folder. */
export type Start = (bench: Bench) => Promise<Contestant>

/** Kind of objects for a comparison. */
export interface Objects {
  collection: string
  content: object
}

export const sharedSecrets: Objects = {
  collection: '/apis/management.platform/v1/namespaces/default/sharedsecrets',
  content: {
    apiVersion: 'management.platform/v1',
    kind: 'SharedSecret',
    spec: { displayName: 'A secret', data: { password: 'c2VjcmV0'.repeat(60) } },
  },
}

/** Kind that every server of the API has. */
export const configMaps: Objects = {
  collection: '/api/v1/namespaces/default/configmaps',
  content: { apiVersion: 'v1', kind: 'ConfigMap', data: { text: 'secret'.repeat(80) } },
}

/** Our server on LevelDB. */
export function onLevel(objects: Objects): Start {
  return async (bench) => contestantOf(await bench.startServer(), objects)
}

export function contestantOf(server: ApiServer, objects: Objects): Contestant {
  return {
    ...server,
    ...objects,
    port: server.securePort,
    residentBytes: () => residentBytes(server.pid),
  }
}
