import { parseBool, parseInteger } from '../encoding/queryValues.ts'
import { parseFieldSelector } from '../meta/selectors/fieldSelector.ts'
import { parseLabelSelector } from '../meta/selectors/labelSelector.ts'
import { listResourceVersion } from '../meta/resourceVersion.ts'
import { checkListOptions, type ListOptions } from '../registry/read/listOptions.ts'
import type { Exchange } from './exchange.ts'

/** What the query of a list or watch says. @throws StatusError BadRequest for what cannot be read, Invalid for what
 *  does not go together. */
export function listQuery({ query, info }: Exchange): ListOptions {
  const text = (name: string) => query.get(name) ?? ''
  const flag = (name: string) => (query.has(name) ? parseBool(text(name)) : undefined)
  const whole = (name: string) => (query.has(name) ? parseInteger(text(name)) : undefined)
  const numbers = {
    // Of two that are no numbers the library names this one.
    timeoutSeconds: whole('timeoutSeconds'),
    limit: Math.max(0, whole('limit') ?? 0),
    allowWatchBookmarks: flag('allowWatchBookmarks') === true,
    sendInitialEvents: flag('sendInitialEvents'),
  }
  const [labels, fields] = [text('labelSelector'), text('fieldSelector')]
  const options: ListOptions = {
    ...numbers,
    labelSelector: labels === '' ? undefined : parseLabelSelector(labels),
    fieldSelector: fields === '' ? undefined : parseFieldSelector(fields),
    resourceVersion: text('resourceVersion'),
    resourceVersionMatch: text('resourceVersionMatch'),
    continueToken: text('continue'),
    watch: info.verb === 'watch',
  }
  // The deprecated paths watch whatever the query says, and are judged by what it says.
  const watches = info.isWatchPath ? flag('watch') === true : options.watch
  checkListOptions({ ...options, watch: watches })
  return options
}

/** The revision that a list is asked at; undefined: at none in particular.
 *  @throws StatusError BadRequest for no number. */
export function askedRevision({ resourceVersion, continueToken }: ListOptions): number | undefined {
  if (resourceVersion === '') return undefined
  // Beside a token any but "0" is refused, unread, and only once the token was looked at.
  if (continueToken !== '') return resourceVersion === '0' ? 0 : 1
  return listResourceVersion(resourceVersion)
}
