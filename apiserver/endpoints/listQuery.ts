import { parseBool, parseInteger } from '../encoding/queryValues.ts'
import { checkListOptions, type ListOptions } from '../registry/listOptions.ts'
import type { Exchange } from './exchange.ts'

/** What the query of a list or watch says. @throws StatusError BadRequest for what cannot be read, Invalid for what
 *  does not go together. */
export function listQuery({ query, info }: Exchange): ListOptions {
  const text = (name: string) => query.get(name) ?? ''
  const flag = (name: string) => (query.has(name) ? parseBool(text(name)) : undefined)
  const whole = (name: string) => (text(name) === '' ? undefined : parseInteger(text(name)))
  const options: ListOptions = {
    labelSelector: text('labelSelector'),
    fieldSelector: text('fieldSelector'),
    resourceVersion: text('resourceVersion'),
    resourceVersionMatch: text('resourceVersionMatch'),
    limit: Math.max(0, whole('limit') ?? 0),
    continueToken: text('continue'),
    watch: info.verb === 'watch',
    allowWatchBookmarks: flag('allowWatchBookmarks') === true,
    sendInitialEvents: flag('sendInitialEvents'),
    timeoutSeconds: whole('timeoutSeconds'),
  }
  checkListOptions(options)
  return options
}
