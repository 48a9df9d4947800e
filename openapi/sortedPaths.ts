import type { Steps } from '../apiserver/meta/waiting/steps.ts'
import type { Method, Operation, Route } from './route.ts'

/** Routes as a sorted `paths` object: equal resources result in equal bytes, in any order. */
export function* sortedPaths<T>(
  routes: Route[],
  pathItem: (route: Route) => T,
): Steps<Record<string, T>> {
  const sorted = [...routes].sort((a, b) => (a.path < b.path ? -1 : 1))
  const items: [string, T][] = []
  for (const route of sorted) {
    items.push([route.path, pathItem(route)])
    yield
  }
  return Object.fromEntries(items)
}

const methods: readonly Method[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

/** Operations of a path, in the order of the specification. */
export function operationsOf<T>(
  { operations }: Route,
  render: (operation: Operation) => T,
): Partial<Record<Method, T>> {
  const rendered: Partial<Record<Method, T>> = {}
  for (const method of methods) {
    const operation = operations[method]
    if (operation !== undefined) rendered[method] = render(operation)
  }
  return rendered
}
