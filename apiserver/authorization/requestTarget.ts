/** The plane that a request goes to. Names are those of the platform's objects. */
export type RequestTarget =
  | { plane: 'management' }
  | { plane: 'cluster'; cluster: string }
  | { plane: 'virtualCluster'; project: string; virtualCluster: string }
  | { plane: 'space'; project: string; space: string }

/** The plane of requests that name none. */
export const managementTarget: RequestTarget = { plane: 'management' }
