import { goQuote } from '../../meta/goQuote.ts'
import { itemsOf } from '../../cel/values/lists.ts'
import { entriesOf, isMapping } from '../../cel/values/mapping.ts'
import { StructValue } from '../../cel/values/structValue.ts'
import { visit, visiting } from '../../cel/values/visits.ts'

/**
 * Errors for values whose type name does not match their path: the value of `spec` in `Object` must
 * be an `Object.spec`. Items and members have the type name of their list or map. Source: seen on
 * kube-apiserver 1.37.2.
 */
export function typeNameProblems(value: StructValue): string[] {
  return visiting(() => problems(value, value.typeName))
}

function problems(value: unknown, path: string): string[] {
  visit()
  if (value instanceof StructValue) {
    const { typeName } = value
    const own =
      typeName === path
        ? []
        : [
            `unexpected type name ${goQuote(typeName)}, expected ${goQuote(path)}, which matches field name path from root Object type`,
          ]
    const below = [...value.keys()].flatMap((name) => problems(value.find(name), `${path}.${name}`))
    return [...own, ...below]
  }
  const items = itemsOf(value)
  if (items !== undefined) return items.flatMap((item) => problems(item, path))
  if (!isMapping(value)) return []
  return [...entriesOf(value)].flatMap(([, member]) => problems(member, path))
}
