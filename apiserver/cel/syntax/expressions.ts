import type { ASTNode } from '@marcbachmann/cel-js'
import { call, literal, name, select, type Expr, type LiteralValue } from './expr.ts'
import { macros } from './macros.ts'

type Read = (node: ASTNode) => Expr

type Reader = (node: ASTNode, read: Read) => Expr

/** Macros may write a part out twice, and within each other. */
const mostParts = 100_000

/** Operators whose names are not made of how they are written. */
const names: Readonly<Record<string, string>> = {
  '[?]': '_[?_]',
  '[]': '_[_]',
  '?:': '_?_:_',
  in: '@in',
}

const readers: { [K in ASTNode['op']]?: (node: Extract<ASTNode, { op: K }>, read: Read) => Expr } =
  {
    value: ({ args }) => literal(checkedNumber(args)),
    id: ({ args }) => name(args),
    '.': ({ args: [of, field] }, read) => select(read(of), field),
    '.?': ({ args: [of, field] }, read) => call('_?._', [read(of), literal(field)]),
    '!_': (node, read) => unary('!_', node, read),
    '-_': (node, read) => unary('-_', node, read),
    call: ({ args: [of, args] }, read) => written(of, args, read),
    rcall: ({ args: [of, receiver, args] }, read) => {
      const macro = macros[`${of}/${args.length}`]
      if (macro !== undefined) return macro(receiver, args, read)
      return call(of, args.map(read), read(receiver))
    },
    list: ({ args }, read) => ({ is: 'list', items: args.map(read) }),
    map: ({ args }, read) => ({
      is: 'map',
      entries: args.map(([key, value]) => [read(key), read(value)] as const),
    }),
  }

/** Writes out what the library has parsed. @throws Error for what is no expression of the language. */
export function expressionOf(root: ASTNode): Expr {
  let left = mostParts
  const read = (node: ASTNode): Expr => {
    if (left-- === 0) throw new Error('compilation failed: expression is too large')
    const reader = readers[node.op] as Reader | undefined // by the operator that it is asked for
    if (reader !== undefined) return reader(node, read)
    const parts = node.args as ASTNode[] // all others are operators
    return call(names[node.op] ?? `_${node.op}_`, parts.map(read))
  }
  return read(root)
}

/** Signs before numbers belong to them, and two of a sign cancel each other out, but for parentheses between them. */
function unary(op: '!_' | '-_', sign: ASTNode, read: Read): Expr {
  const node = sign.args as ASTNode // what the sign stands before
  const isJoined = !sign.input.slice(sign.start, node.start).includes('(')
  if (isJoined && node.op === op) return read(node.args)
  if (isJoined && op === '-_' && node.op === 'value' && isNumber(node.args))
    return literal(checkedNumber(-node.args))
  return call(op, [read(node)])
}

function isNumber(value: unknown): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number'
}

function checkedNumber(value: LiteralValue): LiteralValue {
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value)
    throw new Error('compilation failed: invalid int literal')
  return value
}

/** Calls without a receiver. Whether a field is there has another name in the library. */
function written(of: string, args: readonly ASTNode[], read: Read): Expr {
  const [node] = args
  if ((of === 'has' || of === 'hasField') && args.length === 1) {
    if (node?.op !== '.') throw new Error('compilation failed: invalid argument to has() macro')
    return select(read(node.args[0]), node.args[1], true)
  }
  return call(of, args.map(read))
}
