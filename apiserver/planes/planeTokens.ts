import {
  ServiceAccountTokens,
  type TokenSigner,
} from '../authentication/tokens/serviceAccountTokens.ts'
import { serveTokenKeys } from '../endpoints/documents/tokenKeys.ts'
import type { ControlPlaneOptions } from '../controlPlane/controlPlane.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import { clusterAudiences, storedObjects } from '../controlPlane/serviceAccounts.ts'
import type { Storage } from '../storage/storage.ts'
import type { PlaneObject } from './planeObject.ts'
import { planeKeyPrefix } from './planeRemoval.ts'

export interface PlaneTokensOptions {
  names: NamesProfile
  storage: Storage
  signer: TokenSigner
  /** Base URL of the server. */
  url: () => string
}

/**
 * The service accounts of the planes of clusters. All tokens have the same signing keys; the issuer, which is the
 * plane's own URL, determines the plane that they are valid for.
 */
export class PlaneTokens {
  readonly #options: PlaneTokensOptions
  readonly #known = new WeakMap<PlaneObject, ServiceAccountTokens>()

  constructor(options: PlaneTokensOptions) {
    this.#options = options
  }

  of(object: PlaneObject): ServiceAccountTokens {
    let tokens = this.#known.get(object)
    if (tokens === undefined) this.#known.set(object, (tokens = this.#make(object)))
    return tokens
  }

  /** Serves the documents about the plane's token keys, and otherwise calls `rest`. */
  serve(
    object: PlaneObject,
    rest: ControlPlaneOptions['serveServerPath'],
  ): ControlPlaneOptions['serveServerPath'] {
    const { signer } = this.#options
    const issuer = { keys: [signer.keys], url: () => this.#issuerOf(object) }
    return async (exchange) => (await serveTokenKeys(exchange, issuer)) || rest(exchange)
  }

  #make(object: PlaneObject): ServiceAccountTokens {
    const { storage, signer } = this.#options
    const prefix = () => {
      const uid = object.store.cache.get(object.store.keyOf(object.name))?.object().metadata.uid
      return uid === undefined ? undefined : planeKeyPrefix(uid)
    }
    return new ServiceAccountTokens(signer, {
      issuer: () => this.#issuerOf(object),
      audiences: clusterAudiences,
      find: storedObjects(storage, prefix),
    })
  }

  #issuerOf({ target, name }: PlaneObject): string {
    const { names, url } = this.#options
    const base = `${url()}/${names.proxySegment}`
    return target.plane === 'virtualCluster'
      ? `${base}/project/${target.project}/virtualcluster/${target.virtualCluster}`
      : `${base}/cluster/${name.name}`
  }
}
