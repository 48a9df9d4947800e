import type { Kind } from './kinds.ts'

/** Rule of a rules review. Source: Kubernetes API, authorization/v1 ResourceRule. */
export interface Rule {
  verbs: readonly string[]
  apiGroups?: readonly string[]
  resources?: readonly string[]
  resourceNames?: readonly string[]
}

/** Rights of a user in one namespace, or in all if it is empty. */
export class Rights {
  readonly #rules: readonly Rule[]
  readonly #isIncomplete: boolean
  readonly #paths: readonly PathRule[]

  /** @param paths rules for non-resource paths. */
  constructor(rules: readonly Rule[], isIncomplete: boolean, paths: readonly PathRule[] = []) {
    this.#rules = rules
    this.#paths = paths
    this.#isIncomplete = isIncomplete
  }

  /**
   * Reports whether the rules allow an action. If the server could not list all rules, every action counts as allowed:
   * the request decides.
   */
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

  /** Reports whether the rules allow a verb on a path such as `/metrics`. */
  allowPath(verb: string, path: string): boolean {
    const covers = (pattern: string) =>
      pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)))
    return (
      this.#isIncomplete ||
      this.#paths.some(
        ({ verbs, nonResourceURLs = [] }) => has(verbs, verb) && nonResourceURLs.some(covers),
      )
    )
  }
}

/** Rule for paths. Source: Kubernetes API, authorization/v1 NonResourceRule. */
export interface PathRule {
  verbs: readonly string[]
  nonResourceURLs?: readonly string[]
}

export interface Asked {
  subresource?: string
  name?: string
}

function has(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value)
}
