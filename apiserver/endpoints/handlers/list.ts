import type { OutputFormat } from '../../encoding/outputFormat.ts'
import { protobufType } from '../../encoding/mediaTypes.ts'
import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import { selectorsFor } from '../../registry/read/listOptions.ts'
import { listObjects } from '../../registry/read/listObjects.ts'
import type { ListPage } from '../../registry/read/listPage.ts'
import { computedItems } from '../../registry/read/computedPage.ts'
import { listKindOf, type ResourceDefinition } from '../../registry/resource.ts'
import { nextTurn, registryContext, type Exchange } from '../exchange.ts'
import { longWorkTurn } from '../longWorkTurn.ts'
import { checkRoom } from '../response/holdResponse.ts'
import { asksExtended } from '../extended.ts'
import { askedRevision, listQuery } from '../listQuery.ts'
import { isAList } from '../response/misfit.ts'
import { outputFormat } from '../response/outputFormat.ts'
import { listAsProtobuf } from '../response/protobufForm.ts'
import { convertList, listMeta, shownMeta, writeConverted } from '../response/convertedList.ts'
import { writeBody } from '../response/response.ts'
import type { Target } from '../target.ts'
import { writeSegments } from '../response/segmentedBody.ts'

/** Handles GET of a collection. Source: reference 4.3. */
export async function handleList(exchange: Exchange, { resource, store }: Target): Promise<void> {
  const format = listFormat(exchange, resource)
  const options = listQuery(exchange)
  // Errors of selectors precede errors of the revision.
  selectorsFor(options, resource)
  const revision = askedRevision(options)
  const { info, shows } = exchange
  const page = await listObjects(store, {
    namespace: info.namespace,
    ...{ options, revision, shows },
    nextTurn: () => longWorkTurn(exchange),
  })
  const asked = await asAsked(exchange, resource, page)
  if (!isStoredForm(format)) {
    await nextTurn(exchange, bytesOf(asked))
    if (exchange.response.destroyed) return
    checkRoom(exchange)
  }
  await writeList(exchange, resource, asked, format)
}

/** Reports whether items are sent in their stored form. */
function isStoredForm({ convert, pretty, mediaType }: OutputFormat): boolean {
  return convert === undefined && !pretty && mediaType === 'application/json'
}

function bytesOf(page: ListPage): number {
  let bytes = 0
  for (const entry of page.entries()) bytes += entry.bytes.length
  return bytes
}

/** The page with computed fields for `extended=true`, if the kind has any. */
async function asAsked(
  exchange: Exchange,
  { extend }: ResourceDefinition,
  page: ListPage,
): Promise<ListPage> {
  if (extend === undefined || !asksExtended(exchange)) return page
  const context = registryContext(exchange)
  const objects: ApiObject[] = []
  for (const entry of page.entries()) objects.push(await extend(entry.object(), context))
  return { ...page, ...computedItems(objects) }
}

/** The format of a list response. @throws StatusError NotAcceptable. */
export function listFormat(exchange: Exchange, resource: ResourceDefinition): OutputFormat {
  const format = outputFormat(exchange, 'table-and-metadata')
  if (format.convert?.kind === 'PartialObjectMetadata') throw isAList(resource)
  return format
}

/** Writes a page in the negotiated format, from cached bytes if possible. */
export async function writeList(
  exchange: Exchange,
  resource: ResourceDefinition,
  page: ListPage,
  format: OutputFormat,
): Promise<void> {
  if (format.convert === undefined) noteList(exchange, resource, page, format)
  if (isStoredForm(format)) {
    const metadata = JSON.stringify(shownMeta(resource, page))
    const head = `{"kind":"${listKindOf(resource)}","apiVersion":"${groupVersionString(resource)}","metadata":${metadata},"items":[`
    await writeSegments(exchange, {
      head: Buffer.from(head),
      segments: page.items(),
      tail: Buffer.from(']}\n'),
    })
    return
  }
  if (format.convert === undefined && format.mediaType === protobufType) {
    const entries = [...page.entries()]
    const body = await listAsProtobuf(exchange, resource, { metadata: listMeta(page), entries })
    await writeBody(exchange, body, { code: 200, mediaType: protobufType })
    return
  }
  await writeConverted(exchange, resource, page, format)
}

function noteList(
  exchange: Exchange,
  resource: ResourceDefinition,
  page: ListPage,
  format: OutputFormat,
): void {
  if (exchange.audit === undefined) return
  const bytes = page.items().reduce((sum, segment) => sum + segment.length, 0)
  exchange.audit.responseObject(() => convertList(exchange, resource, page, format), bytes)
}
