import { delimiter, join } from 'node:path'
import { existsSync } from 'node:fs'
import type { Document, YAMLMap, YAMLSeq } from '../base/yaml.ts'
import type { Call } from '../base/commandSpec.ts'
import { CliError } from '../base/cliError.ts'
import { homeFolder } from '../base/homeFolder.ts'
import { readIfAny, underLock, writePrivate } from '../base/privateFile.ts'

/** Cluster, user and context with the same name. */
export interface KubeEntry {
  name: string
  cluster: Record<string, unknown>
  user: Record<string, unknown>
  namespace?: string | undefined
}

type Section = 'clusters' | 'contexts' | 'users'

/** Kubeconfig to change: `--kubeconfig`, otherwise the first existing file of KUBECONFIG, otherwise the default. */
export function kubeconfigPath({ flags, env }: Pick<Call, 'flags' | 'env'>): string {
  const given = flags.string('kubeconfig')
  if (given !== undefined) return given
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '')
  return listed.find(existsSync) ?? listed[0] ?? join(homeFolder(), '.kube', 'config')
}

/** Kubeconfig with a single entry. */
export function standaloneKubeconfig(entry: KubeEntry): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: entry.name, cluster: entry.cluster }],
    users: [{ name: entry.name, user: entry.user }],
    contexts: [{ name: entry.name, context: contextOf(entry) }],
    'current-context': entry.name,
  }
}

function contextOf({ name, namespace }: KubeEntry): Record<string, unknown> {
  return { cluster: name, user: name, ...(namespace === undefined ? {} : { namespace }) }
}

/**
 * Changes a kubeconfig atomically, under kubectl's own lock. Preserves everything else, including comments and fields
 * of other programs, which a client library would drop.
 */
export async function changeKubeconfig(
  path: string,
  change: (config: Kubeconfig) => void,
): Promise<void> {
  const { parseDocument } = await import('../base/yaml.ts')
  await underLock(path, async () => {
    const before = (await readIfAny(path)) ?? ''
    const empty = 'apiVersion: v1\nkind: Config\n'
    const document = parseDocument(before.trim() === '' ? empty : before)
    const [error] = document.errors
    if (error !== undefined) {
      const hint = 'Mend it, or name another file with --kubeconfig.'
      throw new CliError(`${path} is not valid YAML: ${error.message.split('\n')[0]}`, { hint })
    }
    change(new Kubeconfig(document))
    await writePrivate(path, document.toString({ lineWidth: 0 }))
  })
}

/** Kubeconfig in the form in which it was read. */
export class Kubeconfig {
  readonly #document: Document

  constructor(document: Document) {
    this.#document = document
  }

  get current(): string | undefined {
    const current = this.#document.get('current-context')
    return typeof current === 'string' && current !== '' ? current : undefined
  }

  use(context: string | undefined): void {
    this.#document.set('current-context', context ?? '')
  }

  /** Names of contexts. */
  get contexts(): string[] {
    return this.#items('contexts').map(nameOf)
  }

  /** Adds an entry, or replaces the one with the same name. */
  set(entry: KubeEntry): void {
    this.#set('clusters', entry.name, { cluster: entry.cluster })
    this.#set('users', entry.name, { user: entry.user })
    this.#set('contexts', entry.name, { context: contextOf(entry) })
  }

  delete(name: string): void {
    for (const section of ['clusters', 'users', 'contexts'] as const) {
      const list = this.#list(section)
      const index = this.#items(section).findIndex((item) => nameOf(item) === name)
      if (index >= 0) list?.delete(index)
    }
  }

  #set(section: Section, name: string, value: Record<string, unknown>): void {
    const item = this.#document.createNode({ name, ...value })
    const list = this.#list(section)
    if (list === undefined) return this.#document.set(section, this.#document.createNode([item]))
    const index = this.#items(section).findIndex((known) => nameOf(known) === name)
    // Otherwise a list written as `[]` would be kept on one line.
    list.flow = false
    if (index >= 0) list.set(index, item)
    else list.add(item)
  }

  #list(section: Section): YAMLSeq | undefined {
    const found = this.#document.get(section)
    // Sound: sections are lists; an empty one is null.
    return found === null || found === undefined ? undefined : (found as YAMLSeq)
  }

  #items(section: Section): YAMLMap[] {
    // Sound: items of these sections are objects.
    return (this.#list(section)?.items ?? []) as YAMLMap[]
  }
}

function nameOf(item: YAMLMap): string {
  return String(item.get('name'))
}
