import { forbiddenField, type FieldError } from '../../meta/fieldErrors.ts'
import { largest } from './ranges.ts'
import { maxRequestBytes } from '../types/schemaTypes.ts'
import type { JsonSchemaProps } from '../../meta/jsonSchemaProps.ts'

/** Maximum estimated cost of a single expression, and of all expressions of a schema. */
const limits = { expression: 10_000_000n, schema: 100_000_000n }

/** Maximum number of expressions named in the error if the total exceeds the limit. */
const mostNamed = 4

/** Maximum number of times that a schema's value occurs in one object; undefined: unlimited. */
export type Cardinality = bigint | undefined

/** Cardinality of the items or members below a schema. */
export function cardinalityBelow(above: Cardinality, props: JsonSchemaProps): Cardinality {
  const most = mostElements(props)
  return above === undefined || most === undefined ? undefined : atMost(above * most)
}

function mostElements(props: JsonSchemaProps): Cardinality {
  const { type, additionalProperties, maxProperties, maxItems } = props
  const isMap = type === 'object' && additionalProperties !== undefined
  if (!isMap && type !== 'array') return 1n
  const most = isMap ? maxProperties : maxItems
  return most === undefined ? undefined : BigInt(Math.max(0, most))
}

/**
 * Cost of a rule for all values. If their number is unlimited, it is bounded by the size of the
 * largest request. `minSize` is the size of one value.
 */
export function costOfAll(cost: bigint, cardinality: Cardinality, minSize: number): bigint {
  return atMost(cost * (cardinality ?? BigInt(Math.floor(maxRequestBytes / (minSize + 1)))))
}

function atMost(cost: bigint): bigint {
  return cost > largest ? largest : cost
}

/**
 * Adds up the costs of the expressions of a schema. Source: Kubernetes documentation, "Validation
 * rules", "Resource use by validation functions".
 */
export class RuleBudget {
  #total = 0n
  #expensive: { path: string; cost: bigint }[] = []

  /**
   * Records a cost, and returns errors if the expression alone exceeds the limit. `name`: name of
   * the expression in messages.
   */
  spend(path: string, name: string, cost: bigint): FieldError[] {
    this.#total = atMost(this.#total + cost)
    if (cost >= limits.schema / 100n) this.#note(path, cost)
    return cost > limits.expression
      ? [forbiddenField(path, excess(name, cost, limits.expression))]
      : []
  }

  /** Errors if all expressions together exceed the limit. `path` is the path of the schema. */
  errors(path: string): FieldError[] {
    if (this.#total <= limits.schema) return []
    const why =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
    return [
      ...this.#expensive.map((one) => forbiddenField(one.path, why)),
      forbiddenField(path, excess(name, this.#total, limits.schema)),
    ]
  }

  /** Records an expression, most expensive first. */
  #note(path: string, cost: bigint): void {
    this.#expensive.push({ path, cost })
    this.#expensive.sort((a, b) => (a.cost === b.cost ? 0 : a.cost > b.cost ? -1 : 1))
    this.#expensive = this.#expensive.slice(0, mostNamed)
  }
}

function excess(name: string, cost: bigint, limit: bigint): string {
  return `${name} exceeds budget by factor of ${factorText(Number(cost) / Number(limit))} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`
}

/** Factor as a string; close to 1, it has as many digits as needed to differ from 1. */
function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x'
  return `${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x`
}
