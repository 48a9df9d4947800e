import { jsonText } from '../../meta/json/exactJson.ts'
import type { ApiObject } from '../../meta/types.ts'
import { Entry } from '../../watch/cacheEntry.ts'
import { matches } from '../../watch/watchFilter.ts'
import { selectorsFor, type ListOptions } from './listOptions.ts'
import type { ListPage } from './listPage.ts'
import { computedBytes } from '../objectBytes.ts'
import { selectableValues, type ResourceDefinition } from '../resource.ts'

/** A page of computed objects, in the given order. It has no revision, and is never continued. */
export function computedPage(objects: readonly ApiObject[]): ListPage {
  return { revision: undefined, ...computedItems(objects) }
}

/** The objects of a page. */
export function computedItems(objects: readonly ApiObject[]): Pick<ListPage, 'entries' | 'items'> {
  const items = objects.map(({ kind: _kind, apiVersion: _version, ...item }) => item)
  return {
    entries: () => objects.map(computedEntry),
    items: () => [Buffer.from(items.map((item) => jsonText(item)).join(','))],
  }
}

/** The objects that match the options. @throws StatusError BadRequest. */
export function selectComputed(
  objects: readonly ApiObject[],
  options: ListOptions,
  resource: ResourceDefinition,
): ApiObject[] {
  const selection = { keyPrefix: '', ...selectorsFor(options, resource) }
  const fieldsOf = (object: ApiObject) => selectableValues(resource, object)
  return objects.filter((object) => matches(selection, computedEntry(object), fieldsOf))
}

function computedEntry(object: ApiObject): Entry {
  return new Entry({ key: '', revision: 0, value: computedBytes(object) })
}
