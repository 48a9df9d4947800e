import type { ApiObject } from '../../support/objects.ts'
import type { KubectlContext } from '../kubectlContext.ts'

interface DataObject extends ApiObject {
  data?: Record<string, string>
  stringData?: Record<string, string>
}

/** Config map without a namespace: kubectl fills in that of the scenario. */
export function configMap(name: string, data: Record<string, string> = {}): DataObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
}

export function coreSecret(name: string, data: Record<string, string> = {}): DataObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: data }
}

interface Port {
  port: number
  name?: string
}

export function service(name: string, ...ports: Port[]): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports },
  }
}

interface ManagedFields {
  manager: string
  operation: string
  subresource?: string
  fieldsV1: unknown
}

/** Field owners of an object: `manager Operation` with its field set. */
export async function ownersOf(
  { kubectl }: KubectlContext,
  name: string,
): Promise<Record<string, unknown>> {
  const text = await kubectl.ok(`get ${name} -o json --show-managed-fields`)
  const { metadata } = JSON.parse(text) as { metadata: { managedFields?: ManagedFields[] } }
  const entries = (metadata.managedFields ?? []).map(
    ({ manager, operation, subresource, fieldsV1 }) => [
      `${manager} ${operation}${subresource === undefined ? '' : `/${subresource}`}`,
      fieldsV1,
    ],
  )
  return Object.fromEntries(entries) as Record<string, unknown>
}

/** Output of kubectl for a deleted object; it contains the namespace since 1.34. */
export function deletedLine({ kubectl, namespace }: KubectlContext, what: string): string {
  return `${what} deleted${kubectl.minor >= 34 ? ` from ${namespace} namespace` : ''}\n`
}
