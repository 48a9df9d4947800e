import type { ApiClient } from './client.ts'
import { Rights, type PathRule, type Rule } from './rights.ts'

/** A name that no namespace has, so that its rules are those for all namespaces. */
const allNamespaces = 'no.namespace'

interface RulesReview {
  status: {
    resourceRules?: Rule[]
    nonResourceRules?: PathRule[]
    incomplete?: boolean
    evaluationError?: string
  }
}

/** Rights of the user, queried once per namespace, so that requests that would be refused are not sent. */
export class Access {
  readonly #client: ApiClient
  readonly #rights = new Map<string, Promise<Rights>>()

  constructor(client: ApiClient) {
    this.#client = client
  }

  /** Rights in a namespace; empty: in all namespaces. */
  in(namespace: string): Promise<Rights> {
    const known = this.#rights.get(namespace)
    if (known !== undefined) return known
    const asked = this.#ask(namespace === '' ? allNamespaces : namespace)
    this.#rights.set(namespace, asked)
    asked.catch(() => this.#rights.delete(namespace))
    return asked
  }

  /** Drops cached rights, which may have changed. */
  forget(): void {
    this.#rights.clear()
  }

  async #ask(namespace: string): Promise<Rights> {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace },
    }
    const { status } = await this.#client.call<RulesReview>(path, { method: 'POST', body })
    const { resourceRules = [], nonResourceRules = [], incomplete = false } = status
    const { evaluationError = '' } = status
    // A role that does not exist grants nothing, so the list is complete without it.
    const isIncomplete = incomplete && !evaluationError.endsWith('not found')
    return new Rights(resourceRules, isIncomplete, nonResourceRules)
  }
}
