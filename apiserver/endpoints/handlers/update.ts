import { badRequest } from '../../meta/statusErrors.ts'
import { runSteps } from '../../meta/waiting/steps.ts'
import type { ApiObject } from '../../meta/types.ts'
import { matchNamespace, wipeSystemMetadata } from '../../registry/write/metadataSteps.ts'
import { revisionRequired } from '../../registry/write/updateObject.ts'
import { bodyObject, reportFieldProblems } from '../body/bodyObject.ts'
import { bodyMediaType, decodeReceived } from '../body/decodeBody.ts'
import { nextTurn, type Exchange } from '../exchange.ts'
import { fieldManagement } from '../write/fieldManagement.ts'
import { checkObjectFormat } from '../response/objectResponse.ts'
import { readBody } from '../body/readBody.ts'
import type { RequestInfo } from '../requestInfo.ts'
import type { Target } from '../target.ts'
import { checkPathName } from '../pathName.ts'
import { refuseKind } from '../write/refusedKind.ts'
import { dedupSentOwners } from '../write/sentOwners.ts'
import { writeOptions } from '../write/writeOptions.ts'
import { writeUpdated } from '../write/writeUpdated.ts'

/** Handles PUT: replaces the object, or creates it if the kind allows that. Source: reference 3.3. */
export async function handleUpdate(exchange: Exchange, target: Target): Promise<void> {
  const { resource } = target
  const { info } = exchange
  requireName(info)
  checkObjectFormat(exchange, resource)
  const bytes = await readBody(exchange)
  const options = writeOptions(exchange, 'UpdateOptions')
  // Unlike for a create, the body's type is checked after the options.
  const body = { body: bytes, mediaType: bodyMediaType(exchange) }
  const { value, duplicates, hasLiterals } = await decodeReceived(exchange, body, resource.kind)
  await nextTurn(exchange, bytes.length)
  let wrongKind: string | undefined
  const deferKind = (kind: string) => (wrongKind = kind)
  const { resources } = exchange.plane
  const report = (problems: readonly string[]) =>
    reportFieldProblems(problems, options.fieldValidation, exchange, resource)
  const origin = { resources, bytes, report, deferKind, hasLiterals, isWritten: true }
  const { object, problems, sent } = bodyObject(value, duplicates, resource, origin)
  report(problems)
  matchNamespace(object.metadata, target.object.namespace)
  checkName(object, info.name)
  checkPathName(info.name)
  dedupSentOwners(object, exchange)

  const { uid, resourceVersion } = object.metadata
  const management = fieldManagement(target, options, resources)
  const request = {
    transform: (old: ApiObject, size: number) => {
      // The storage requires a revision before anything is validated.
      if (wrongKind !== undefined) {
        if (resourceVersion === undefined) throw revisionRequired(resource, info.name)
        return refuseKind({ kind: wrongKind, object, resource, dryRun: options.dryRun }, exchange)
      }
      return runSteps(management.updatedInSteps(old, structuredClone(object), sent), () =>
        nextTurn(exchange, Math.max(size, bytes.length)),
      )
    },
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(createsMissing(target)
      ? { createMissing: () => management.updated(undefined, forCreation(object)) }
      : {}),
  }
  await writeUpdated(exchange, target, request, options)
}

function createsMissing({ resource, subresource }: Target): boolean {
  const { allowCreateOnUpdate } = subresource?.strategy ?? resource.strategy
  return allowCreateOnUpdate === true
}

function forCreation(object: ApiObject): ApiObject {
  const copy = structuredClone(object)
  wipeSystemMetadata(copy.metadata)
  return copy
}

/**
 * Checks that the URL has a name. Only custom kinds have such a route: built-in kinds respond 405. Source: reference
 * 0.4.
 */
export function requireName({ name }: Pick<RequestInfo, 'name'>): void {
  if (name === '') throw badRequest('name must be provided')
}

/** Checks the name in the body against the URL. Source: reference 1.16. */
export function checkName({ metadata }: ApiObject, urlName: string): void {
  const name = metadata.name ?? ''
  if (name === urlName) return
  if (name === '') {
    throw badRequest(
      `the name of the object (${urlName} based on URL) was undeterminable: name must be provided`,
    )
  }
  throw badRequest(
    `the name of the object (${name}) does not match the name on the URL (${urlName})`,
  )
}
