/**
 * Operation with a response: it took effect at one moment between its call and its end, or appears
 * to.
 */
export interface Interval {
  call: number
  end: number
}

/** Behaviour of a sequential object. */
export interface Model<State, Operation extends Interval> {
  initial: State
  /** States to which the operation with this response may lead; none: it cannot come next. */
  step: (state: State, operation: Operation) => State[]
  /** Key that is equal for states with equal behaviour. */
  keyOf: (state: State) => string
  /** Reports whether the result of the operation is unknown: it may take effect now, later or never. */
  isOpen: (operation: Operation) => boolean
}

/** Contradiction: no order explains the history. `explained` is the longest prefix that some order explains. */
export interface Contradiction<State, Operation> {
  explained: number
  state: State
  /** Operations that cannot come next. */
  stuck: Operation[]
}

interface Node<State> {
  /** Number of operations, in order of their calls, that have all taken effect. */
  base: number
  /** Later operations that have taken effect, ascending. */
  beyond: readonly number[]
  state: State
}

/** Number of nodes after which a search gives up: some 300 MB. Operations without an answer can make it exponential. */
const nodeLimit = 1_000_000

/**
 * Contradiction in a history, if the model allows no order of the operations, each between its call
 * and its end. Searches depth first, without repeating a node (Wing and Gong 1993; Lowe 2017).
 */
export function checkLinearizable<State, Operation extends Interval>(
  history: readonly Operation[],
  model: Model<State, Operation>,
  limit = nodeLimit,
): Contradiction<State, Operation> | 'undecided' | undefined {
  const operations = [...history].sort((a, b) => a.call - b.call)
  let best: Node<State> = { base: 0, beyond: [], state: model.initial }
  const stack = [best]
  const seen = new Set<string>()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.base === operations.length) return undefined
    if (sizeOf(node) > sizeOf(best)) best = node
    for (const next of successors(node, operations, model)) {
      const key = `${next.base}|${next.beyond.join()}|${model.keyOf(next.state)}`
      if (seen.has(key)) continue
      if (seen.size === limit) return 'undecided'
      seen.add(key)
      stack.push(next)
    }
  }
  const stuck = candidates(best, operations).flatMap((index) => operations[index] ?? [])
  return { explained: sizeOf(best), state: best.state, stuck }
}

function sizeOf({ base, beyond }: Pick<Node<unknown>, 'base' | 'beyond'>): number {
  return base + beyond.length
}

/** Operations that may come next: no other operation ended before their call. */
function candidates(
  { base, beyond }: Pick<Node<unknown>, 'base' | 'beyond'>,
  operations: readonly Interval[],
): number[] {
  const found: number[] = []
  let firstEnd = Infinity
  for (let index = base; index < operations.length; index++) {
    const operation = operations[index]
    if (operation === undefined || operation.call > firstEnd) break
    if (beyond.includes(index)) continue
    found.push(index)
    firstEnd = Math.min(firstEnd, operation.end)
  }
  // An operation that was called before the first known end may be further behind.
  return found.filter((index) => (operations[index]?.call ?? 0) <= firstEnd)
}

/** Places an operation without changes as early as possible, which excludes no later order. */
function successors<State, Operation extends Interval>(
  node: Node<State>,
  operations: readonly Operation[],
  model: Model<State, Operation>,
): Node<State>[] {
  const { keyOf, step, isOpen } = model
  const now = keyOf(node.state)
  const all: Node<State>[] = []
  for (const index of candidates(node, operations)) {
    const operation = operations[index]
    if (operation === undefined) continue
    const next = step(node.state, operation).map((state) => ({ ...after(node, index), state }))
    const [only, ...others] = next
    const isIdle = only !== undefined && others.length === 0 && keyOf(only.state) === now
    if (isIdle && !isOpen(operation)) return next
    all.push(...next)
  }
  return all
}

function after(
  { base, beyond }: Node<unknown>,
  index: number,
): Pick<Node<unknown>, 'base' | 'beyond'> {
  const done = [...beyond, index].sort((a, b) => a - b)
  let first = base
  while (done[0] === first) {
    done.shift()
    first++
  }
  return { base: first, beyond: done }
}
