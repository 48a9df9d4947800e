import type { Kind } from './kinds.ts'

/** Rule of a rules review. Source: Kubernetes API, authorization/v1 ResourceRule. */
export interface Rule {
  verbs: readonly string[]
  apiGroups?: readonly string[]
  resources?: readonly string[]
  resourceNames?: readonly string[]
}

/** Rights of a user in one namespace or, with an empty one, in all. */
export class Rights {
  readonly #rules: readonly Rule[]
  readonly #isIncomplete: boolean

  constructor(rules: readonly Rule[], isIncomplete: boolean) {
    this.#rules = rules
    this.#isIncomplete = isIncomplete
  }

  /** Whether the rules allow it. Rules that the server could not list count as allowing: the request decides. */
  allow(verb: string, kind: Pick<Kind, 'group' | 'plural'>, more: Asked = {}): boolean {
    const { subresource = '', name = '' } = more
    const resource = subresource === '' ? kind.plural : `${kind.plural}/${subresource}`
    return (
      this.#isIncomplete ||
      this.#rules.some(
        ({ verbs, apiGroups = [], resources = [], resourceNames = [] }) =>
          has(verbs, verb) &&
          has(apiGroups, kind.group) &&
          (has(resources, resource) || resources.includes(`*/${subresource}`)) &&
          (resourceNames.length === 0 || resourceNames.includes(name)),
      )
    )
  }
}

export interface Asked {
  subresource?: string
  name?: string
}

function has(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value)
}
