import { parseExact } from '../meta/json/exactJson.ts'
import { isObject } from '../meta/json/isObject.ts'
import { CallProblem } from './callProblem.ts'

/** The review in the body of a response. @throws CallProblem. */
export function parseReview(body: string): Record<string, unknown> {
  if (body === '') {
    throw new CallProblem(
      '0-length response with status code: 200 and content type: application/json',
    )
  }
  try {
    const value: unknown = parseExact(body)
    if (isObject(value)) return value
    throw new TypeError(goType(value))
  } catch (error) {
    const isStart = body.startsWith('{') || body.startsWith('[')
    const type = error instanceof TypeError ? error.message : 'string'
    // What is neither an object nor a list may be YAML, and is a string then.
    const why =
      error instanceof TypeError || !isStart
        ? `json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`
        : 'unexpected end of JSON input'
    throw new CallProblem(`couldn't get version/kind; json parse error: ${why}`, { cause: error })
  }
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
