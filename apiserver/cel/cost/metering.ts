import type { ASTNode } from '@marcbachmann/cel-js'
import { actualCost, sizeOf, sortCost } from './actualCosts.ts'
import { itemCost, macroCosts, type LoopCosts } from './loopCosts.ts'
import type { CostMeter } from './meter.ts'
import {
  callOf,
  evaluationOf,
  isConstant,
  isNothing,
  isPart,
  isPath,
  isSetOfConstants,
  namespaceOf,
  type Part,
} from '../syntax/parts.ts'

/** Makes a checked expression tell a meter what its evaluation costs. Constants are free: they are made once.
 *  Source: Kubernetes documentation, "CEL in Kubernetes", "Resource constraints"; the costs of a real server. */
export function metered(node: ASTNode, meter: CostMeter): void {
  new Metering(meter).add(node as unknown as Part)
}

const perList = 10
const perMap = 30

class Metering {
  readonly #meter: CostMeter

  constructor(meter: CostMeter) {
    this.#meter = meter
  }

  /** `isBare`: its first name is free, as in the branches of a condition. */
  add(part: Part, { isBare = false } = {}): void {
    if (isConstant(part)) return
    const field = () => {
      this.#field(part, { isBare })
    }
    const index = () => {
      this.#index(part, { isBare })
    }
    const call = () => {
      this.#call(part)
    }
    const ways: Readonly<Record<string, () => void>> = {
      id: () => {
        if (part.meta.alternate === undefined && !isBare) this.#charge(part, 1)
      },
      '.': field,
      '.?': field,
      '[]': index,
      '[?]': index,
      '?:': () => {
        this.#condition(part)
      },
      list: () => {
        this.#made(part, perList)
      },
      map: () => {
        this.#made(part, perMap)
      },
      '&&': () => {
        this.#parts(part)
      },
      '||': () => {
        this.#parts(part)
      },
      call,
      rcall: call,
      '!_': () => {
        this.#sign(part)
      },
      '-_': () => {
        this.#sign(part)
      },
    }
    const way = ways[part.op]
    if (way === undefined) this.#operator(part)
    else way()
  }

  #made(part: Part, cost: number): void {
    this.#parts(part)
    this.#charge(part, cost)
  }

  #parts({ args }: Part): void {
    for (const one of [args].flat(2)) if (isPart(one)) this.add(one)
  }

  #charge(part: Part, cost: number): void {
    const evaluate = evaluationOf(part)
    const meter = this.#meter
    part.evaluate = (evaluator, node, context) => {
      meter.add(cost)
      return evaluate(evaluator, node, context)
    }
  }

  #around(part: Part, around: (evaluate: () => unknown) => unknown): void {
    const evaluate = evaluationOf(part)
    part.evaluate = (evaluator, node, context) => around(() => evaluate(evaluator, node, context))
  }

  /** Tells what a part was found to be. */
  #observe(part: Part, observe: (value: unknown) => void): void {
    this.#around(part, (evaluate) => {
      const value = evaluate()
      observe(value)
      return value
    })
  }

  #field(part: Part, { isBare }: { isBare: boolean }): void {
    const [of] = part.args as [Part]
    const isRead = isPath(of)
    this.add(of, { isBare: isBare && isRead })
    this.#charge(part, isRead || isBare ? 1 : 2)
  }

  #index(part: Part, { isBare }: { isBare: boolean }): void {
    const [of, index] = part.args as [Part, Part]
    const isRead = isPath(of)
    this.add(of, { isBare: isBare && isRead })
    this.add(index)
    const own = isPath(index) && !isConstant(index) ? 0 : 1
    this.#charge(part, own + (isRead || isBare ? 0 : 1))
  }

  #condition({ args }: Part): void {
    const [condition, ...branches] = args as [Part, Part, Part]
    this.add(condition)
    for (const branch of branches) this.add(branch, { isBare: isPath(branch) })
  }

  /** Two of a sign cancel each other out. */
  #sign(part: Part): void {
    const of = part.args as Part
    if (of.op === part.op && of.start === part.start + 1) this.add(of.args as Part)
    else this.#operator(part)
  }

  #operator(part: Part): void {
    const { op, args } = part
    const isSet = op === 'in' && isSetOfConstants((args as Part[])[1])
    if (isSet && isNothing((args as Part[])[1])) return
    this.#parts(part)
    if (isSet) return
    const cost = actualCost(op, { isMethod: false })
    // What it is applied to comes first.
    this.#onResult(part, cost)
  }

  /** `costOf` is given what the part's function was called with. */
  #onResult(part: Part, costOf: (values: readonly unknown[], result: unknown) => number): void {
    const { handle } = part
    const meter = this.#meter
    if (handle === undefined) return
    part.handle = (...values) => {
      meter.check()
      const result = handle(...values)
      meter.add(costOf(values, result))
      return result
    }
  }

  #call(part: Part): void {
    const [name, receiver, args] = callOf(part)
    const macro = macroCosts[`${name}/${args.length}`]
    if (name === 'hasField' || name === 'has') {
      const [of] = (args[0]?.args ?? []) as Part[]
      if (of !== undefined) this.add(of)
    } else if (receiver !== undefined && macro !== undefined) {
      this.add(receiver)
      for (const one of args) this.add(one)
      this.#macro({ part, receiver, args }, macro)
    } else this.#plainCall(part, { name, receiver, args })
  }

  #plainCall(
    part: Part,
    { name, receiver, args }: { name: string; receiver: Part | undefined; args: Part[] },
  ): void {
    if (receiver !== undefined) this.add(receiver)
    for (const one of args) this.add(one)
    const namespace = namespaceOf(receiver)
    const full = namespace === undefined ? name : `${namespace}.${name}`
    if (full === 'or' || full === 'orValue') return
    if (full === 'format' && receiver !== undefined) {
      this.#format(part, receiver, args)
      return
    }
    this.#plainCost(part, full, {
      isMethod: receiver !== undefined && namespace === undefined,
      skipped: namespace === undefined ? 0 : 1,
    })
  }

  #plainCost(
    part: Part,
    name: string,
    { isMethod, skipped }: { isMethod: boolean; skipped: number },
  ): void {
    const cost = actualCost(name, { isMethod })
    this.#onResult(part.meta.alternate ?? part, (values, result) => {
      const given = values[0] as unknown[] // of calls, all that was given comes first
      return cost(skipped === 0 ? given : given.slice(skipped), result)
    })
  }

  /** Lists that are written are not made. */
  #format(part: Part, receiver: Part, [list]: Part[]): void {
    const cost = actualCost('format', { isMethod: true })
    const ofList = list?.op === 'list' && !isConstant(list) ? perList : 0
    let text: unknown = ''
    this.#observe(receiver, (value) => (text = value))
    this.#around(part, (evaluate) => {
      const made = evaluate()
      this.#meter.add(cost([text], made) + ofList)
      return made
    })
  }

  #macro(call: MacroCall, costs: (typeof macroCosts)[string]): void {
    if (costs === 'sorting') this.#sort(call)
    else if ('made' in costs) this.#mapOptional(call, costs.made)
    else this.#loop(call, costs)
  }

  /** A loop in which each round costs by what its parts are found to be. A loop that ends early looks once more whether it
   *  has to. */
  #loop({ part, receiver, args }: MacroCall, { rounds, result, condition = 0 }: LoopCosts): void {
    let [count, size] = [0, 0]
    this.#observe(receiver, (value) => (size = sizeOf(value)))
    rounds.forEach((costOf, at) => {
      const one = args.at(at - rounds.length)
      if (one !== undefined && costOf !== undefined)
        this.#round(one, (value) => {
          if (at === 0) count++
          return condition + costOf(value, one)
        })
    })
    this.#around(part, (evaluate) => {
      const before = count
      count = 0
      const value = evaluate()
      const isEarly = count < size && condition > 0
      count = before
      this.#meter.add(result + (isEarly ? condition : 0))
      return value
    })
  }

  /** A round that fails costs too. */
  #round(part: Part, costOf: (value: unknown) => number): void {
    const evaluate = evaluationOf(part)
    const meter = this.#meter
    part.evaluate = (evaluator, node, context) => {
      meter.check()
      let value: unknown
      try {
        return (value = evaluate(evaluator, node, context))
      } finally {
        meter.add(costOf(value))
      }
    }
  }

  /** The value is looked for twice where there is one. */
  #mapOptional({ receiver }: MacroCall, made: number): void {
    this.#around(receiver, (evaluate) => {
      const before = this.#meter.spent
      const value = evaluate() as { hasValue: () => boolean } // it was checked
      const cost = this.#meter.spent - before
      this.#meter.add(value.hasValue() ? 1 + made + cost + 1 : 2)
      return value
    })
  }

  #sort({ part, args: [, by] }: MacroCall): void {
    let keys: unknown[] = []
    if (by !== undefined)
      this.#round(by, (value) => {
        keys.push(value)
        return itemCost(by)
      })
    this.#around(part, (evaluate) => {
      keys = []
      const value = evaluate()
      this.#meter.add(sortCost(keys) + 3)
      return value
    })
  }
}

interface MacroCall {
  part: Part
  receiver: Part
  args: readonly Part[]
}
