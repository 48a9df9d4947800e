import { maxBodyWeight } from '../encoding/json.ts'
import { decodeWholeYaml } from '../encoding/yaml.ts'
import { goJsonType } from '../meta/json/goJsonType.ts'
import { goQuote } from '../meta/goQuote.ts'
import { isObject } from '../meta/json/isObject.ts'
import { messageOf } from '../meta/messageOf.ts'
import { CallProblem } from './callProblem.ts'
import { decodeGo, type GoType } from './goStruct.ts'
import { TooManyValues, weighedJson } from './weighedJson.ts'

/** Review to which a webhook responds. */
export interface ReviewForm {
  type: GoType
  group: string
  version: string
  kind: string
  /** Maximum number of objects in the response, each as heavy as a request body. Default 0. */
  objects?: number
}

/** Maximum weight of a review, as computed by `jsonShape`. */
const mostWeight = 1_000_000

/** Review in its decoded form. */
export interface DecodedReview {
  kind: string
  apiVersion: string
  response?: Record<string, unknown>
}

/**
 * Review in the body of a response, which is JSON or YAML. Like a request body, it is weighed before it is decoded.
 * @throws CallProblem in the wording of the real server's decoder. Source: seen on kube-apiserver 1.37.2.
 */
export async function parseReview(body: string, form: ReviewForm): Promise<DecodedReview> {
  const value = await readBody(body, form)
  const { kind, apiVersion } = typeOf(value)
  checkScheme({ kind, apiVersion }, form)
  try {
    // Sound: `form.type` is the type of a review.
    const { response } = decodeGo(value, form.type) as Pick<DecodedReview, 'response'>
    return { kind, apiVersion, ...(response === undefined ? {} : { response }) }
  } catch (error) {
    throw new CallProblem(messageOf(error), { cause: error })
  }
}

/** Type in messages, such as `/v1, Kind=Pod`; missing parts are empty. */
export function shownType({
  kind,
  apiVersion,
}: Pick<DecodedReview, 'kind' | 'apiVersion'>): string {
  const version = apiVersion === '' || apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
  return `${version === '' ? '/' : version}, Kind=${kind}`
}

async function readBody(
  body: string,
  { objects = 0 }: ReviewForm,
): Promise<Record<string, unknown>> {
  const value = await decoded(body, Math.min(mostWeight, maxBodyWeight * (objects + 1)))
  if (value === null) return {}
  if (!isObject(value)) throw unreadable(wrongType(value, `value of type ${typeStruct}`))
  return value
}

const typeStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

async function decoded(body: string, maxWeight: number): Promise<unknown> {
  // A body that begins with a byte order mark is parsed as YAML; \s would include the mark.
  const isJson = /^[^\S\uFEFF]*\{/.test(body)
  try {
    if (isJson) return weighedJson(body, maxWeight)
    // A byte order mark is skipped.
    return (await decodeWholeYaml(Buffer.from(body.replace(/^\uFEFF/, '')))).value
  } catch (error) {
    if (error instanceof TooManyValues) {
      throw new CallProblem('the response of the webhook has too many values', { cause: error })
    }
    throw unreadable(messageOf(error), error)
  }
}

function typeOf(value: Record<string, unknown>): Pick<DecodedReview, 'kind' | 'apiVersion'> {
  const text = (name: string): string => {
    const found = value[name] ?? ''
    if (typeof found === 'string') return found
    throw unreadable(wrongType(found, `struct field .${name} of type string`))
  }
  const apiVersion = text('apiVersion')
  const kind = text('kind')
  if (apiVersion.split('/').length > 2) {
    throw new CallProblem(`unexpected GroupVersion string: ${apiVersion}`)
  }
  return { kind, apiVersion }
}

/**
 * Refuses a kind that is unknown to the real server. A missing part defaults to the expected
 * review's.
 */
function checkScheme(
  found: Pick<DecodedReview, 'kind' | 'apiVersion'>,
  { group, version, kind: wanted }: ReviewForm,
): void {
  const own = `${group}/${version}`
  const kind = found.kind || wanted
  const apiVersion = found.apiVersion || own
  if (kind === wanted && apiVersion === own) return
  const other = version === 'v1' ? 'v1beta1' : 'v1'
  const isOther = kind === wanted && apiVersion === `${group}/${other}`
  const isStatus = kind === 'Status' && apiVersion === 'v1'
  if (isOther || isStatus) {
    const from = `${isStatus ? 'v1' : other}.${kind}`
    throw new CallProblem(`converting (${from}) to (${version}.${wanted}): unknown conversion`)
  }
  const scheme = 'in scheme "pkg/runtime/scheme.go:111"'
  throw new CallProblem(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} ${scheme}`,
  )
}

function unreadable(why: string, cause?: unknown): CallProblem {
  return new CallProblem(`couldn't get version/kind; json parse error: ${why}`, { cause })
}

function wrongType(value: unknown, target: string): string {
  return `json: cannot unmarshal ${goJsonType(value)} into Go ${target}`
}
