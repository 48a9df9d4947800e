import { added, found, shorter as shorterCost } from '../cost/actualCosts.ts'
import { addedLists, addedText, equals, inList, shorter } from '../cost/estimates.ts'
import { compared, isEqual } from '../values/comparison.ts'
import { itemsOf, KeyedList } from '../values/lists.ts'
import type { Mapping } from '../values/mapping.ts'
import { checkedMoment } from '../values/moments.ts'
import type { Timestamp } from '../values/scalars.ts'
import { Duration, int64, uint64, type Unsigned } from '../values/scalars.ts'
import { CostExceeded } from '../values/costExceeded.ts'
import { each, withinCost, type FunctionRow, type FunctionTable, type Run } from './row.ts'

const numbers = ['int', 'uint', 'double']
const crossed = numbers.flatMap((a) => numbers.map((b) => `${a},${b} bool`))

/** Comparison operator. For strings and bytes, the cost is the length. */
function ordering(holds: (difference: number) => boolean): FunctionRow {
  const run = (one: unknown, other: unknown) => holds(compared(one, other))
  const texts = ['string,string bool #less', 'bytes,bytes bool #less']
  const others = ['timestamp,timestamp bool', 'duration,duration bool']
  return {
    forms: {
      ...each(['bool,bool bool', ...crossed], run),
      ...Object.fromEntries(texts.map((text) => [text, { run, estimate: shorter }])),
      ...each(others, run),
    },
    cost: shorterCost,
  }
}

/**
 * Placeholder for operators that the evaluator itself implements, because it does not evaluate all
 * of their operands.
 */
const planned: Run = () => undefined

type Whole = (a: bigint, b: bigint) => bigint

function arithmetic(whole: Whole, double: (a: number, b: number) => number): Record<string, Run> {
  return {
    'double,double double': double,
    'int,int int': (a: bigint, b: bigint) => int64(whole(a, b)),
    'uint,uint uint': (a: Unsigned, b: Unsigned) => uint64(whole(a.value, b.value)),
  }
}

function divided(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new Error('division by zero')
  return a / b
}

function remainder(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new Error('modulus by zero')
  return a % b
}

const moved = (moment: Timestamp, by: bigint) => checkedMoment(moment.nanoseconds + by)

function duration(nanoseconds: bigint): Duration {
  return new Duration(int64(nanoseconds))
}

function joinedLists(a: unknown, b: unknown): unknown {
  const [items, others] = [itemsOf(a) ?? [], itemsOf(b) ?? []]
  if (items.length + others.length > mostJoined) throw new CostExceeded()
  return a instanceof KeyedList ? a.joined(others) : [...items, ...others]
}

/**
 * Maximum number of items in a joined list, since a variable that is joined with itself doubles the
 * list.
 */
const mostJoined = 200_000

/** Operators of the language. Source: the language's definition, "List of standard definitions". */
export const operators: FunctionTable = {
  '_&&_': { forms: { 'bool,bool bool #logical': planned } },
  '_||_': { forms: { 'bool,bool bool #logical': planned } },
  '@not_strictly_false': { forms: { 'bool bool': planned } },
  '_?_:_': { forms: { 'bool,A,A A #conditional': planned } },
  '_[_]': {
    forms: each(
      [
        ...['list(A),int A #indexList', 'map(A,B),A B #indexMap'],
        ...['optional(list(A)),int optional(A)', 'optional(map(A,B)),A optional(B)'],
      ],
      planned,
    ),
  },
  '_[?_]': {
    forms: each(
      [
        ...['list(A),int optional(A)', 'optional(list(A)),int optional(A)'],
        ...['map(A,B),A optional(B)', 'optional(map(A,B)),A optional(B)'],
      ],
      planned,
    ),
  },
  '!_': { forms: { 'bool bool': (value: boolean) => !value } },
  '_==_': { forms: { 'A,A bool #equals': isEqual }, cost: shorterCost, estimate: equals },
  '_!=_': {
    forms: { 'A,A bool #equals': (a: unknown, b: unknown) => !isEqual(a, b) },
    cost: shorterCost,
    estimate: shorter,
  },
  '_<_': ordering((difference) => difference < 0),
  '_<=_': ordering((difference) => difference <= 0),
  '_>_': ordering((difference) => difference > 0),
  '_>=_': ordering((difference) => difference >= 0),
  '_+_': {
    forms: {
      'bytes,bytes bytes #addText': {
        run: (a: Uint8Array, b: Uint8Array) => withinCost(new Uint8Array(Buffer.concat([a, b]))),
        estimate: addedText,
      },
      'double,double double': (a: number, b: number) => a + b,
      'duration,duration duration': (a: Duration, b: Duration) =>
        duration(a.nanoseconds + b.nanoseconds),
      'duration,timestamp timestamp': (by: Duration, moment: Timestamp) =>
        moved(moment, by.nanoseconds),
      'timestamp,duration timestamp': (moment: Timestamp, by: Duration) =>
        moved(moment, by.nanoseconds),
      'int,int int': (a: bigint, b: bigint) => int64(a + b),
      'list(A),list(A) list(A) #addList': { run: joinedLists, estimate: addedLists },
      'string,string string #addText': {
        run: (a: string, b: string) => withinCost(a + b),
        estimate: addedText,
      },
      'uint,uint uint': (a: Unsigned, b: Unsigned) => uint64(a.value + b.value),
    },
    cost: added,
  },
  '_-_': {
    forms: {
      ...arithmetic(
        (a, b) => a - b,
        (a, b) => a - b,
      ),
      'duration,duration duration': (a: Duration, b: Duration) =>
        duration(a.nanoseconds - b.nanoseconds),
      'timestamp,duration timestamp': (moment: Timestamp, by: Duration) =>
        moved(moment, -by.nanoseconds),
      'timestamp,timestamp duration': (a: Timestamp, b: Timestamp) =>
        duration(a.nanoseconds - b.nanoseconds),
    },
  },
  '_*_': {
    forms: arithmetic(
      (a, b) => a * b,
      (a, b) => a * b,
    ),
  },
  '_/_': { forms: arithmetic(divided, (a, b) => a / b) },
  '_%_': {
    forms: {
      'int,int int': (a: bigint, b: bigint) => int64(remainder(a, b)),
      'uint,uint uint': (a: Unsigned, b: Unsigned) => uint64(remainder(a.value, b.value)),
    },
  },
  '-_': {
    forms: { 'double double': (value: number) => -value, 'int int': (a: bigint) => int64(-a) },
  },
  '@in': {
    forms: {
      'A,list(A) bool #inList': {
        run: (item: unknown, list: unknown) =>
          (itemsOf(list) ?? []).some((one) => isEqual(one, item)),
        estimate: inList,
      },
      'A,map(A,B) bool': (key: unknown, map: Mapping) => map.find(key) !== undefined,
    },
    cost: found,
  },
}
