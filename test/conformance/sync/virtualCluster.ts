import { apiVersion, type ApiObject } from '../support/objects.ts'

/** Names of the project, the instance, and the host namespace. */
export const project = 'shop'
export const projectNamespace = `p-${project}`
export const cluster = 'one'
export const instance = 'web'
export const hostNamespace = 'team'

const reference = { apiVersion: 'v1', kind: 'Secret' }

/** Sample of each kind of patch. */
export const firstPatches = [
  {
    path: 'metadata.annotations["team"]',
    expression: '"host-" + value',
    reverseExpression: 'value.slice("host-".length)',
  },
  { path: 'metadata.annotations["cluster"]', expression: '"constant"' },
  { path: 'metadata.annotations["password-from"]', reference },
  { path: 'metadata.annotations', labels: {} },
  { path: 'subsets[*].ports[*].name', expression: '`${context.vcluster.name}-${value}`' },
]

/** Values of a chart as JSON, which is valid YAML. */
export function values(patches: readonly object[]): string {
  return JSON.stringify({ sync: { toHost: { endpoints: { enabled: true, patches } } } })
}

export function synced(patches: readonly object[], name = instance): ApiObject {
  return {
    apiVersion,
    kind: 'VirtualClusterInstance',
    metadata: { name, namespace: projectNamespace },
    spec: {
      clusterRef: { cluster, namespace: hostNamespace },
      template: {
        accessPoint: { ingress: { enabled: true } },
        helmRelease: { values: values(patches) },
      },
    },
  }
}

export function service(name: string): ApiObject {
  const metadata = { name, namespace: 'default' }
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 5432 }] } }
}

interface Texts {
  annotations?: Record<string, string>
  labels?: Record<string, string>
}

export function endpoints(name: string, ip: string, texts: Texts = {}): ApiObject & Subsets {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, namespace: 'default', ...texts },
    subsets: [{ addresses: [{ ip }], ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }] }],
  }
}

interface Subsets {
  subsets: unknown[]
}

export function hostName(name: string): string {
  return `${name}-x-default-x-${instance}`
}
