import {
  filledSecret,
  heldToken,
  isFilled,
  tokenAccount,
  tokenSecretType,
} from '../apis/kubernetes/core/tokenSecret.ts'
import type { PlaneAccess } from '../apis/planeAccess.ts'
import type { ServiceAccountTokens } from '../authentication/tokens/serviceAccountTokens.ts'
import { TokenSecrets } from '../controllers/tokenSecrets.ts'
import type { Clock } from '../meta/clock.ts'
import type { ApiObject } from '../meta/types.ts'

export interface PlaneTokenSecretsOptions {
  access: PlaneAccess
  /** PEM; undefined: clients already trust the certificate. */
  caCertificate: string | undefined
  clock: Clock
  report: (error: unknown) => void
}

/** The maximum lifetime of a token in seconds. */
const lastingSeconds = 2 ** 32

/** The controller that fills token secrets of a plane. The caller starts it. */
export function planeTokenSecrets(options: PlaneTokenSecretsOptions): TokenSecrets {
  const { access, caCertificate, clock, report } = options
  const tokens = access.tokens()
  return new TokenSecrets({
    secrets: access.store({ group: '', resource: 'secrets' }),
    accounts: access.store({ group: '', resource: 'serviceaccounts' }),
    marker: tokenSecretType,
    accountOf: tokenAccount,
    fill: async (secret, account) => {
      const parts = { accountUid: account.metadata.uid ?? '', caCertificate }
      const held = heldToken(secret)
      const isLacking = held === '' || (await tokens.isOutdated(held))
      if (!isLacking && isFilled(secret, parts)) return undefined
      const token = isLacking ? await lastingToken(secret, account, tokens) : held
      return (old) => filledSecret(old, heldToken(old) === held ? token : heldToken(old), parts)
    },
    clock,
    report,
  })
}

async function lastingToken(
  secret: ApiObject,
  account: ApiObject,
  tokens: ServiceAccountTokens,
): Promise<string> {
  const { namespace = '' } = secret.metadata
  const { token } = await tokens.issue({
    claim: {
      namespace,
      serviceaccount: claimed(account),
      secret: claimed(secret),
      isStored: true,
    },
    audiences: tokens.audiences(),
    lifeSeconds: lastingSeconds,
  })
  return token
}

function claimed({ metadata: { name = '', uid = '' } }: ApiObject): { name: string; uid: string } {
  return { name, uid }
}
