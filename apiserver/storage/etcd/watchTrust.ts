/**
 * Reports whether a progress notification of this version of etcd means that all events up to its
 * revision were sent. Before 3.4.25 and 3.5.8 it may run ahead of them. Source: etcd issue 15220.
 */
export function keepsProgressInOrder(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => parseInt(part, 10))
  if (major !== 3) return major > 3
  if (minor === 4) return patch >= 25
  return minor === 5 ? patch >= 8 : minor > 5
}
