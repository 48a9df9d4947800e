import { CliError } from '../base/cliError.ts'
import { at, type ApiObject } from '../base/apiObject.ts'

/** Object in a response. @throws CliError for anything else, such as the page of a proxy. */
export function objectIn(text: string, url: string): ApiObject {
  const found = jsonIn(text)
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw notTheApi(url)
  const { metadata } = found as { metadata?: unknown }
  const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
  return { ...found, metadata: isObject ? metadata : {} }
}

/** Items of a list. @throws CliError if it is not a list. */
export function itemsOf(list: ApiObject, url: string): ApiObject[] {
  const items = list['items'] ?? []
  if (!Array.isArray(items)) throw notTheApi(url)
  return items.map((item: unknown) => {
    if (typeof at(item, 'metadata') !== 'object' || at(item, 'metadata') === null)
      throw notTheApi(url)
    // Sound: metadata is an object.
    return item as ApiObject
  })
}

/** Value of a JSON string; undefined: invalid JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function notTheApi(url: string): CliError {
  return new CliError(`${url} did not answer with an object of the API`, {
    hint: 'Check the address, and whether a proxy or a login page in between answers instead.',
  })
}
