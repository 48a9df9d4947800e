import { readFile, stat } from 'node:fs/promises'
import { writeFileAtomic } from './atomicFile.ts'
import type { NamesProfile } from './meta/namesProfile.ts'
import { StartError } from './startError.ts'

export interface KubeconfigContents {
  /** Base URL of the server, without a slash at its end. */
  baseUrl: string
  /** PEM; undefined: the client trusts what its system trusts. */
  caCertificate: string | undefined
  /** Name of the user's entry. */
  user: string
  /** Bearer token, a secret. */
  token: string
  names: NamesProfile
}

/** Where kubectl talks to the management API. */
function managementUrl(baseUrl: string, names: NamesProfile): string {
  return `${baseUrl}/${names.proxySegment}/management`
}

/** A client configuration in YAML: one cluster, one user, one context, which is the current one. Texts stand in JSON's
 *  quotes, which are YAML's too. */
export function kubeconfig({
  baseUrl,
  caCertificate,
  user,
  token,
  names,
}: KubeconfigContents): string {
  const cluster = JSON.stringify(names.platform)
  const ca =
    caCertificate === undefined ? [] : [`certificate-authority-data: ${base64(caCertificate)}`]
  const server = [`server: ${JSON.stringify(managementUrl(baseUrl, names))}`, ...ca]
  return `apiVersion: v1
kind: Config
clusters:
  - name: ${cluster}
    cluster:
      ${server.join('\n      ')}
users:
  - name: ${JSON.stringify(user)}
    user:
      token: ${JSON.stringify(token)}
contexts:
  - name: ${cluster}
    context:
      cluster: ${cluster}
      user: ${JSON.stringify(user)}
current-context: ${cluster}
`
}

/** Stands at the head of a file that may be written over. */
const mark = '# Written by platform-apiserver at every start.\n'

/** Writes a client configuration that only its owner can read, whole or not at all.
 *  @throws StartError when the file holds something that this server did not write: a user's own configuration, with
 *  its other clusters, is not to be lost by a slip in a flag. */
export async function writeKubeconfig(path: string, contents: KubeconfigContents): Promise<void> {
  const before = await textOf(path)
  if (before.trim() !== '' && !before.startsWith(mark)) {
    throw new StartError(
      `${path} was not written by this server, and is left as it is; name another file`,
    )
  }
  await writeFileAtomic(path, mark + kubeconfig(contents), 0o600)
}

/** Empty unless it is a file; reading a device could wait for ever. */
async function textOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true ? readFile(path, 'utf8') : ''
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
