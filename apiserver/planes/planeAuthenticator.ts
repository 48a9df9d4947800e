import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  certifiedTarget,
  type ClientCertificates,
} from '../authentication/certificates/clientCertificates.ts'
import { connectionOf, peerCertificate } from '../authentication/certificates/peerCertificate.ts'
import type { Authenticator } from '../endpoints/chainServices.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { UserInfo } from '../meta/types.ts'
import type { PlaneObject } from './planeObject.ts'

export interface Authenticators {
  names: NamesProfile
  /** Access keys, valid for every plane that their owner may use and their scope covers. */
  accessKeys: Authenticator
  /** Tokens for direct endpoints: host clusters only. */
  endpointTokens: Authenticator
  /** The server itself as a client of its planes, with a secret of this process. */
  own: { token: string; user: UserInfo }
  /** Client certificates: only the virtual cluster that they name. */
  certificates: ClientCertificates
}

/** The authenticator of a plane, by the kind of credential. */
export function planeAuthenticator(
  { target, store, name }: PlaneObject,
  { names, accessKeys, endpointTokens, certificates, own }: Authenticators,
): Authenticator {
  const common = (others: Pick<Authenticator, 'onRevoked'>) => ({
    ...(accessKeys.refusal === undefined ? {} : { refusal: accessKeys.refusal }),
    onRevoked: (user: UserInfo, callback: () => void) => {
      const of = user.credential?.accessKey === undefined ? others : accessKeys
      return of.onRevoked?.(user, callback) ?? (() => undefined)
    },
  })
  const byKey = (token: string) =>
    isSame(token, own.token) ? own.user : accessKeys.authenticate(token)
  if (target.plane === 'cluster') {
    const authenticate = (token: string) => byKey(token) ?? endpointTokens.authenticate(token)
    return { ...common(endpointTokens), authenticate }
  }
  if (target.plane !== 'virtualCluster') {
    return { ...common({}), authenticate: byKey }
  }
  const { project, virtualCluster } = target
  const scope = { virtualClusters: [{ project, virtualCluster }] }
  return {
    ...common(certificates),
    authenticate: byKey,
    authenticateConnection: (request: IncomingMessage) => {
      const uid = store.cache.get(store.keyOf(name))?.object().metadata.uid
      if (uid === undefined) return undefined
      const wanted = { target: certifiedTarget(names, target), uid }
      const shown = () => peerCertificate(request)
      const user = certificates.authenticate(connectionOf(request), shown, wanted)
      return user && { ...user, credential: { ...user.credential, scope } }
    },
  }
}

/** Compares tokens in constant time. */
function isSame(token: string, secret: string): boolean {
  const [shown, wanted] = [Buffer.from(token), Buffer.from(secret)]
  return shown.length === wanted.length && timingSafeEqual(shown, wanted)
}
