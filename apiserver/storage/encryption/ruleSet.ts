import { parseGroupResource } from './encryptionConfiguration.ts'
import type { Transformer } from './transformer.ts'

/** Providers by resource. The more specific of two rules takes precedence. */
export class RuleSet {
  readonly #byResource = new Map<string, readonly Transformer[]>()
  /** Rules by the first part of a storage key, which identifies a resource of one plane. */
  readonly #byFolder = new Map<string, readonly Transformer[] | undefined>()

  /** Adds providers for a resource; providers of an earlier rule for it come first. */
  add(resource: string, transformers: readonly Transformer[]): void {
    const { group, resource: plural } = parseGroupResource(resource)
    const name = `${group}/${plural}`
    this.#byResource.set(name, [...(this.#byResource.get(name) ?? []), ...transformers])
  }

  /** Providers of the object with a key; undefined: no rule applies. */
  of(key: string): readonly Transformer[] | undefined {
    const folder = folderOf(key)
    if (!this.#byFolder.has(folder)) {
      // Planes are created and deleted.
      if (this.#byFolder.size >= maxFolders) this.#byFolder.clear()
      this.#byFolder.set(folder, this.#ruleOf(folder))
    }
    return this.#byFolder.get(folder)
  }

  #ruleOf(folder: string): readonly Transformer[] | undefined {
    const [plural = '', name = ''] = folder.split('/').reverse()
    const group = name === 'core' ? '' : name
    const candidates = [`${group}/${plural}`, `${group}/*`, '*/*']
    return candidates.map((one) => this.#byResource.get(one)).find((found) => found !== undefined)
  }
}

const maxFolders = 10_000

/** Part of a key that identifies the resource: `/management/<group>/<plural>` and `/planes/<uid>/<group>/<plural>`. */
function folderOf(key: string): string {
  let end = key.indexOf('/', 1)
  const parts = key.startsWith('/planes/') ? 3 : 2
  for (let left = parts; left > 0 && end >= 0; left--) end = key.indexOf('/', end + 1)
  return end < 0 ? key : key.slice(0, end)
}
