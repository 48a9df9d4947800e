import type { Schema } from '../../meta/schema.ts'
import builtInTypes from './builtInTypes.json' with { type: 'json' }

const packages: Readonly<Record<string, Readonly<Record<string, string>>>> = builtInTypes

/** Packages of Go types: `apps/v1`. */
export const packageNames = Object.keys(builtInTypes)

/** Types of a package that are structs. */
export function typeNames(packageName: string): string[] {
  return Object.keys(packages[packageName] ?? {}).filter((name) => !name.startsWith('='))
}

/**
 * Description of a type of a package, or the values of an enumeration for `=Name`; undefined:
 * unknown type.
 */
export function typeWords(packageName: string, type: string): string | undefined {
  const types = packages[packageName]
  return types !== undefined && Object.hasOwn(types, type) ? types[type] : undefined
}

/**
 * Type in builtInTypes.json: `|word… field…`.
 */
export interface TypeWords {
  /** Rules of the type itself: its map type, its union. */
  own: Schema
  fields: readonly FieldWords[]
}

/** Parses the line of a struct, without its name. */
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

/** Package and name of the type of a field; a type of the same package is written without the package. */
export function typePlace(word: string, packageName: string): [packageName: string, type: string] {
  const [first = '', second] = word.split('.')
  return second === undefined ? [packageName, first] : [first, second]
}

export const machinery = 'io.k8s.apimachinery.pkg'

/**
 * Field as written by hack/kubernetes/kubernetesTypes.go: `ports:[]Port?|l=map:port,protocol|p=merge:port`.
 */
export interface FieldWords {
  name: string
  type: string
  isRequired: boolean
  isOmittedEmpty: boolean
  isAlwaysThere: boolean
  /** True for a field that is always present, and null if unset. */
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

/** Rules of the field as schema keywords: `l` list type, `m` map type, `p` patch strategy, `d` default. */
export function fieldRules(rules: readonly string[]): Schema {
  return Object.assign({}, ...rules.map(rule)) as Schema
}

/** Enumeration of the field's values or elements, by its type (`PullPolicy`, `core/v1.Protocol`). */
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
