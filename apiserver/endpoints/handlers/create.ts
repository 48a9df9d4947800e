import { matchNamespace, wipeSystemMetadata } from '../../registry/write/metadataSteps.ts'
import { whenConverted } from '../../registry/versions/remoteConversion.ts'
import { bodyObject, reportFieldProblems } from '../body/bodyObject.ts'
import { decodeReceived, receiveBody } from '../body/decodeBody.ts'
import { takesTurns } from '../body/userFairness.ts'
import { nextTurn, type Exchange } from '../exchange.ts'
import { reviewedContext } from '../write/clientReview.ts'
import { fieldManagement } from '../write/fieldManagement.ts'
import { checkObjectFormat, writeObject } from '../response/objectResponse.ts'
import { ownerPermission } from '../write/ownerPermission.ts'
import { refuseKind } from '../write/refusedKind.ts'
import { dedupSentOwners } from '../write/sentOwners.ts'
import type { Target } from '../target.ts'
import { writeOptions } from '../write/writeOptions.ts'

/** Handles POST. Source: reference 3.1. */
export async function handleCreate(exchange: Exchange, target: Target): Promise<void> {
  const { resource, store } = target
  checkObjectFormat(exchange, resource)
  const body = await receiveBody(exchange)
  const options = writeOptions(exchange, 'CreateOptions')
  const { value, duplicates, hasLiterals } = await decodeReceived(exchange, body, resource.kind)
  const size = body.body.length
  // Most bodies are small and need no turn, but even an await would cost them one.
  const isLarge = takesTurns(size)
  if (isLarge) await nextTurn(exchange, size)
  const report = (problems: readonly string[]) =>
    reportFieldProblems(problems, options.fieldValidation, exchange, resource)
  let wrongKind: string | undefined
  const origin = {
    resources: exchange.plane.resources,
    report,
    deferKind: (kind: string) => (wrongKind = kind),
    bytes: body.body,
    hasLiterals,
    isWritten: true,
  }
  const { object, problems, sent } = bodyObject(value, duplicates, resource, origin)
  report(problems)

  const { metadata } = object
  wipeSystemMetadata(metadata)
  matchNamespace(metadata, exchange.info.namespace)
  if (wrongKind !== undefined)
    await refuseKind({ kind: wrongKind, object, resource, dryRun: options.dryRun }, exchange)
  dedupSentOwners(object, exchange)
  const permission = ownerPermission(exchange, resource)(object, undefined)
  if (permission !== undefined) await permission
  if (isLarge) await nextTurn(exchange, size)
  const management = fieldManagement(target, options, exchange.plane.resources)
  // The body may name managers of other versions.
  const updated = whenConverted(() => management.updated(undefined, object, sent))
  const managed = updated instanceof Promise ? await updated : updated
  if (isLarge) await nextTurn(exchange, size)
  const { bytes } = await store.create(managed, reviewedContext(exchange, options.dryRun))
  await writeObject(exchange, resource, { bytes, code: 201 })
}
