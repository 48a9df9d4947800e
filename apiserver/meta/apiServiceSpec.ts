/** Spec of an APIService, sound by the schema. Source: Kubernetes API reference, APIServiceSpec v1. */
export interface ApiServiceSpec {
  service?: { namespace?: string; name?: string; port?: number }
  group?: string
  version?: string
  insecureSkipTLSVerify?: boolean
  caBundle?: string
  groupPriorityMinimum?: number
  versionPriority?: number
}
