import { listOf, mapOf, optionalOf, parameter, part, typeNamed, type CelType } from './types.ts'

export interface Overload {
  /** The signature. */
  text: string
  /** Identifier for the cost of the overload, if that differs from the function's. */
  id: string
  isMethod: boolean
  /** Types of the arguments; the receiver of a method comes first. */
  args: readonly CelType[]
  result: CelType
}

/** Parses the signature of a form, such as `.string,int list(string) #split`. */
export function signature(text: string): Overload {
  const [args = '', result = 'dyn', id = ''] = text.split(' ')
  const isMethod = args.startsWith('.')
  const plain = isMethod ? args.slice(1) : args
  return {
    text,
    id: id.slice(1),
    isMethod,
    args: typesOf(plain),
    result: part(tuple(result), 0),
  }
}

function typesOf(text: string): readonly CelType[] {
  return text === '' ? [] : tuple(text).of
}

/** Comma-separated types. */
function tuple(text: string): CelType {
  const texts = text.match(/[\w.]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?/g) ?? []
  return { kind: 'opaque', name: 'tuple', of: texts.map(typeOf) }
}

function typeOf(text: string): CelType {
  const [, name = text, inner = ''] = /^([\w.]+)\((.*)\)$/.exec(text) ?? []
  const { of } = tuple(inner)
  const [first, second] = of
  if (first === undefined) return /^[A-Z]$/.test(name) ? parameter(name) : typeNamed(name)
  if (second !== undefined) return mapOf(first, second)
  return name === 'list' ? listOf(first) : optionalOf(first)
}
