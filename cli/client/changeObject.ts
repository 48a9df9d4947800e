import type { ApiObject } from '../base/apiObject.ts'
import type { ApiClient, Place, Query } from './apiClient.ts'
import { isStatus } from './apiError.ts'

const maxAttempts = 5

/**
 * Changes an object: reads it and writes it back at the same revision, and retries if it was
 * changed in the meantime. If it does not exist, `change` gets undefined and returns an object to
 * create, or throws.
 */
export async function changeObject(
  client: ApiClient,
  { place, name, query = {} }: { place: Place; name: string; query?: Query },
  change: (found: ApiObject | undefined) => ApiObject,
): Promise<{ object: ApiObject; isNew: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const found = await client.get(place, name).catch((error: unknown) => {
      if (isStatus(error, 404)) return undefined
      throw error
    })
    const next = change(found === undefined ? undefined : structuredClone(found))
    try {
      const object =
        found === undefined
          ? await client.create(place, next, query)
          : await client.replace(place, next, query)
      return { object, isNew: found === undefined }
    } catch (error) {
      if (!isStatus(error, 409) || attempt === maxAttempts) throw error
    }
  }
}
