import { readFile, stat } from 'node:fs/promises'
import { writeFileAtomic } from '../runtime/atomicFile.ts'
import { kubeconfigDocument } from '../apis/kubeconfigDocument.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import { StartError } from '../runtime/startError.ts'
import { systemReason } from '../runtime/systemReason.ts'

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

/** A client configuration of the management API, in YAML. */
export function kubeconfig(contents: KubeconfigContents): string {
  const { baseUrl, caCertificate, user, token, names } = contents
  const server = managementUrl(baseUrl, names)
  return kubeconfigDocument({ name: names.platform, server, caCertificate, user, proof: { token } })
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
  try {
    await writeFileAtomic(path, mark + kubeconfig(contents), 0o600)
  } catch (error) {
    throw isOfFolder(error) ? error : cannotWrite(path, error)
  }
}

/** It says which folder could not be made. */
function isOfFolder(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'mkdir'
}

/** What the system says is of a file beside it, which is nobody's to know. */
function cannotWrite(path: string, error: unknown): unknown {
  const reason = systemReason(error)
  return reason === undefined
    ? error
    : new StartError(`cannot write the kubeconfig ${path}: ${reason}`, error)
}

/** Empty unless it is a file; reading a device could wait for ever. */
async function textOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true ? readFile(path, 'utf8') : ''
}
