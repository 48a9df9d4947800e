import { aggregateMessage } from '../../meta/fieldErrors.ts'
import { sortedMembers } from '../../meta/json/sortedMembers.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import type { ApiObject } from '../../meta/types.ts'
import { annotationsErrors, labelsErrors } from '../../registry/write/metadataValidation.ts'

/**
 * Object that a webhook converted from `object`. Metadata is unchanged except for labels and
 * annotations.
 * @throws Error that names the refused part. Source: seen on kube-apiserver 1.37.2.
 */
export function convertedCopy(
  made: Record<string, unknown>,
  object: ApiObject,
  subject: string,
): ApiObject {
  const metadata = isObject(made['metadata']) ? made['metadata'] : {}
  checkIdentity(metadata, object, `${subject} returned invalid object: `)
  const { labels: _labels, annotations: _annotations, ...kept } = object.metadata
  const told = `${subject} returned invalid metadata: `
  const labels = textsOf(metadata['labels'], 'labels', told)
  const annotations = textsOf(metadata['annotations'], 'annotations', told)
  const errors = [
    ...labelsErrors('metadata.labels', labels ?? {}),
    // The field name in kube-apiserver's message is singular.
    ...annotationsErrors('metadata.annotation', annotations ?? {}),
  ]
  if (errors.length > 0) throw new Error(told + aggregateMessage(errors))
  const { kind, apiVersion, metadata: _metadata, ...content } = made as ApiObject // checked before
  return {
    kind,
    apiVersion,
    metadata: {
      ...kept,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    ...content,
  }
}

function checkIdentity(
  made: Record<string, unknown>,
  { metadata: { name = '', namespace = '', uid = '' } }: ApiObject,
  told: string,
): void {
  const check = (word: string, before: string, after: unknown = '') => {
    if (before === after) return
    throw new Error(`${told}must have the same ${word}: ${before} != ${jsonWord(after)}`)
  }
  check('name', name, made['name'])
  check('namespace', namespace, made['namespace'])
  check('UID', uid, made['uid'])
}

function jsonWord(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(value: unknown, name: string, told: string): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) {
    throw new Error(`${told}invalid metadata.${name} of type ${goType(value)} in converted object`)
  }
  const wrong = Object.keys(value).find((key) => typeof value[key] !== 'string')
  if (wrong !== undefined) {
    const type = goType(value[wrong])
    throw new Error(
      `${told}metadata.${name}[${wrong}] must be a string, but is ${type} in converted object`,
    )
  }
  return Object.keys(value).length === 0 ? undefined : (value as Record<string, string>)
}

function goType(value: unknown): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return typeof value === 'bigint' ? 'int64' : 'string'
}

/**
 * Members of an object in a response. @throws Error in the wording of the real server's decoder.
 */
export function decodedMember(value: unknown): Record<string, unknown> {
  if (value === null) throw new Error('unexpected end of JSON input')
  if (!isObject(value)) {
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    throw new Error(`json: cannot unmarshal ${type} into Go value of type map[string]interface {}`)
  }
  if (typeof value['kind'] !== 'string' || value['kind'] === '') {
    throw new Error(`Object 'Kind' is missing in '${jsonText(sortedMembers(value))}'`)
  }
  return value
}
