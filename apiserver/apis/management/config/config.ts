import { forbiddenField, requiredField } from '../../../meta/fieldErrors.ts'
import { managementGroup, type NamesProfile } from '../../../meta/namesProfile.ts'
import { forbidden, invalid } from '../../../meta/statusErrors.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import type { ConfigDocument } from '../../../platformConfig/configReader.ts'
import type { ConfigView, PlatformConfig } from '../../../platformConfig/platformConfig.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { bytes, secret, struct } from '../../schema.ts'
import { answeredKind, answerObject, managementResource } from '../managementKind.ts'
import { configStatusSchema } from './configStatus.ts'

const kind = 'Config'
const plural = 'configs'

/** What a list calls the one configuration there is; a GET of any name answers it under that name. */
const listedName = 'config'

/** The platform's configuration. Source: specification, "Config"; platform facts 1.7. Extensions: list, update and patch.
 *  Who may `get` the subresource `secrets`, which has no path of its own, is shown the secrets in it. */
export function configResource(
  names: NamesProfile,
  config: PlatformConfig,
  access: PlaneAccess,
): ResourceDefinition {
  const answers = new ConfigAnswers(names, config, access)
  const resource = answeredKind(
    {
      names,
      kind,
      plural,
      description: 'Config is the configuration of the platform; there is one.',
      fields: {
        spec: struct(
          {
            raw: secret(
              bytes('The configuration as a YAML document with the fields of status, in base64.'),
            ),
          },
          'What the configuration should be.',
        ),
        status: configStatusSchema(names),
      },
    },
    ['create', 'get', 'list', 'patch', 'update'],
    {
      get: (request) => answers.show(request),
      list: async (request) => [await answers.show({ ...request, name: listedName })],
      create: (object, request) => {
        const name = object.metadata.name ?? listedName
        return answers.set(object, { ...request, name }, undefined)
      },
      update: (object, request) => answers.set(object, request, object.metadata.resourceVersion),
    },
  )
  return { ...resource, aliases: ['config'] }
}

type Stored = NonNullable<ConfigView['stored']>

class ConfigAnswers {
  readonly #names: NamesProfile
  readonly #config: PlatformConfig
  readonly #access: PlaneAccess

  constructor(names: NamesProfile, config: PlatformConfig, access: PlaneAccess) {
    this.#names = names
    this.#config = config
    this.#access = access
  }

  async show({ user, name }: AnswerRequest): Promise<ApiObject> {
    return this.#object(name, this.#config.view(await this.#maySeeSecrets(user, name)))
  }

  async set(
    object: ApiObject,
    request: AnswerRequest,
    resourceVersion: string | undefined,
  ): Promise<ApiObject> {
    const { name, user, dryRun } = request
    if (this.#config.current().disableConfigEndpoint) throw this.#disabled(name)
    const raw = rawOf(object)
    if (raw === undefined) throw this.#invalid(name, [requiredField('spec.raw')])
    const document = await this.#config.check(raw)
    const errors = [...document.errors, ...unknownFieldErrors(document, request)]
    if (errors.length > 0) throw this.#invalid(name, errors)
    const withSecrets = await this.#maySeeSecrets(user, name)
    if (dryRun) return this.#object(name, this.#config.preview(raw, document, withSecrets))
    await this.#config.set({ raw, resourceVersion })
    return this.#object(name, this.#config.view(withSecrets))
  }

  async #maySeeSecrets(user: UserInfo, name: string): Promise<boolean> {
    const { allowed } = await this.#access.authorize({
      user,
      verb: 'get',
      isResource: true,
      ...managementResource(this.#names, plural),
      version: 'v1',
      subresource: 'secrets',
      namespace: '',
      name,
      path: '',
    })
    return allowed
  }

  #object(name: string, { raw, status, stored }: ConfigView): ApiObject {
    return answerObject(this.#names, kind, {
      metadata: stored === undefined ? { name } : { name, ...systemMetadata(stored) },
      spec: raw.byteLength === 0 ? {} : { raw: raw.toString('base64') },
      status,
    })
  }

  #disabled(name: string) {
    const why = 'setting the configuration through the API is disabled by disableConfigEndpoint'
    return forbidden(managementResource(this.#names, plural), name, why)
  }

  #invalid(name: string, errors: ConfigDocument['errors']) {
    return invalid({ group: managementGroup(this.#names), kind }, name, errors)
  }
}

function systemMetadata({ uid, resourceVersion, creationTimestamp }: Stored) {
  return { uid, resourceVersion, creationTimestamp }
}

function rawOf(object: ApiObject): Buffer | undefined {
  // The schema says that raw is base64; an empty one is dropped.
  const spec = object['spec'] as { raw?: string } | undefined
  return spec?.raw === undefined ? undefined : Buffer.from(spec.raw, 'base64')
}

/** Settings nobody knows are treated as unknown fields of the object are. */
function unknownFieldErrors(
  { unknownFields }: ConfigDocument,
  { query, warn }: AnswerRequest,
): ConfigDocument['errors'] {
  const mode = query.get('fieldValidation') ?? ''
  if (mode === 'Strict') {
    return unknownFields.map((path) => forbiddenField(path, 'there is no such setting'))
  }
  if (mode !== 'Ignore') for (const path of unknownFields) warn(`unknown field "${path}"`)
  return []
}
