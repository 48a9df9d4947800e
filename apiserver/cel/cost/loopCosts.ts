import { isConstant, type Part } from '../syntax/parts.ts'

export interface LoopCosts {
  /** By the last arguments: what a round costs by what each is found to be. */
  rounds: readonly ((value: unknown, part: Part) => number)[]
  /** What it costs to give the result. */
  result: number
  /** What it costs to ask before each round whether the loop goes on. */
  condition?: number
}

/** A value that may be missing is made into another; `made`: what it costs to wrap that. */
interface OptionalCost {
  made: number
}

type MacroCost = LoopCosts | OptionalCost | 'sorting'

const perList = 10

/** The list of one item is made and joined to those before. */
export function itemCost(item: Part): number {
  return isConstant(item) ? 2 : 2 + perList
}

const all: LoopCosts = { rounds: [() => 1], result: 1, condition: 2 }
const exists: LoopCosts = { rounds: [() => 1], result: 1, condition: 3 }
const existsOne: LoopCosts = { rounds: [(value) => (value === true ? 2 : 0)], result: 2 }
const nothing = () => 0
const item = (_value: unknown, part: Part) => itemCost(part)
const collected: LoopCosts = { rounds: [item], result: 1 }
const passed: LoopCosts = { rounds: [nothing, item], result: 1 }

/** By the name of a macro and how many arguments it has. */
export const macroCosts: Readonly<Record<string, MacroCost>> = {
  'all/2': all,
  'all/3': all,
  'exists/2': exists,
  'exists/3': exists,
  'exists_one/2': existsOne,
  'exists_one/3': existsOne,
  'existsOne/2': existsOne,
  'existsOne/3': existsOne,
  'map/2': collected,
  'map/3': passed,
  'filter/2': { rounds: [(value) => (value === true ? 3 + perList : 0)], result: 1 },
  'transformList/3': collected,
  'transformList/4': passed,
  'transformMap/3': { rounds: [() => 3], result: 1 },
  'transformMap/4': { rounds: [nothing, () => 3], result: 1 },
  'transformMapEntry/3': { rounds: [() => 2], result: 1 },
  'transformMapEntry/4': { rounds: [nothing, () => 2], result: 1 },
  'sortBy/2': 'sorting',
  'optMap/2': { made: 1 },
  'optFlatMap/2': { made: 0 },
}
