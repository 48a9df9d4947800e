import { parseBool, parseInteger } from '../encoding/queryValues.ts'
import { parseFieldSelector } from '../meta/selectors/fieldSelector.ts'
import { parseLabelSelector } from '../meta/selectors/labelSelector.ts'
import { listResourceVersion } from '../meta/resourceVersion.ts'
import { checkListOptions, type ListOptions } from '../registry/read/listOptions.ts'
import type { Exchange } from './exchange.ts'

/**
 * Parses the query of a list or watch. @throws StatusError BadRequest for malformed values, Invalid for conflicting
 * ones.
 */
export function listQuery({ query, info }: Exchange): ListOptions {
  const text = (name: string) => query.get(name) ?? ''
  const flag = (name: string) => (query.has(name) ? parseBool(text(name)) : undefined)
  const whole = (name: string) => (query.has(name) ? parseInteger(text(name)) : undefined)
  const numbers = {
    // If both are malformed, the library reports this one.
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
  // The deprecated paths always watch, but are validated by the query.
  const watches = info.isWatchPath ? flag('watch') === true : options.watch
  checkListOptions({ ...options, watch: watches })
  return options
}

/**
 * The requested revision of a list; undefined: none.
 * @throws StatusError BadRequest for a malformed one.
 */
export function askedRevision({ resourceVersion, continueToken }: ListOptions): number | undefined {
  if (resourceVersion === '') return undefined
  // With a continue token, any value except "0" is refused without being parsed, after the token
  // was checked.
  if (continueToken !== '') return resourceVersion === '0' ? 0 : 1
  return listResourceVersion(resourceVersion)
}
