import type { OutputFormat } from '../../encoding/outputFormat.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import { groupVersionString, type ApiObject, type ListMeta } from '../../meta/types.ts'
import { inSteps, runPaced } from '../../meta/waiting/steps.ts'
import { formOf } from '../../registry/objectForm.ts'
import type { ListPage } from '../../registry/read/listPage.ts'
import { listKindOf, type ResourceDefinition } from '../../registry/resource.ts'
import {
  columnDefinitions,
  parseIncludeObject,
  partialMetadata,
  tableRow,
} from '../../registry/table.ts'
import { newTextAllowance } from '../../registry/visits.ts'
import type { Exchange } from '../exchange.ts'
import { longWorkTurn } from '../longWorkTurn.ts'
import { writeValue } from './response.ts'
import { writeSegments } from './segmentedBody.ts'

/** List in a form other than the stored one: its items come last. */
interface ListForm {
  /** Fields before the items. */
  head: object
  field: 'items' | 'rows'
  itemOf: (object: ApiObject) => unknown
}

/** Minimum length of the text of a segment. */
const segmentLength = 64 * 1024

/**
 * Writes a list in the requested form, object by object: every few milliseconds, others have their turn.
 * @throws StatusError 504 if the client no longer waits.
 */
export async function writeConverted(
  exchange: Exchange,
  resource: ResourceDefinition,
  page: ListPage,
  format: OutputFormat,
): Promise<void> {
  const { head, field, itemOf } = listForm(exchange, resource, page, format)
  const items = <T>(textOf: (item: unknown) => T) => {
    const steps = inSteps([...page.entries()], (entry) => textOf(itemOf(entry.object())))
    return runPaced(steps, () => longWorkTurn(exchange))
  }
  const isPlain = format.mediaType === 'application/json' && !format.pretty
  if (!isPlain || exchange.audit !== undefined) {
    const value = { ...head, [field]: await items((item) => item) }
    await writeValue(exchange, value, { code: 200, format })
    return
  }
  await writeSegments(exchange, {
    head: Buffer.from(`${jsonText(head).slice(0, -1)},"${field}":[`),
    segments: joined(await items((item) => Buffer.from(jsonText(item)))),
    tail: Buffer.from(']}\n'),
  })
}

/** The list in the requested form, in the caller's turn. */
export function convertList(
  exchange: Exchange,
  resource: ResourceDefinition,
  page: ListPage,
  format: OutputFormat,
): unknown {
  const { head, field, itemOf } = listForm(exchange, resource, page, format)
  return { ...head, [field]: [...page.entries()].map((entry) => itemOf(entry.object())) }
}

/** Texts joined by commas to segments that are worth a write each. */
function joined(texts: readonly Buffer[]): Buffer[] {
  const segments: Buffer[] = []
  let parts: Buffer[] = []
  let length = 0
  for (const text of texts) {
    if (parts.length > 0) parts.push(comma)
    parts.push(text)
    length += text.length
    if (length < segmentLength) continue
    segments.push(Buffer.concat(parts))
    parts = []
    length = 0
  }
  if (parts.length > 0) segments.push(Buffer.concat(parts))
  return segments
}

const comma = Buffer.from(',')

function listForm(
  exchange: Exchange,
  resource: ResourceDefinition,
  page: ListPage,
  { convert }: OutputFormat,
): ListForm {
  if (convert === undefined) return untyped(resource, page)
  const apiVersion = `meta.k8s.io/${convert.version}`
  const metadata = listMeta(page)
  if (convert.kind !== 'Table') {
    return {
      head: { kind: 'PartialObjectMetadataList', apiVersion, metadata },
      field: 'items',
      itemOf: (object) => partialMetadata(object, resource, convert.version),
    }
  }
  const asked = exchange.query.get('includeObject') ?? ''
  const row = {
    include: parseIncludeObject(asked, convert.version),
    nowMs: exchange.startedMs,
    text: newTextAllowance([...page.entries()].length),
  }
  const columns = columnDefinitions(resource)
  return {
    head: { kind: 'Table', apiVersion, metadata, columnDefinitions: columns },
    field: 'rows',
    itemOf: (object) => tableRow(object, resource, row),
  }
}

/** Items of a list without kind and version, which the list has, unless those of the kind are typed. */
function untyped(resource: ResourceDefinition, page: ListPage): ListForm {
  return {
    head: {
      kind: listKindOf(resource),
      apiVersion: groupVersionString(resource),
      metadata: shownMeta(resource, page),
    },
    field: 'items',
    itemOf: (object) => {
      if (formOf(resource).hasTypedItems) return object
      const { kind: _kind, apiVersion: _version, ...item } = object
      return item
    },
  }
}

export function listMeta(page: ListPage): ListMeta {
  return {
    ...(page.revision === undefined ? {} : { resourceVersion: String(page.revision) }),
    ...(page.continueToken === undefined ? {} : { continue: page.continueToken }),
    ...(page.remainingItemCount === undefined
      ? {}
      : { remainingItemCount: page.remainingItemCount }),
  }
}

/** The metadata of a page; the last page of custom objects has an empty token. Source: observed answers. */
export function shownMeta(resource: ResourceDefinition, page: ListPage): ListMeta {
  const metadata = listMeta(page)
  if (!formOf(resource).hasTypedItems) return metadata
  return { ...metadata, continue: metadata.continue ?? '' }
}
