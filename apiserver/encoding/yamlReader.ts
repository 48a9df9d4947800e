import type * as Yaml from 'yaml'
import { deepContent, exceededDepth } from '../meta/json/deepContent.ts'
import { goQuote } from '../meta/goQuote.ts'
import { setMember } from '../meta/json/plainMembers.ts'
import { badRequest } from '../meta/statusErrors.ts'
import { maxYamlDepth } from './yamlParser.ts'
import { resolvePlain, resolveTagged, type Scalar } from './yamlScalars.ts'

/**
 * Maximum nodes and characters that aliases may add to a document: far above hand-written documents, far below memory
 * exhaustion.
 */
const maxAliasNodes = 100_000
const maxAliasCharacters = 3 * 1024 * 1024

type Node = Yaml.Node | null

/**
 * Converts one YAML document to JSON values, like sigs.k8s.io/yaml. Aliases are copied, so the result is a tree. A key
 * `__proto__` is an ordinary key.
 */
export class YamlReader {
  /** Messages such as `line 5: key "a" already set in map`, in the order in which the repeats end. */
  readonly duplicates = new Set<string>()
  readonly #yaml: typeof Yaml
  readonly #lineOf: (offset: number) => number
  readonly #deep: ReadonlyMap<number, '[' | '{'>
  readonly #anchors = new Map<string, Yaml.Node>()
  /** Targets of aliases, resolved when first met: later anchors of the same name do not affect them. */
  readonly #targets = new Map<Yaml.Alias, Yaml.Node>()
  readonly #open = new Set<Yaml.Alias>()
  #aliasNodes = 0
  #aliasCharacters = 0

  /** `deep`: offsets of uninspected content, from firstYamlDocument(). */
  constructor(
    yaml: typeof Yaml,
    lineOf: (offset: number) => number,
    deep: ReadonlyMap<number, '[' | '{'>,
  ) {
    this.#yaml = yaml
    this.#lineOf = lineOf
    this.#deep = deep
  }

  /** Converts a node. @throws StatusError 400 */
  read(node: Node, depth = 0): unknown {
    if (depth > maxYamlDepth) throw exceededDepth(this.#yaml.isSeq(node) ? '[' : '{')
    if (node === null) return null
    if (this.#open.size > 0) this.#countAliasNode(node)
    if (this.#yaml.isAlias(node)) return this.#alias(node, (target) => this.read(target, depth))
    if (node.anchor !== undefined && this.#open.size === 0) this.#anchors.set(node.anchor, node)
    if (this.#yaml.isSeq<Node>(node)) return node.items.map((item) => this.read(item, depth + 1))
    if (this.#yaml.isMap<Node, Node>(node)) return this.#map(node, {}, depth)
    return this.#yaml.isScalar(node) ? this.#scalar(node) : null
  }

  #scalar(node: Yaml.Scalar): unknown {
    const bracket = this.#deep.get(node.range?.[0] ?? -1)
    return bracket === undefined ? finite(scalarValue(node)) : deepContent(bracket)
  }

  #alias(alias: Yaml.Alias, read: (target: Yaml.Node) => unknown): unknown {
    const target = this.#target(alias)
    if (this.#open.has(alias))
      throw badRequest(`yaml: anchor '${alias.source}' value contains itself`)
    this.#open.add(alias)
    const value = read(target)
    this.#open.delete(alias)
    return value
  }

  #target(alias: Yaml.Alias): Yaml.Node {
    const target = this.#targets.get(alias) ?? this.#anchors.get(alias.source)
    if (target === undefined) throw badRequest(`yaml: unknown anchor '${alias.source}' referenced`)
    this.#targets.set(alias, target)
    return target
  }

  #countAliasNode(node: Yaml.Node): void {
    this.#aliasNodes++
    if (this.#yaml.isScalar(node)) this.#aliasCharacters += textOf(node).length
    if (this.#aliasNodes > maxAliasNodes || this.#aliasCharacters > maxAliasCharacters) {
      throw badRequest('yaml: document contains excessive aliasing')
    }
  }

  #map(map: Yaml.YAMLMap<Node, Node>, into: Record<string, unknown>, depth: number) {
    for (const { key, value } of map.items) {
      if (isMergeKey(key)) this.#merge(value, into, depth)
      else this.#member(into, this.#key(key, depth), { node: value, depth })
    }
    return into
  }

  #member(
    into: Record<string, unknown>,
    key: Scalar,
    { node, depth }: { node: Node; depth: number },
  ) {
    const name = keyText(key)
    const value = this.read(node, depth + 1)
    if (Object.hasOwn(into, name)) {
      const line = this.#lineOf(node?.range?.[0] ?? 0)
      const shown = typeof key === 'string' ? goQuote(key) : name
      this.duplicates.add(`line ${line}: key ${shown} already set in map`)
    }
    setMember(into, name, value)
  }

  #key(node: Node, depth: number): Scalar {
    const key = this.read(node, depth + 1)
    if (typeof key !== 'object' || key === null) return toScalar(key)
    throw badRequest(`yaml: invalid map key: ${JSON.stringify(key)}`)
  }

  /**
   * Merges `<<`: the members of a map, of an alias of a map, or of a list of these, in which the
   * first takes precedence. They are ordered like other members.
   */
  #merge(node: Node, into: Record<string, unknown>, depth: number): void {
    const mergeMap = (source: Node) => {
      if (this.#yaml.isMap<Node, Node>(source)) return this.#map(source, into, depth)
      throw badRequest('yaml: map merge requires map or sequence of maps as the value')
    }
    const sources = this.#yaml.isSeq<Node>(node) ? node.items.toReversed() : [node]
    for (const source of sources) {
      if (this.#yaml.isAlias(source)) this.#alias(source, mergeMap)
      else mergeMap(source)
    }
  }
}

function scalarValue(node: Yaml.Scalar): Scalar {
  const text = textOf(node)
  if (node.tag !== undefined) return resolveTagged(node.tag, text)
  return node.type === 'PLAIN' ? resolvePlain(text) : text
}

/** The string of a scalar; the failsafe schema yields strings only. */
function textOf({ value }: Yaml.Scalar): string {
  return typeof value === 'string' ? value : ''
}

function finite(value: Scalar): Scalar {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  const shown = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  throw badRequest(`json: unsupported value: ${shown}`)
}

function toScalar(value: unknown): Scalar {
  const isScalar = ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
  return isScalar ? (value as Scalar) : null
}

function keyText(key: Scalar): string {
  if (key === null) throw badRequest('unsupported map key of type: %!s(<nil>)')
  return String(key)
}

function isMergeKey(key: Node): boolean {
  if (key === null || !('value' in key) || key.value !== '<<') return false
  return 'type' in key && key.type === 'PLAIN'
}
