import { apiVersion, type ApiObject } from '../support/objects.ts'
import type { Scenario } from '../support/scenario.ts'
import type { KubectlContext } from './kubectlContext.ts'

export type KubectlScenario = Scenario<KubectlContext>

/** Names of a shared secret and a user in kubectl's output. */
export const secretName = (name: string) => `sharedsecret.management.platform/${name}`
export const userName = (name: string) => `user.management.platform/${name}`

/** Shared secret without a namespace: kubectl fills in that of the scenario. */
export function secret(name: string, spec: Record<string, unknown> = {}): ApiObject {
  const data = { password: 'c2VjcmV0' }
  return {
    apiVersion,
    kind: 'SharedSecret',
    metadata: { name },
    spec: { displayName: 'First', description: 'made by a test', data, ...spec },
  }
}

export function labelled(object: ApiObject, labels: Record<string, string>): ApiObject {
  return { ...object, metadata: { ...object.metadata, labels } }
}
