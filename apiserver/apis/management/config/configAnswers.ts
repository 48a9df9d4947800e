import {
  forbiddenField,
  requiredField,
  tooLongField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import { hasReason } from '../../../meta/status.ts'
import { conflict, forbidden, invalid, staleObject } from '../../../meta/statusErrors.ts'
import type { ApiObject, ObjectMeta, UserInfo } from '../../../meta/types.ts'
import { configMetadata, metadataBytes } from '../../../platformConfig/configMetadata.ts'
import type { ConfigDocument } from '../../../platformConfig/configReader.ts'
import type { ConfigView, PlatformConfig } from '../../../platformConfig/platformConfig.ts'
import type { AnswerRequest, AnswerTransform } from '../../../registry/answers.ts'
import { validateMetadata } from '../../../registry/write/metadataValidation.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { answerObject, managementResource } from '../managementKind.ts'
import { withHidden, withoutLastApplied } from './hiddenConfig.ts'

export const configKind = { kind: 'Config', plural: 'configs' }

/** The configuration's name in lists and in requests that name none. */
export const listedName = 'config'

/** Maximum size in bytes, which is that of a Secret. */
const maxBytes = 1024 * 1024

interface ConfigRequest extends AnswerRequest {
  withSecrets: boolean
  /** True if the request names no object. */
  isCreate: boolean
}

/** Reads and sets the platform's configuration. */
export class ConfigAnswers {
  readonly #names: NamesProfile
  readonly #config: PlatformConfig
  readonly #access: PlaneAccess
  /** The previous write: writes are sequential. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(names: NamesProfile, config: PlatformConfig, access: PlaneAccess) {
    this.#names = names
    this.#config = config
    this.#access = access
  }

  async show({ user, name }: AnswerRequest): Promise<ApiObject> {
    return this.#view(name, await this.#maySeeSecrets(user, name))
  }

  async change(transform: AnswerTransform, request: AnswerRequest): Promise<ApiObject> {
    const isCreate = request.name === ''
    const name = isCreate ? listedName : request.name
    if (this.#config.current().disableConfigEndpoint) throw this.#disabled(name)
    const withSecrets = await this.#maySeeSecrets(request.user, name)
    const write = () => this.#write(transform, { ...request, name, withSecrets, isCreate })
    const written = this.#written.then(write, write)
    this.#written = written.catch(() => undefined)
    return written
  }

  /** Applies a change, and retries if the Secret itself was written in the meantime. */
  async #write(transform: AnswerTransform, request: ConfigRequest): Promise<ApiObject> {
    for (let triesLeft = 5; ; triesLeft--) {
      const before = this.#config.view(true)
      try {
        return await this.#writeOnce(transform, before, request)
      } catch (error) {
        const isRace = hasReason(error, 'Conflict') && this.#isStale(before)
        if (!isRace || triesLeft === 0) throw error
      }
    }
  }

  #isStale({ stored }: ConfigView): boolean {
    return this.#config.view(true).stored?.resourceVersion !== stored?.resourceVersion
  }

  async #writeOnce(
    transform: AnswerTransform,
    before: ConfigView,
    request: ConfigRequest,
  ): Promise<ApiObject> {
    const { withSecrets, dryRun } = request
    const old = this.#view(request.name, withSecrets)
    const sent = await transform(old)
    this.#checkIdentity(sent, old)
    const next = withSecrets
      ? sent
      : withHidden(sent, { shown: old, stored: this.#object(request.name, before, true) })
    const name = next.metadata.name ?? request.name
    const metadata = configMetadata(next.metadata)
    const errors = validateMetadata(
      { ...next.metadata, name },
      { namespaced: false, nameRule: 'pathSegment' },
    )
    if (errors.length > 0) throw this.#invalid(name, errors)
    const raw = rawOf(next) ?? this.#missing(name, before, request)
    if (raw.byteLength + metadataBytes(metadata).byteLength > maxBytes)
      throw this.#invalid(name, [tooLongField('spec.raw', maxBytes)])
    const document = await this.#checked(raw, name, {
      ...request,
      isUnchanged: raw.equals(before.raw),
      before: before.raw,
    })
    if (dryRun) {
      const view = this.#config.preview({ raw, metadata, document }, withSecrets)
      return this.#object(name, view, withSecrets)
    }
    await this.#config.set({ raw, metadata, resourceVersion: old.metadata.resourceVersion ?? null })
    return this.#view(name, withSecrets)
  }

  /**
   * The document of a write without one, since labels and annotations may be set before the first
   * configuration.
   */
  #missing(name: string, { raw }: ConfigView, request: ConfigRequest): Buffer {
    if (raw.byteLength > 0 || request.isCreate)
      throw this.#invalid(name, [requiredField('spec.raw')])
    return raw
  }

  /**
   * Validates a document; undefined: the effective document, which newer rules do not invalidate.
   * @throws StatusError Invalid.
   */
  async #checked(
    raw: Buffer,
    name: string,
    request: ConfigRequest & { isUnchanged: boolean; before: Buffer },
  ): Promise<ConfigDocument | undefined> {
    const document = await this.#config.check(raw)
    if (!request.withSecrets) await this.#refuseNewPlaceholders(document, name, request)
    const unknown = unknownFieldErrors(document, request)
    const errors = request.isUnchanged ? unknown : [...document.errors, ...unknown]
    if (errors.length > 0) throw this.#invalid(name, errors)
    return request.isUnchanged ? undefined : document
  }

  /**
   * Refuses new placeholders from users who may not see secrets, since the field would show the
   * value of an environment variable. No other errors are reported then, because they contain
   * values. @throws StatusError Invalid.
   */
  async #refuseNewPlaceholders(
    { placeholders }: ConfigDocument,
    name: string,
    { before }: { before: Buffer },
  ): Promise<void> {
    if (placeholders.size === 0) return
    const known = (await this.#config.check(before)).placeholders
    const fields = [...placeholders].filter((place) => !known.has(place))
    if (fields.length === 0) return
    const why = `a placeholder of an environment variable requires the right to get ${configKind.plural}/secrets`
    throw this.#invalid(
      name,
      fields.map((place) => forbiddenField(place.split(' ')[0] ?? '', why)),
    )
  }

  /** Checks preconditions. @throws StatusError Conflict if the object is not based on `old`. */
  #checkIdentity({ metadata }: ApiObject, { metadata: old }: ApiObject): void {
    const isOf = (field: 'uid' | 'resourceVersion') =>
      (metadata[field] ?? '') === '' || metadata[field] === old[field]
    if (isOf('uid') && isOf('resourceVersion')) return
    const resource = managementResource(this.#names, configKind.plural)
    throw conflict(resource, old.name ?? '', staleObject)
  }

  async #maySeeSecrets(user: UserInfo, name: string): Promise<boolean> {
    const { allowed } = await this.#access.authorize({
      user,
      verb: 'get',
      isResource: true,
      ...managementResource(this.#names, configKind.plural),
      version: 'v1',
      subresource: 'secrets',
      namespace: '',
      name,
      path: '',
    })
    return allowed
  }

  #view(name: string, withSecrets: boolean): ApiObject {
    return this.#object(name, this.#config.view(withSecrets), withSecrets)
  }

  #object(name: string, view: ConfigView, withSecrets: boolean): ApiObject {
    const { raw, status, stored, metadata } = view
    const object = answerObject(this.#names, configKind.kind, {
      metadata: { name, ...(stored && systemMetadata(stored)), ...metadata },
      spec: raw.byteLength === 0 ? {} : { raw: raw.toString('base64') },
      status,
    })
    return withSecrets ? object : withoutLastApplied(object)
  }

  #disabled(name: string) {
    const why = 'setting the configuration through the API is disabled by disableConfigEndpoint'
    return forbidden(managementResource(this.#names, configKind.plural), name, why)
  }

  #invalid(name: string, errors: readonly FieldError[]) {
    const { kind } = configKind
    return invalid({ group: managementGroup(this.#names), kind }, name, [...errors])
  }
}

function systemMetadata({ uid, resourceVersion, creationTimestamp }: Stored): ObjectMeta {
  return { uid, resourceVersion, creationTimestamp }
}

type Stored = NonNullable<ConfigView['stored']>

function rawOf(object: ApiObject): Buffer | undefined {
  // Guaranteed by the schema: raw is base64; an empty one is dropped.
  const spec = object['spec'] as { raw?: string } | undefined
  return spec?.raw === undefined ? undefined : Buffer.from(spec.raw, 'base64')
}

/** Reports unknown settings in the same way as unknown fields of an object. */
function unknownFieldErrors(
  { unknownFields }: ConfigDocument,
  { query, warn }: AnswerRequest,
): FieldError[] {
  const mode = query.get('fieldValidation') ?? ''
  if (mode === 'Strict') {
    return unknownFields.map((path) => forbiddenField(path, 'unknown setting'))
  }
  if (mode !== 'Ignore') for (const path of unknownFields) warn(`unknown field "${path}"`)
  return []
}
