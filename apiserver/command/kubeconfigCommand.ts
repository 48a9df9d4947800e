import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { connectionTo, type PlaneConnection } from '../../syncer/client/openPlane.ts'
import type { SyncTarget } from '../../syncer/client/syncTarget.ts'
import { kubeconfigDocument } from '../apis/kubeconfigDocument.ts'
import type { Clock } from '../meta/clock.ts'
import { isObject } from '../meta/json/isObject.ts'
import { messageOf } from '../meta/messageOf.ts'
import { managementGroup } from '../meta/names/namesProfile.ts'
import { baseUrl } from '../runtime/baseUrl.ts'
import { readIfAny } from '../runtime/files/secretFile.ts'
import type { RunningServer, ServerOptions } from '../runtime/options/serverOptions.ts'
import { cannotRead, StartError } from '../runtime/startError.ts'
import type { KubeconfigOptions } from './config/kubeconfigSettings.ts'
import { managementUrl } from './kubeconfig.ts'
import { requireNew, writeNewFile } from '../runtime/files/newFile.ts'
import { sendRequest } from './serverRequest.ts'

interface Surroundings {
  writeOut(text: string): Promise<void>
  startServer(options: ServerOptions): Promise<RunningServer>
}

interface Reaching extends Pick<Surroundings, 'startServer'> {
  clock: Clock
}

/** Server that receives the request, with its public address. */
interface Reached {
  connection: PlaneConnection
  /** URL of the management API. */
  url: string
  /** PEM; undefined: the client's system trust store. */
  caCertificate: string | undefined
  release(): Promise<void>
}

/**
 * Creates an access key and writes a kubeconfig, which is the only place that contains the key.
 * Returns a sentence about it.
 * @throws StartError, StorageError.
 */
export async function writeNewKubeconfig(
  options: KubeconfigOptions,
  around: Surroundings,
  clock: Clock,
): Promise<string> {
  const { user, ttl, out, server } = options
  if (out !== undefined) await requireNew(out)
  const reached = await reach(options, { startServer: (given) => around.startServer(given), clock })
  try {
    const { name, key } = await createKey(reached.connection, options)
    const { names } = server
    const document = {
      ...{ name: names.platform, user, proof: { token: key } },
      server: options.url === undefined ? reached.url : managementUrl(options.url, names),
      caCertificate: reached.caCertificate,
    }
    const text = kubeconfigDocument(document)
    await (out === undefined ? around.writeOut(text) : writeOrSay(out, text, name))
    const end = ttl === undefined ? 'does not expire' : `expires in ${ttl} s`
    return `created the access key ${name} of ${user}, which ${end}`
  } finally {
    reached.connection.agent.destroy()
    await reached.release()
  }
}

/** Writes the file. If that fails, the error names the key, so that it can be deleted. */
async function writeOrSay(path: string, text: string, key: string): Promise<void> {
  try {
    await writeNewFile(path, Readable.from([Buffer.from(text)]))
  } catch (error) {
    const said = messageOf(error)
    throw new StartError(`${said}; the access key ${key} was created and is lost: delete it`, error)
  }
}

async function createKey(
  connection: PlaneConnection,
  { user, scope, ttl, server: { names } }: KubeconfigOptions,
): Promise<{ name: string; key: string }> {
  const apiVersion = `${managementGroup(names)}/v1`
  const spec = {
    ...{ displayName: `Kubeconfig of ${user}`, user, type: 'User' },
    ...(scope === undefined ? {} : { scope }),
    ...(ttl === undefined ? {} : { ttl }),
  }
  const body = {
    kind: 'OwnedAccessKey',
    apiVersion,
    metadata: { generateName: 'kubeconfig-' },
    spec,
  }
  const path = `/apis/${apiVersion}/ownedaccesskeys`
  // The server would also store a key for a user that does not exist yet.
  const known = {
    method: 'GET',
    path: `/apis/${apiVersion}/users/${encodeURIComponent(user)}`,
  } as const
  await asked(connection, async () => (await sendRequest(connection, known)).resume())
  const made = await asked(connection, () =>
    sendRequest(connection, { method: 'POST', path, body }).then(json),
  )
  const { metadata, spec: stored } = isObject(made) ? made : {}
  const name = isObject(metadata) ? metadata['name'] : undefined
  const key = isObject(stored) ? stored['key'] : undefined
  if (typeof name === 'string' && typeof key === 'string') return { name, key }
  throw new StartError(`${connection.base}${path} responded without a key`)
}

async function asked<T>({ base }: PlaneConnection, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StartError) throw error
    const why = messageOf(error)
    throw new StartError(`cannot reach ${base}: ${why}`, error)
  }
}

function reach(options: KubeconfigOptions, around: Reaching): Promise<Reached> {
  return options.kubeconfig === undefined
    ? reachFolder(options.server, around)
    : reachNamed(options.kubeconfig, around.clock)
}

async function reachNamed(kubeconfig: string, clock: Clock): Promise<Reached> {
  const connection = await connectionTo({ kubeconfig }, clock).catch((error: unknown) => {
    throw cannotRead(`the kubeconfig ${kubeconfig}`, error)
  })
  const cluster = connection.config.getCurrentCluster()
  if (cluster?.skipTLSVerify === true)
    throw new StartError(
      `${kubeconfig} does not verify the server, so no kubeconfig can be made of it; give it certificate-authority-data`,
    )
  const caCertificate =
    cluster?.caData === undefined
      ? cluster?.caFile && (await readFile(cluster.caFile, 'utf8'))
      : Buffer.from(cluster.caData, 'base64').toString()
  return { connection, url: connection.base, caCertificate, release: () => Promise.resolve() }
}

/**
 * Finds the server of a data folder: the server that has the folder open, or one started for this
 * request.
 */
async function reachFolder(options: ServerOptions, around: Reaching): Promise<Reached> {
  const { dataDir, storage } = options
  if (dataDir === undefined || storage !== 'level')
    throw new StartError(`with storage ${storage}, name a running server with --kubeconfig`)
  if ((await stat(join(dataDir, 'format.json')).catch(() => undefined)) === undefined)
    throw new StartError(
      `${dataDir} holds no data: start the server once, or name it with --data-dir`,
    )
  try {
    return await reachStopped(options, around)
  } catch (error) {
    // Checked by code rather than by class, since the server may be loaded on demand.
    if (error instanceof Error && 'code' in error && error.code === 'Locked')
      return reachRunning({ ...options, dataDir }, around.clock)
    throw error
  }
}

/** Starts a server on a port that only this process knows. */
async function reachStopped(options: ServerOptions, around: Reaching): Promise<Reached> {
  const server = await around.startServer({
    ...options,
    ...{ bindAddress: '127.0.0.1', securePort: 0, insecurePort: 0, console: false },
    ...{ kubeconfigOut: undefined, logLevel: 'error' },
  })
  const { insecureUrl = '', adminAccessKey: token, caCertificate } = server
  const release = () => server.stop()
  try {
    const url = managementUrl(insecureUrl, options.names)
    const connection = await connectionTo({ url, token }, around.clock)
    return { connection, url: servedUrl(options), caCertificate, release }
  } catch (error) {
    await release()
    throw error
  }
}

async function reachRunning(
  options: ServerOptions & { dataDir: string },
  clock: Clock,
): Promise<Reached> {
  const { dataDir, tlsCertFile, securePort } = options
  const kept = await readIfAny(join(dataDir, 'admin-access-key'))
  const token = options.adminAccessKey ?? kept?.trim()
  if (token === undefined || tlsCertFile !== undefined || securePort === 0)
    throw new StartError(
      `${dataDir} is open in a running server; name its kubeconfig with --kubeconfig`,
    )
  const caCertificate = await readIfAny(join(dataDir, 'pki', 'ca.crt'))
  const url = servedUrl(options)
  const target: SyncTarget = { url, caCertificate, token }
  const connection = await connectionTo(target, clock)
  return { connection, url, caCertificate, release: () => Promise.resolve() }
}

function servedUrl({ bindAddress, securePort, names }: ServerOptions): string {
  return managementUrl(baseUrl('https', bindAddress, securePort), names)
}
