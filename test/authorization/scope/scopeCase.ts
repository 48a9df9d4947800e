import type { RequestTarget } from '../../../apiserver/authorization/requestTarget.ts'

/** Requests inside and outside a scope. `POST ~/users` is a request of the management group; an entry with a target
 *  goes to another plane. */
export interface ScopeCase {
  name: string
  scope: Record<string, unknown>
  covers?: Wanted[]
  refuses?: Wanted[]
}

export type Wanted = string | [request: string, target: RequestTarget]

export const east: RequestTarget = { plane: 'cluster', cluster: 'east' }
export const west: RequestTarget = { plane: 'cluster', cluster: 'west' }
export const blueOne: RequestTarget = {
  plane: 'virtualCluster',
  project: 'blue',
  virtualCluster: 'one',
}
export const blueTwo: RequestTarget = {
  plane: 'virtualCluster',
  project: 'blue',
  virtualCluster: 'two',
}
export const greenOne: RequestTarget = {
  plane: 'virtualCluster',
  project: 'green',
  virtualCluster: 'one',
}
export const blueSpace: RequestTarget = { plane: 'space', project: 'blue', space: 'dev' }
export const blueOther: RequestTarget = { plane: 'space', project: 'blue', space: 'prod' }
export const greenSpace: RequestTarget = { plane: 'space', project: 'green', space: 'dev' }
export const pods = 'GET /api/v1/namespaces/default/pods/a'

export const description = [
  'GET /',
  'GET /api',
  'GET /apis',
  'GET /apis/apps/v1',
  'GET /openapi/v3/api/v1',
]
