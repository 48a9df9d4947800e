import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { inNamespace } from '../../runCase.ts'

/** Object of a kind, from which requests are derived. */
export interface Seed {
  /** Path of the collection: `/api/v1/namespaces/case/pods`. */
  path: string
  /** Path of the object: `/api/v1/namespaces/case/pods/a`. */
  address: string
  /** Unique title: `pods`, `horizontalpodautoscalers.v1.autoscaling`. */
  title: string
  /** Object, named `a` unless the kind has a rule for names. */
  body: SeedObject
  /** Another object of the same kind, which no server stores. */
  second: SeedObject
  /** Subresources with the same body. */
  subresources: readonly string[]
  /** Headers of a create. */
  headers: Readonly<Record<string, string>>
  /** True if the object is a review that is not stored. */
  isAsked: boolean
}

export interface SeedObject {
  kind: string
  apiVersion: string
  metadata: { name: string; namespace?: string }
  [field: string]: unknown
}

interface GivenSeed {
  path: string
  body: { kind: string; apiVersion: string; metadata?: object }
  subresources?: string[]
  other?: Record<string, string>
  headers?: Record<string, string>
  isAsked?: boolean
}

/** Namespace of the objects of all seeds. */
export const seedNamespace = 'case'

export function readSeeds(): Seed[] {
  // The file is part of this folder.
  const given = parse(readFileSync(join(import.meta.dirname, 'seeds.yaml'), 'utf8')) as GivenSeed[]
  return given.map(seedOf)
}

function seedOf({
  subresources = [],
  isAsked = false,
  other,
  headers = {},
  ...given
}: GivenSeed): Seed {
  const { path, body } = inNamespace(given, seedNamespace) as GivenSeed
  const first = named(body, 'a')
  const second = other === undefined ? named(body, 'b', true) : replaced(first, other)
  const title = titleOf(path, isAsked)
  const address = `${path}/${first.metadata.name}`
  return { path, address, title, body: first, second, subresources, headers, isAsked }
}

function titleOf(path: string, isAsked: boolean): string {
  const [, group, version] = /^\/apis\/([^/]+)\/([^/]+)\//.exec(path) ?? []
  const plural = path.split('/').at(-1) ?? ''
  return group === undefined || isAsked ? plural : `${plural}.${version}.${group}`
}

function named({ kind, apiVersion, ...rest }: GivenSeed['body'], name: string, always = false) {
  const { metadata, ...content } = rest
  const whole = always ? { ...metadata, name } : { name, ...metadata }
  return { kind, apiVersion, metadata: whole, ...content }
}

function replaced(object: SeedObject, other: Record<string, string>): SeedObject {
  let text = JSON.stringify(object)
  for (const [from, to] of Object.entries(other)) text = text.replaceAll(from, to)
  // The text was created from an object of this type.
  return JSON.parse(text) as SeedObject
}
