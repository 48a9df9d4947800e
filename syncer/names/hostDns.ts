import { hostServiceName, type Naming } from './naming.ts'

/**
 * Translates a virtual Service's DNS name, `<name>.<namespace>.svc` with or without a cluster
 * domain, to the host. Other names, and names of objects that are not synced, are returned
 * unchanged. Source: specification, "Expression helpers"; facts 6.5.
 */
export function virtualToHostDns(domain: string, naming: Naming): string {
  const match = /^([^.]+)\.([^.]+)\.svc(\..+)?$/.exec(domain)
  if (match === null) return domain
  const [, name = '', namespace = '', rest = ''] = match
  const host = hostServiceName({ name, namespace }, naming)
  return host === undefined ? domain : `${host.name}.${host.namespace}.svc${rest}`
}
