import type { Schema } from '../../meta/schema.ts'

/** A field as hack/kubernetesTypes.go writes it: `ports:[]Port?|l=map:port,protocol|p=merge:port`. */
export interface FieldWords {
  name: string
  type: string
  isRequired: boolean
  isOmittedEmpty: boolean
  isAlwaysThere: boolean
  /** Always there, and null where there is none. */
  isNullable: boolean
  rules: readonly string[]
}

export function parseField(word: string): FieldWords {
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

function rule(text: string): Schema {
  const value = text.slice(2)
  switch (text.slice(0, 1)) {
    case 'l':
      return listRule(value)
    case 'm':
      return { 'x-kubernetes-map-type': value === 'atomic' ? 'atomic' : 'granular' }
    case 'p':
      return patchRule(value)
    default:
      return { default: JSON.parse(value) as unknown }
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
