import { generateAccessKey } from '../../../authentication/accessKeys/accessKeyForm.ts'
import type { Random } from '../../../meta/clock.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import { forbidden } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'
import { decodeObject } from '../../../registry/objectBytes.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { Store } from '../../../registry/store.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { objectIfAny } from '../../storeReads.ts'
import { accessKeySpecSchema } from './accessKeyFields.ts'
import { mayManageKey } from './accessKeyOwnership.ts'
import { specOf } from './accessKeySpec.ts'
import { answeredKind, answerObject, managementResource } from '../managementKind.ts'

const kind = 'ResetAccessKey'

/**
 * Resets an access key to the given or a generated value, and returns it; creates the key if it
 * does not exist. All other fields stay unchanged.
 * Source: platform facts 3.3, "ResetAccessKey".
 */
export function resetAccessKeyResource(
  names: NamesProfile,
  random: Random,
  access: PlaneAccess,
): ResourceDefinition {
  const description = `${kind} replaces the value of an access key.`
  const fields = { spec: accessKeySpecSchema(names) }
  const shape = { names, kind, plural: 'resetaccesskeys', description, fields }
  return answeredKind(shape, ['create'], {
    create: async (object, request) => {
      const keys = access.store(managementResource(names, 'ownedaccesskeys'))
      const { name } = object.metadata
      const known = name === undefined ? undefined : objectIfAny(keys, { namespace: '', name })
      if (known === undefined) return shown(names, await make(keys, object, request))
      if (!mayManageKey(specOf(known), request.user, names)) {
        const resource = managementResource(names, 'resetaccesskeys')
        throw forbidden(resource, name ?? '', 'the access key belongs to another user')
      }
      const sent = specOf(object)?.key ?? ''
      return shown(names, await reset(keys, known, sent, { request, random }))
    },
  })
}

async function make(keys: Store, object: ApiObject, request: AnswerRequest): Promise<ApiObject> {
  const { kind: keyKind } = keys.resource
  const key = { ...structuredClone(object), kind: keyKind, apiVersion: keys.apiVersion }
  const { bytes } = await keys.create(key, request)
  return decodeObject(bytes)
}

/** The key with its new value, which is not stored. */
async function reset(
  keys: Store,
  { metadata: { name = '', uid } }: ApiObject,
  sent: string,
  { request, random }: { request: AnswerRequest; random: Random },
): Promise<ApiObject> {
  const key = sent === '' ? generateAccessKey(random) : sent
  const transform = (old: ApiObject): ApiObject => ({ ...old, spec: { ...specOf(old), key } })
  const update = { transform, ...(uid === undefined ? {} : { uid }) }
  const { bytes } = await keys.update({ namespace: '', name }, update, request)
  const written = decodeObject(bytes)
  return { ...written, spec: { ...specOf(written), key } }
}

function shown(names: NamesProfile, { metadata, spec }: ApiObject): ApiObject {
  return answerObject(names, kind, { metadata, spec })
}
