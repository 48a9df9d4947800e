/** The target plane of a request. Names are those of the platform's objects. */
export type RequestTarget =
  | { plane: 'management' }
  | { plane: 'cluster'; cluster: string }
  | { plane: 'virtualCluster'; project: string; virtualCluster: string }
  | { plane: 'space'; project: string; space: string }

/** The default target of requests. */
export const managementTarget: RequestTarget = { plane: 'management' }
