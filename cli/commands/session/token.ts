import { createHash, X509Certificate } from 'node:crypto'
import type { Call } from '../../base/commandSpec.ts'
import { listAt, textAt } from '../../base/apiObject.ts'
import { CliError, usageError } from '../../base/cliError.ts'
import { askSelf, projectNamespace } from '../../client/self.ts'
import { openSession, type Session } from '../../client/session.ts'
import {
  CredentialCache,
  refreshTime,
  type Credential,
  type Issued,
} from '../../kubeconfig/credentialCache.ts'

/** Default lifetime of direct tokens: short, since they are renewed automatically. */
const directSeconds = 3_600
/** Default lifetime of client certificates. */
const certificateSeconds = 24 * 3_600

/** Prints the credential of a context as an ExecCredential, for kubectl and other clients. */
export async function token(call: Call): Promise<void> {
  const apiVersion = askedVersion(call)
  const session = await openSession(call)
  const { credential, expires } = await credentialOf(call, session)
  const status = {
    ...(expires === undefined ? {} : { expirationTimestamp: new Date(expires).toISOString() }),
    ...credential,
  }
  const answer = { kind: 'ExecCredential', apiVersion, spec: { interactive: false }, status }
  await call.terminal.out(`${JSON.stringify(answer, null, 2)}\n`)
}

/** Version that the client requests in KUBERNETES_EXEC_INFO; without a client, the newest. */
function askedVersion({ env }: Call): string {
  const known = ['v1', 'v1beta1'].map((version) => `client.authentication.k8s.io/${version}`)
  const info = env['KUBERNETES_EXEC_INFO']
  if (!info) return known[0] ?? ''
  let asked: string | undefined
  try {
    asked = textAt(JSON.parse(info), 'apiVersion')
  } catch {
    asked = undefined
  }
  if (asked !== undefined && known.includes(asked)) return asked
  throw new CliError(`cannot give a credential as "${asked ?? info}"`, {
    hint: `Known are ${known.join(' and ')}: write the context again with --exec-api-version.`,
  })
}

async function credentialOf(
  call: Call,
  session: Session,
): Promise<{ credential: Credential; expires?: number }> {
  const { flags } = call
  const virtualCluster = flags.string('virtualcluster')
  const { accessKey = '' } = session.client
  const asks =
    virtualCluster !== undefined
      ? {
          what: `certificate ${flags.string('project')}/${virtualCluster}`,
          issue: () => certificate(call, session, virtualCluster),
        }
      : flags.is('direct')
        ? { what: 'direct', issue: () => directToken(call, session) }
        : undefined
  if (asks === undefined) return { credential: { token: accessKey } }
  const hash = createHash('sha256').update(accessKey).digest('hex')
  const key = [asks.what, session.client.url, flags.string('ttl') ?? '', hash].join(' ')
  const cache = new CredentialCache(call, session.context ?? session.client.url)
  const issued = await cache.get(key, process.ppid, asks.issue)
  return { credential: issued.credential, expires: refreshTime(issued) }
}

/** Source: platform facts 3.2, "token --direct-cluster-endpoint". */
export async function directToken({ flags }: Call, { client }: Session): Promise<Issued> {
  const ttl = flags.seconds('ttl') ?? directSeconds
  const since = Date.now()
  const made = await client.create(
    { plural: 'directclusterendpointtokens' },
    { metadata: {}, spec: { ttl } },
  )
  const given = textAt(made.status, 'token')
  if (given === undefined) throw new CliError('the server answered without a token')
  const [, payload = ''] = given.split('.')
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  // Sound: a number by RFC 7519; otherwise the requested time.
  const exp = Number((claims as { exp?: number }).exp ?? since / 1000 + ttl)
  return { credential: { token: given }, since, until: exp * 1000 }
}

/** Source: platform facts 3.2, "token --project P --virtual-cluster V". */
async function certificate(call: Call, { client, server }: Session, name: string): Promise<Issued> {
  const project = call.flags.string('project') ?? server.project
  if (project === undefined) throw usageError('--virtualcluster needs --project')
  const place = {
    plural: 'virtualclusterinstances',
    namespace: projectNamespace(await askSelf(client), project),
  }
  const certificateTTL = call.flags.seconds('ttl') ?? certificateSeconds
  const since = Date.now()
  const made = await client.createBelow(place, name, 'kubeconfig', {
    spec: { certificateTTL, clientCert: true },
  })
  const { parse } = await import('../../base/yaml.ts')
  const config: unknown = parse(textAt(made.status, 'kubeConfig') ?? '')
  const [user] = listAt(config, 'users')
  const decoded = (field: string) =>
    Buffer.from(textAt(user, 'user', field) ?? '', 'base64').toString('utf8')
  const clientCertificateData = decoded('client-certificate-data')
  if (clientCertificateData === '')
    throw new CliError('the server answered without a client certificate')
  const until = Date.parse(new X509Certificate(clientCertificateData).validTo)
  return {
    credential: { clientCertificateData, clientKeyData: decoded('client-key-data') },
    since,
    until,
  }
}
