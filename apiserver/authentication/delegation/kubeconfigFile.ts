import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isObject } from '../../meta/json/isObject.ts'
import { cannotRead, StartError } from '../../runtime/startError.ts'

/** Address and credentials for another API server. */
export interface DelegateAddress {
  /** URL with HTTPS or HTTP, without a trailing slash. */
  server: string
  /** PEM; undefined: the system's trust store. */
  ca: string | undefined
  skipTlsVerify: boolean
  /** Expected name in the server's certificate; undefined: the host of `server`. */
  tlsServerName: string | undefined
  /** PEM of a client certificate and its key. */
  certificate: { cert: string; key: string } | undefined
  /** Bearer token, a secret. */
  token: string | undefined
  /**
   * File with a token, which is read again because tokens are renewed. Takes precedence over
   * `token`.
   */
  tokenFile: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the current context of a kubeconfig file. Relative paths are resolved from the folder of
 * the file.
 * @throws StartError if it cannot be read, or uses an unsupported option.
 * Source: Kubernetes documentation, "kubeconfig (v1)".
 */
export async function readKubeconfig(file: string): Promise<DelegateAddress> {
  const config = await parseFile(file)
  const context = named(config, 'contexts', config['current-context'], file)['context']
  if (!isObject(context)) throw new StartError(`${file}: the current context does not exist`)
  const cluster = part(named(config, 'clusters', context['cluster'], file), 'cluster')
  const user = part(named(config, 'users', context['user'], file), 'user')
  const server = stringAt(cluster, 'server')?.replace(/\/+$/, '')
  if (server === undefined || !/^https?:\/\//.test(server) || !URL.canParse(server)) {
    throw new StartError(`${file}: the server of the current context is not a URL`)
  }
  for (const unknown of ['exec', 'auth-provider', 'username', 'as']) {
    if (user[unknown] !== undefined) {
      throw new StartError(`${file}: a user has ${unknown}, which is not supported`)
    }
  }
  return { server, ...(await trustOf(cluster, file)), ...(await credentialOf(user, file)) }
}

async function trustOf(cluster: Fields, file: string) {
  return {
    ca: await pem(cluster, 'certificate-authority', file),
    skipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
    tlsServerName: stringAt(cluster, 'tls-server-name'),
  }
}

async function credentialOf(user: Fields, file: string) {
  const cert = await pem(user, 'client-certificate', file)
  const key = await pem(user, 'client-key', file)
  if ((cert === undefined) !== (key === undefined)) {
    throw new StartError(`${file}: client-certificate and client-key must be set together`)
  }
  const tokenFile = stringAt(user, 'tokenFile')
  return {
    certificate: cert === undefined || key === undefined ? undefined : { cert, key },
    token: stringAt(user, 'token'),
    tokenFile: tokenFile === undefined ? undefined : resolve(dirname(file), tokenFile),
  }
}

async function parseFile(file: string): Promise<Fields> {
  const source = await readText(file)
  const yaml = await import('yaml') // loaded on demand, since few servers delegate
  let config: unknown
  try {
    config = yaml.parse(source)
  } catch (error) {
    throw new StartError(`${file} is not YAML`, error)
  }
  if (!isObject(config)) throw new StartError(`${file} is not a kubeconfig`)
  return config
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw cannotRead(file, error)
  }
}

function named(config: Fields, list: string, name: unknown, file: string): Fields {
  const entries: unknown = config[list]
  const found: unknown = Array.isArray(entries)
    ? entries.find((entry) => isObject(entry) && entry['name'] === name)
    : undefined
  if (isObject(found)) return found
  throw new StartError(`${file} has no entry ${JSON.stringify(name)} in ${list}`)
}

function part(entry: Fields, name: string): Fields {
  const found = entry[name]
  return isObject(found) ? found : {}
}

function stringAt(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Reads PEM data that is embedded or, with lower precedence, in a separate file. */
async function pem(fields: Fields, name: string, file: string): Promise<string | undefined> {
  const data = stringAt(fields, `${name}-data`)
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8')
  const path = stringAt(fields, name)
  return path === undefined ? undefined : readText(resolve(dirname(file), path))
}
