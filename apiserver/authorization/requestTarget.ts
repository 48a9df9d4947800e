/** Target plane of a request, with the names of the platform's objects. */
export type RequestTarget =
  | { plane: 'management' }
  | { plane: 'cluster'; cluster: string }
  | { plane: 'virtualCluster'; project: string; virtualCluster: string }
  | { plane: 'space'; project: string; space: string }

/** Default target of requests. */
export const managementTarget: RequestTarget = { plane: 'management' }
