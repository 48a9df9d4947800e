import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Call } from '../differential/call.ts'

/** Title of the vectors of chosen requests. */
export const chosenTitle = 'chosen'

interface ChosenGroup {
  path: string
  method?: string
  type?: string
  /** Bodies, sent unchanged. */
  bodies: readonly string[]
  /** Further parameters of the query. */
  query?: string
  /** Values of `fieldValidation`. Default: one request without it. */
  fieldValidation?: readonly string[]
}

/**
 * Requests that no generator creates: bodies in forms that no encoder writes, and rules about empty
 * values. None stores anything. They are sent to a server with the objects of all seeds.
 */
export function chosenCalls(): Call[] {
  const text = readFileSync(join(import.meta.dirname, 'chosen.yaml'), 'utf8')
  // The file is part of this folder.
  return (parse(text) as ChosenGroup[]).flatMap(callsOf)
}

function callsOf({
  path,
  method = 'POST',
  type = 'application/json',
  query: further = '',
  bodies,
  fieldValidation = [''],
}: ChosenGroup): Call[] {
  return fieldValidation.flatMap((validation) => {
    const query = validation === '' ? '' : `&fieldValidation=${validation}`
    const address = `${path}?dryRun=All${query}${further && `&${further}`}`
    return bodies.map((body) => ({
      method,
      path: address,
      body: body.trimEnd(),
      headers: { 'content-type': type },
    }))
  })
}
