import { CertificateBundle } from '../certificates/certificateBundle.ts'
import type { FrontProxyTrust } from '../certificates/connectionUsers.ts'
import { RemoteHeaders, type RemoteHeaderNames } from '../remoteHeaders.ts'
import type { DelegationOptions } from '../../runtime/options/delegationOptions.ts'
import type { ConfigMapData } from './followConfigMap.ts'

/**
 * The config map in which a core server publishes its trusted CAs for extension servers.
 * Source: Kubernetes documentation, "Configure the Aggregation Layer"; reference 9.3.
 */
export const authenticationConfigMap = {
  namespace: 'kube-system',
  name: 'extension-apiserver-authentication',
}

const prefix = 'requestheader-'

/**
 * The data that a core server with these options publishes. Lists are JSON arrays as strings. Unset keys are absent.
 */
export function configMapData(
  options: DelegationOptions,
  files: { clients: string | undefined; frontProxy: string | undefined },
): Record<string, string> {
  const { clients, frontProxy } = files
  return {
    ...(clients === undefined ? {} : { 'client-ca-file': clients }),
    ...(frontProxy === undefined
      ? {}
      : {
          [`${prefix}allowed-names`]: JSON.stringify(options.requestheaderAllowedNames),
          [`${prefix}client-ca-file`]: frontProxy,
          [`${prefix}extra-headers-prefix`]: JSON.stringify(
            options.requestheaderExtraHeadersPrefix,
          ),
          [`${prefix}group-headers`]: JSON.stringify(options.requestheaderGroupHeaders),
          [`${prefix}uid-headers`]: JSON.stringify(options.requestheaderUidHeaders),
          [`${prefix}username-headers`]: JSON.stringify(options.requestheaderUsernameHeaders),
        }),
  }
}

/** Client CAs in the config map; undefined: none. @throws Error if they cannot be read. */
export function clientsOf(data: ConfigMapData): CertificateBundle | undefined {
  const pem = data['client-ca-file'] ?? ''
  return pem === '' ? undefined : new CertificateBundle(pem)
}

/** Front proxies in the config map; undefined: none. @throws Error if a key cannot be read. */
export function frontProxyOf(data: ConfigMapData): FrontProxyTrust | undefined {
  const list = (key: string) => stringsOf(data, prefix + key)
  const headers = {
    username: list('username-headers'),
    uid: list('uid-headers'),
    group: list('group-headers'),
    extraPrefix: list('extra-headers-prefix'),
  }
  const allowedNames = list('allowed-names')
  const pem = data[`${prefix}client-ca-file`] ?? ''
  return pem === '' ? undefined : frontProxyTrust(pem, { allowedNames, headers })
}

/** Trust for front proxies with CAs in PEM form. @throws Error if `pem` contains no certificate. */
export function frontProxyTrust(
  pem: string,
  { allowedNames, headers }: { allowedNames: readonly string[]; headers: RemoteHeaderNames },
): FrontProxyTrust {
  const bundle = new CertificateBundle(pem)
  return { bundle, allowedNames, headers: new RemoteHeaders(headers) }
}

function stringsOf(data: ConfigMapData, key: string): string[] {
  const text = data[key] ?? ''
  if (text === '') return []
  const value: unknown = JSON.parse(text)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw new Error(`${key} is not a JSON array of strings`)
}
