import { formatTime } from '../../../meta/clock.ts'
import { sortedMembers } from '../../../meta/json/sortedMembers.ts'
import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { conflict, invalid, notFound } from '../../../meta/statusErrors.ts'
import { objectMetaSchema } from '../../../meta/objectMetaSchema.ts'
import type { Schema } from '../../../meta/schema.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ServiceAccountTokens } from '../../../authentication/tokens/serviceAccountTokens.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'
import { canonicalForm } from '../../../registry/schema/canonicalForm.ts'
import { matchNamespace } from '../../../registry/write/metadataSteps.ts'
import type { AnsweredSubresource, ResourceDefinition } from '../../../registry/resource.ts'
import { reviewKind } from '../../reviewKind.ts'
import { secret } from '../../schema.ts'
import { kindSchema, type KindContext } from '../builtInKind.ts'
import type { TokenRequestSpec } from '../shapes/authenticationV1.ts'
import { withField } from '../withField.ts'
import { boundClaims } from './boundObject.ts'

const group = 'authentication.k8s.io'
const kind = 'TokenRequest'
const version = 'v1'

const defaultSeconds = 60 * 60
const leastSeconds = 10 * 60
const mostSeconds = 2 ** 32
/**
 * Lifetime that a kubelet requests for pods that may predate expiring tokens. The issued token is
 * valid for a year and contains the time by which it should be replaced. Source: Kubernetes
 * documentation, "Bound service account tokens".
 */
const extendedSeconds = { asked: 3607, given: 365 * 24 * 60 * 60 }

/** Issues tokens of a service account. Source: Kubernetes API reference, TokenRequest v1. */
export function tokenSubresource({ access, types }: KindContext): AnsweredSubresource {
  const description = 'TokenRequest requests a token of a service account.'
  let schema: Schema | undefined
  const answers: ResourceDefinition['answers'] = {
    isReviewing: true,
    create: async (sent, request) => {
      const object = (await request.admission?.mutated(sent)) ?? sent
      return answer(object, request, access.of(request).tokens())
    },
  }
  const resource = {
    ...reviewKind({ group, kind, schema: {}, answers }),
    namespaced: true,
    strategy: { setDefaults },
    // Created on first use, like the schemas of all built-in kinds.
    get schema() {
      return (schema ??= requestSchema(kindSchema(types, { group, version, kind }, description)))
    },
  }
  return { name: 'token', verbs: ['create'], resource }
}

/** The generated schema with a secret token and an integer lifetime. */
function requestSchema(generated: Schema): Schema {
  const secretToken = withField(generated, ['status', 'token'], secret)
  const seconds = ['spec', 'expirationSeconds']
  return withField(secretToken, seconds, (field) => ({ ...field, canonical: 'double' }))
}

/**
 * Sets defaults. Runs before field managers are recorded, so the caller also owns the defaults. Source: observed
 * answers.
 */
function setDefaults(object: ApiObject): void {
  // Guaranteed by the schema.
  const spec = (object['spec'] ?? {}) as TokenRequestSpec
  object['spec'] = { ...spec, expirationSeconds: spec.expirationSeconds ?? defaultSeconds }
}

async function answer(
  object: ApiObject,
  request: AnswerRequest,
  tokens: ServiceAccountTokens,
): Promise<ApiObject> {
  const { namespace, name } = request
  const metadata = { ...object.metadata }
  const { uid: wantedUid = '' } = metadata
  matchNamespace(metadata, namespace)
  if (metadata.name !== undefined && metadata.name !== name) {
    const why = 'must match the service account name if specified'
    throw invalid({ group, kind }, name, [invalidField('metadata.name', metadata.name, why)])
  }
  const account = tokens.find('serviceaccounts', request)
  if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, name)
  const { uid = '' } = account.metadata
  if (wantedUid !== '' && wantedUid !== uid) {
    const why = `the UID in the token request (${wantedUid}) does not match the UID of the service account (${uid})`
    throw conflict({ group, resource: kind }, name, why)
  }
  const now = tokens.now()
  const spec = specOf(object, tokens)
  const errors = [...attestationErrors(spec), ...lifeErrors(spec.expirationSeconds)].slice(0, 1)
  if (errors.length > 0) throw invalid({ group, kind }, '', errors)
  const filled = {
    ...object,
    // The rest is shown as it was sent, and the bound object even if empty.
    metadata: inSchemaOrder({
      ...metadata,
      name,
      namespace,
      uid,
      creationTimestamp: formatTime(now),
    }),
    spec: { ...spec, boundObjectRef: spec.boundObjectRef ?? null },
  }
  await request.admission?.validated({ ...filled, status: noStatus })
  const token = await issue(spec, account, request, tokens)
  const expirationTimestamp = formatTime(now + spec.expirationSeconds * 1000)
  return { ...filled, status: { token, expirationTimestamp } }
}

function inSchemaOrder(metadata: ApiObject['metadata']): ApiObject['metadata'] {
  // Sound: only the order of the fields changes.
  return canonicalForm(metadata, objectMetaSchema).value as ApiObject['metadata']
}

/** Status of a token that is not issued yet, as reviewers see it. */
const noStatus = { token: '', expirationTimestamp: null }

type FilledSpec = TokenRequestSpec & { audiences: string[]; expirationSeconds: number }

function specOf(object: ApiObject, tokens: ServiceAccountTokens): FilledSpec {
  // Guaranteed by the schema.
  const given = (object['spec'] ?? {}) as TokenRequestSpec
  const audiences = given.audiences ?? []
  return {
    ...given,
    // The issuer identifies this server.
    audiences: audiences.length === 0 ? tokens.audiences().slice(0, 1) : audiences,
    expirationSeconds: given.expirationSeconds ?? defaultSeconds,
  }
}

/** Errors of attestations: they are for tokens of webhooks, which this server does not issue. */
function attestationErrors({ attestations = {} }: TokenRequestSpec): FieldError[] {
  if (Object.keys(attestations).length === 0) return []
  const why = 'attestations may only be specified with a webhook bound object reference'
  return [invalidField('spec.attestations', sortedMembers(attestations), why)]
}

function lifeErrors(seconds: number): FieldError[] {
  const refused = (why: string) => [invalidField('spec.expirationSeconds', seconds, why)]
  if (seconds < leastSeconds) return refused('may not specify a duration less than 10 minutes')
  if (seconds > mostSeconds) return refused('may not specify a duration larger than 2^32 seconds')
  return []
}

async function issue(
  { audiences, expirationSeconds, boundObjectRef }: FilledSpec,
  account: ApiObject,
  { namespace, name, user, annotate }: AnswerRequest,
  tokens: ServiceAccountTokens,
): Promise<string> {
  const bound = boundClaims(boundObjectRef ?? undefined, { namespace, name }, tokens)
  const own = tokens.audiences()
  const isExtended =
    expirationSeconds === extendedSeconds.asked &&
    bound.pod !== undefined &&
    audiences.every((audience) => own.includes(audience))
  const serviceaccount = { name, uid: account.metadata.uid ?? '' }
  const scope = user.credential?.scope
  const { token, credentialId } = await tokens.issue({
    claim: { namespace, serviceaccount, ...bound },
    audiences,
    lifeSeconds: isExtended ? extendedSeconds.given : expirationSeconds,
    ...(isExtended ? { warnAfterSeconds: expirationSeconds } : {}),
    ...(scope === undefined ? {} : { scope }),
  })
  annotate?.('authentication.kubernetes.io/issued-credential-id', credentialId)
  return token
}
