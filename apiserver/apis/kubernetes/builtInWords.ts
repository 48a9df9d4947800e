import type { Schema } from '../../meta/schema.ts'
import builtInTypes from './builtInTypes.json' with { type: 'json' }

const packages: Readonly<Record<string, Readonly<Record<string, string>>>> = builtInTypes

/** Packages of Go types: `apps/v1`. */
export const packageNames = Object.keys(builtInTypes)

/** The words of a type of a package; under `=Name` the values of an enumeration. undefined: there is no such type. */
export function typeWords(packageName: string, type: string): string | undefined {
  const types = packages[packageName]
  return types !== undefined && Object.hasOwn(types, type) ? types[type] : undefined
}

/** A type in builtInTypes.json: `|word… field…`. */
export interface TypeWords {
  /** The rules of the type itself: its map type, its union. */
  own: Schema
  fields: readonly FieldWords[]
}

/** Reads the line of a struct, without its name. */
export function parseType(line: string): TypeWords {
  const words = line.split(' ').filter((word) => word !== '')
  const own = words.filter((word) => word.startsWith('|')).map((word) => rule(word.slice(1)))
  return {
    own: Object.assign({}, ...own) as Schema,
    fields: words.filter((word) => !word.startsWith('|')).map(parseField),
  }
}

/** Prefix of definition names, by package: `io.k8s.api.apps.v1`. */
export function definitionPrefix(packageName: string): string {
  const name = packageName.replace('/', '.')
  if (name.startsWith('apiregistration.')) return `io.k8s.kube-aggregator.pkg.apis.${name}`
  if (name.startsWith('apiextensions.')) return `io.k8s.apiextensions-apiserver.pkg.apis.${name}`
  if (packageName === 'pkg/version') return `${machinery}.version`
  return packageName === 'meta/v1' ? `${machinery}.apis.${name}` : `io.k8s.api.${name}`
}

/** The package and the name of the type that a word names: one of the same package stands there alone. */
export function typePlace(word: string, packageName: string): [packageName: string, type: string] {
  const [first = '', second] = word.split('.')
  return second === undefined ? [packageName, first] : [first, second]
}

export const machinery = 'io.k8s.apimachinery.pkg'

/** A field as hack/kubernetes/kubernetesTypes.go writes it: `ports:[]Port?|l=map:port,protocol|p=merge:port`. */
export interface FieldWords {
  name: string
  type: string
  isRequired: boolean
  isOmittedEmpty: boolean
  isAlwaysThere: boolean
  /** Always present; null if it is unset. */
  isNullable: boolean
  rules: readonly string[]
}

function parseField(word: string): FieldWords {
  const at = word.indexOf(':')
  const [typed = '', ...rules] = word.slice(at + 1).split('|')
  return {
    name: word.slice(0, at),
    type: typed.replace(/[!?+-]+$/, ''),
    isRequired: typed.includes('!'),
    isOmittedEmpty: typed.endsWith('?'),
    isAlwaysThere: typed.endsWith('+'),
    isNullable: typed.endsWith('-'),
    rules,
  }
}

/** The rules of a field in the schema's words: `l` list type, `m` map type, `p` patch strategy, `d` default. */
export function fieldRules(rules: readonly string[]): Schema {
  return Object.assign({}, ...rules.map(rule)) as Schema
}

/** The enumeration that a field's values or elements are of, by its type (`PullPolicy`, `core/v1.Protocol`). */
export function enumOf(rules: readonly string[]): string | undefined {
  return rules.find((text) => text.startsWith('e='))?.slice(2)
}

function rule(text: string): Schema {
  const value = text.slice(2)
  switch (text.slice(0, 1)) {
    case 'l':
      return listRule(value)
    case 'm':
      return { 'x-kubernetes-map-type': value === 'atomic' ? 'atomic' : 'granular' }
    case 'u':
      return { 'x-kubernetes-unions': [JSON.parse(value) as unknown] }
    case 'p':
      return patchRule(value)
    case 'd':
      return { default: JSON.parse(value) as unknown }
    default:
      return {}
  }
}

function listRule(value: string): Schema {
  const [type = '', keys] = value.split(':')
  return {
    'x-kubernetes-list-type': type === 'map' || type === 'set' ? type : 'atomic',
    ...(keys === undefined ? {} : { 'x-kubernetes-list-map-keys': keys.split(',') }),
  }
}

function patchRule(value: string): Schema {
  const [strategy = '', key] = value.split(':')
  return {
    'x-kubernetes-patch-strategy': strategy,
    ...(key === undefined ? {} : { 'x-kubernetes-patch-merge-key': key }),
  }
}
