import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Place in the sources where a callback is passed to the runtime. */
export interface CallbackPlace {
  file: string
  /** Source text of the callback. */
  text: string
  isSafe: boolean
}

export interface FoundPlaces {
  places: CallbackPlace[]
  /** Names of guarded callbacks, each as often as it occurs there. */
  names: string[]
}

const functions = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'nextTick',
  'queueMicrotask',
])
const methods = new Set(['on', 'once', 'addListener', 'prependListener', 'addEventListener'])
/**
 * Calls that do not throw, or that reject instead: an unguarded callback may contain only these.
 */
const harmless = new Set([
  ...['resolve', 'reject', 'badRequest', 'requestEntityTooLarge', 'report', 'cancel', 'abort'],
  ...['destroy', 'destroySoon', 'terminate', 'delete', 'push', 'clearTimeout', 'clearInterval'],
  ...['removeEventListener', 'exit', 'setImmediate', 'Error'],
])

/**
 * Every place in some folders where a callback is passed to a timer, an emitter or the end of a
 * turn. Timers of a Clock are guarded by the clock.
 */
export function callbackPlaces(folders: readonly string[]): FoundPlaces {
  const found: FoundPlaces = { places: [], names: [] }
  for (const file of folders.flatMap(sources)) {
    const source = ts.createSourceFile(
      file,
      readFileSync(file, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    )
    visit(source, { file, source, found })
  }
  return found
}

interface Visit {
  file: string
  source: ts.SourceFile
  found: FoundPlaces
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name))
}

function visit(node: ts.Node, at: Visit): void {
  if (ts.isCallExpression(node)) {
    const called = nameOf(node.expression)
    if (called === 'guarded' || called === 'enterCallback') addName(node, at.found)
    const callback = callbackOf(node, called)
    if (callback !== undefined) {
      const text = callback.getText().replace(/\s+/g, ' ')
      at.found.places.push({ file: at.file, text, isSafe: isSafe(callback, at.source) })
    }
  }
  ts.forEachChild(node, (child) => visit(child, at))
}

function addName({ arguments: [name] }: ts.CallExpression, found: FoundPlaces): void {
  if (name !== undefined && ts.isStringLiteral(name)) found.names.push(name.text)
}

function callbackOf(call: ts.CallExpression, called: string): ts.Expression | undefined {
  const [first, second] = call.arguments
  if (functions.has(called)) return first
  // The functions of that name in node:events return a promise.
  const isMethod = methods.has(called) && ts.isPropertyAccessExpression(call.expression)
  return isMethod ? second : undefined
}

function nameOf(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : ''
}

function isSafe(callback: ts.Expression, source: ts.SourceFile): boolean {
  if (ts.isCallExpression(callback)) return nameOf(callback.expression) === 'guarded'
  if (ts.isArrowFunction(callback)) return isHarmless(callback.body)
  const name = nameOf(callback)
  if (harmless.has(name)) return true
  const declared = declarationOf(name, source)
  return declared !== undefined && isSafe(declared, source)
}

/** Initializer of a constant or a field, or an empty function. */
function declarationOf(name: string, source: ts.SourceFile): ts.Expression | undefined {
  let found: ts.Expression | undefined
  const look = (node: ts.Node): void => {
    const isNamed =
      (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) &&
      node.name.getText() === name
    const value = isNamed ? node.initializer : undefined
    if (value !== undefined && (ts.isCallExpression(value) || ts.isArrowFunction(value)))
      found = value
    ts.forEachChild(node, look)
  }
  look(source)
  return found
}

function isHarmless(body: ts.Node): boolean {
  let is = true
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node))
      is &&= harmless.has(nameOf(node.expression))
    if (ts.isThrowStatement(node) || ts.isAwaitExpression(node)) is = false
    ts.forEachChild(node, look)
  }
  look(body)
  return is
}
