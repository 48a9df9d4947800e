import { goQuote } from '../meta/goQuote.ts'
import { isObject } from '../meta/json/isObject.ts'

/**
 * Reason why a webhook could not be called, or its response not understood, in the wording of the real server's client.
 */
export class CallProblem extends Error {}

/** Maximum length of a text quoted in a message. Source: client-go, rest, maxUnstructuredResponseTextBytes. */
const maxTextLength = 2048
/** Maximum length of a Status in a response. */
const maxStatusLength = 64 * 1024

/** Message for an unsuccessful HTTP status. */
export function httpProblem(code: number, body: string, type: string): string {
  const status = statusMessage(body)
  if (status !== undefined) return status
  const known = words[code]
  if (known !== undefined) return known
  const isText = type === '' || type.startsWith('text/')
  const text = isText ? body.slice(0, maxTextLength).trim() : 'unknown'
  if (code >= 500) {
    return `an error on the server (${goQuote(text)}) has prevented the request from succeeding`
  }
  if (code === 406 && !isText) {
    return 'the server was unable to respond with a content type that the client supports'
  }
  return code === 403 || code === 406 || code === 415
    ? text
    : `the server responded with the status code ${code} but did not return more information`
}

function statusMessage(body: string): string | undefined {
  if (body.length > maxStatusLength) return undefined
  try {
    const value: unknown = JSON.parse(body)
    if (!isObject(value) || value['kind'] !== 'Status' || value['status'] !== 'Failure')
      return undefined
    return textOf(value['message'])
  } catch {
    return undefined
  }
}

const words: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
