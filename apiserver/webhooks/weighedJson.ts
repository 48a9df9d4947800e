import { decodeJson } from '../encoding/json.ts'
import { StatusError } from '../meta/status.ts'

/**
 * Value of a JSON text that is weighed before it is decoded, as request bodies are: a large map or deep nesting would
 * hold the event loop for seconds.
 * @throws Error with the reason.
 */
export function weighedJson(text: string, maxWeight: number): unknown {
  const { value, isDeep, overflow } = decoded(text, maxWeight)
  if (isDeep === true) throw new Error('exceeded max depth')
  if (overflow !== undefined) {
    throw new Error(`json: cannot unmarshal number ${overflow} into Go value of type float64`)
  }
  return value
}

/** A text with too many values to be decoded. */
export class TooManyValues extends Error {
  constructor(cause: unknown) {
    super('it has too many values', { cause })
  }
}

function decoded(text: string, maxWeight: number) {
  try {
    return decodeJson(Buffer.from(text), { maxWeight })
  } catch (error) {
    const isHeavy = error instanceof StatusError && error.code === 413
    throw isHeavy ? new TooManyValues(error) : error
  }
}
