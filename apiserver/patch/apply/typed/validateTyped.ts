import type { FieldType, ListType, MapType, ScalarType } from './fieldType.ts'
import { goSyntax, goType, goValue } from './goText.ts'
import { itemElement } from './listItems.ts'
import { elementString } from '../fields/pathElement.ts'
import { formOf, isFields, noForm, TypedValueError } from './typedValue.ts'

export interface ValidationOptions {
  /** True if sets and map lists may contain duplicates, like objects from before a schema change. */
  allowDuplicates?: boolean
}

/**
 * Checks that a value matches its type: only declared fields, the declared forms, distinct items.
 * @throws TypedValueError with every problem and its path.
 * Source: structured-merge-diff, validation of typed values; reference 3.12.
 */
export function validateTyped(
  value: unknown,
  type: FieldType,
  options: ValidationOptions = {},
): void {
  const validator = new Validator(options)
  validator.visit(value, type, '')
  if (validator.problems.length > 0) throw new TypedValueError(validator.problems)
}

class Validator {
  readonly problems: string[] = []
  readonly #options: ValidationOptions

  constructor(options: ValidationOptions) {
    this.#options = options
  }

  visit(value: unknown, type: FieldType, path: string): void {
    const form = formOf(value, type)
    switch (form?.form) {
      case 'map':
        return this.#visitMap(value, form, path)
      case 'list':
        return this.#visitList(value, form, path)
      case 'scalar':
        return this.#report(path, scalarProblem(value, form))
      case undefined:
        return this.#report(path, noForm().message)
    }
  }

  #visitMap(value: unknown, map: MapType, path: string): void {
    if (value === null) return
    if (!isFields(value)) return this.#report(path, `expected map, got &{${goValue(value)}}`)
    for (const name in value) {
      const type = map.fields.get(name)?.type ?? map.elements
      // Same as the real library, which stops checking this map.
      if (type === undefined) return this.#report(`${path}.${name}`, 'field not declared in schema')
      if (value[name] !== undefined) this.visit(value[name], type, `${path}.${name}`)
    }
  }

  #visitList(value: unknown, list: ListType, path: string): void {
    if (value === null) return
    if (!Array.isArray(value)) return this.#report(path, `expected list, got &{${goValue(value)}}`)
    const seen = new Set<string>()
    for (const [index, item] of value.entries()) {
      const element = list.isAtomic ? `i:${index}` : this.#element(item, list, [path, index])
      // Without its element, problems below an item cannot be located.
      if (element === undefined) return
      if (seen.has(element) && this.#options.allowDuplicates !== true) {
        this.#report(path, `duplicate entries for key ${elementString(element)}`)
      }
      seen.add(element)
      this.visit(item, list.items, `${path}${elementString(element)}`)
    }
  }

  #element(item: unknown, list: ListType, [path, index]: [string, number]): string | undefined {
    try {
      return itemElement(item, list, index)
    } catch (error) {
      if (!(error instanceof TypedValueError)) throw error
      this.#report(path, error.message)
      return undefined
    }
  }

  #report(path: string, problem: string | undefined): void {
    if (problem !== undefined) this.problems.push(path === '' ? problem : `${path}: ${problem}`)
  }
}

/** The problem of a scalar; undefined: none. null matches all types. */
export function scalarProblem(value: unknown, { of }: ScalarType): string | undefined {
  if (value === null || value === undefined) return undefined
  switch (of) {
    case 'numeric':
      if (typeof value === 'number' || typeof value === 'bigint') return undefined
      return `expected numeric (int or float), got ${goType(value)}`
    case 'string':
      if (typeof value === 'string') return undefined
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`
    case 'boolean':
      if (typeof value === 'boolean') return undefined
      return `expected boolean, got &{${goValue(value)}}`
    case 'untyped':
      if (typeof value !== 'object') return undefined
      return `expected any scalar, got &{${goValue(value)}}`
  }
}
