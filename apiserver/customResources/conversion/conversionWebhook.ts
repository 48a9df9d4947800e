import type { Random } from '../../meta/clock.ts'
import { jsonText, parseExact } from '../../meta/json/exactJson.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { plainError, tooManyRequests } from '../../meta/statusErrors.ts'
import { StatusError } from '../../meta/status.ts'
import type { ApiObject } from '../../meta/types.ts'
import {
  PendingConversion,
  type RemoteConversion,
} from '../../registry/versions/remoteConversion.ts'
import {
  addressOf,
  type ServiceObjects,
  type WebhookClientConfig,
} from '../../webhooks/webhookAddress.ts'
import type { WebhookClient } from '../../webhooks/webhookClient.ts'
import { conversionReview, convertedObjects } from './conversionReview.ts'
import { convertedCopy, decodedMember } from './convertedCopy.ts'

const timeoutSeconds = 30
/**
 * Maximum number of concurrent calls for one kind. Further calls are refused, so that an
 * unresponsive webhook does not occupy every connection.
 */
const mostCalls = 100
/**
 * Maximum number of results kept for computations that continue after a conversion, and their total
 * size in characters.
 */
const mostRecent = { count: 256, length: 16 * 1024 * 1024 }
/**
 * Maximum size of a response: a fixed number of bytes or a multiple of the request, whichever is
 * larger.
 */
const responseBytes = { least: 1024 * 1024, factor: 4 }

/** Dependencies of webhook calls. */
export interface ConversionCalls {
  client: Pick<WebhookClient, 'post'>
  services: ServiceObjects
  random: Pick<Random, 'uuid'>
}

export interface ConversionWebhookOptions extends ConversionCalls {
  config: WebhookClientConfig
  /** Review versions that the webhook supports, preferred version first. */
  reviewVersions: readonly string[]
  group: string
  kind: string
  /** Versions of the kind. */
  versions: readonly string[]
}

/**
 * Converter for the objects of one kind, which calls the kind's webhook.
 * Source: Kubernetes documentation, "Webhook conversion"; messages seen on kube-apiserver 1.37.2.
 */
export class ConversionWebhook implements RemoteConversion {
  readonly #options: ConversionWebhookOptions
  readonly #recent = new Map<string, string>()
  #recentLength = 0
  #calls = 0

  constructor(options: ConversionWebhookOptions) {
    this.#options = options
  }

  async convert(objects: readonly ApiObject[], apiVersion: string): Promise<ApiObject[]> {
    const others = objects.filter((object) => object.apiVersion !== apiVersion)
    this.#checkVersions(others, apiVersion)
    const made = others.length === 0 ? [] : await this.#asked(others, apiVersion)
    const results = new Map(others.map((object, at) => [object, made[at]]))
    return objects.map((object) => results.get(object) ?? object)
  }

  converted(object: ApiObject, apiVersion: string): ApiObject {
    if (object.apiVersion === apiVersion) return object
    const text = jsonText(object)
    const key = `${apiVersion} ${text}`
    const known = this.#recent.get(key)
    if (known === undefined) throw new PendingConversion(this.#remember(object, apiVersion, key))
    return parseExact(known) as ApiObject // a result of `convert`
  }

  async #remember(object: ApiObject, apiVersion: string, key: string): Promise<void> {
    const [made] = await this.convert([object], apiVersion)
    const text = jsonText(made)
    if (!this.#recent.has(key)) this.#recentLength += key.length + text.length
    this.#recent.set(key, text)
    for (const [oldest, result] of this.#recent) {
      const { count, length } = mostRecent
      if (this.#recent.size <= count && this.#recentLength <= length) return
      this.#recent.delete(oldest)
      this.#recentLength -= oldest.length + result.length
    }
  }

  #checkVersions(objects: readonly ApiObject[], apiVersion: string): void {
    const { group, versions } = this.#options
    const isKnown = (name: string) => versions.some((version) => name === `${group}/${version}`)
    if (!isKnown(apiVersion)) {
      throw plainError(`request to convert CR to an invalid group/version: ${apiVersion}`)
    }
    const odd = objects.find((object) => !isKnown(object.apiVersion))
    if (odd !== undefined) {
      throw plainError(`request to convert CR from an invalid group/version: ${odd.apiVersion}`)
    }
  }

  async #asked(objects: readonly ApiObject[], apiVersion: string): Promise<ApiObject[]> {
    const from = objects[0]?.apiVersion ?? ''
    const subject = `conversion webhook for ${from}, Kind=${this.#options.kind}`
    if (this.#calls >= mostCalls) {
      throw tooManyRequests(`${subject} failed: too many calls of it are running`, 1)
    }
    this.#calls++
    try {
      const made = await this.#call(objects, apiVersion).catch((error: unknown) => {
        throw new Error(`${subject} failed: ${messageOf(error)}`, { cause: error })
      })
      return this.#checked(made, { objects, apiVersion, subject })
    } catch (error) {
      throw error instanceof StatusError ? error : plainError(messageOf(error), error)
    } finally {
      this.#calls--
    }
  }

  async #call(
    objects: readonly ApiObject[],
    desiredAPIVersion: string,
  ): Promise<readonly unknown[]> {
    const { config, reviewVersions, client, services, random } = this.#options
    const version = reviewVersions.find((one) => one === 'v1' || one === 'v1beta1') ?? 'v1'
    const { caBundle = '' } = config
    const uid = random.uuid()
    const body = conversionReview({ uid, desiredAPIVersion, objects }, version)
    const response = await client.post({
      address: await addressOf(config, timeoutSeconds, services),
      ca: caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString(),
      body,
      maxBytes: responseBytes.least + responseBytes.factor * body.length,
      timeoutMs: timeoutSeconds * 1000,
      // All concurrent readers of the objects share the result, so none may abort the call.
      signal: undefined,
    })
    return convertedObjects(response, { uid, version, count: objects.length })
  }

  #checked(
    made: readonly unknown[],
    { objects, apiVersion, subject }: { objects: readonly ApiObject[] } & Told,
  ): ApiObject[] {
    if (made.length !== objects.length) {
      throw new Error(`${subject} returned ${made.length} objects, expected ${objects.length}`)
    }
    return objects.map((object, at) => {
      const found = decodedMember(made[at])
      this.#checkType(found, at, { apiVersion, subject })
      return convertedCopy(found, object, subject)
    })
  }

  #checkType({ kind, apiVersion: given }: Record<string, unknown>, at: number, told: Told): void {
    const { apiVersion, subject } = told
    const place = `${subject} returned invalid object at index ${at}: `
    if (given !== apiVersion) {
      const received = typeof given === 'string' ? given : ''
      throw new Error(`${place}invalid groupVersion (expected ${apiVersion}, received ${received})`)
    }
    if (kind !== this.#options.kind) {
      const wanted = this.#options.kind
      throw new Error(`${place}invalid kind (expected ${wanted}, received ${String(kind)})`)
    }
  }
}

interface Told {
  apiVersion: string
  subject: string
}
