import { readFile, stat } from 'node:fs/promises'
import { writeFileAtomic } from '../runtime/files/atomicFile.ts'
import { kubeconfigDocument } from '../apis/kubeconfigDocument.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import { StartError } from '../runtime/startError.ts'
import { systemReason } from '../runtime/systemReason.ts'

export interface KubeconfigContents {
  /** Base URL of the server, without a trailing slash. */
  baseUrl: string
  /** PEM; undefined: the client's system trust store. */
  caCertificate: string | undefined
  /** Name of the kubeconfig's user entry. */
  user: string
  /** Bearer token, a secret. */
  token: string
  names: NamesProfile
}

/** URL of the management API for kubectl. */
export function managementUrl(baseUrl: string, names: NamesProfile): string {
  return `${baseUrl}/${names.proxySegment}/management`
}

/** A kubeconfig for the management API, as YAML. */
export function kubeconfig(contents: KubeconfigContents): string {
  const { baseUrl, caCertificate, user, token, names } = contents
  const server = managementUrl(baseUrl, names)
  return kubeconfigDocument({ name: names.platform, server, caCertificate, user, proof: { token } })
}

/** First line of files that may be overwritten. */
const mark = '# Written by platform-apiserver at every start.\n'

/**
 * Writes a kubeconfig atomically, readable only by its owner.
 * @throws StartError if this server did not write the existing file, so that a mistaken flag cannot
 * overwrite a user's own configuration.
 */
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

/** Reports whether an error is about a folder that could not be created, which the error names. */
function isOfFolder(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'mkdir'
}

/**
 * Error for a failed write, without the system's message, which names an internal temporary file.
 */
function cannotWrite(path: string, error: unknown): unknown {
  const reason = systemReason(error)
  return reason === undefined
    ? error
    : new StartError(`cannot write the kubeconfig ${path}: ${reason}`, error)
}

/** Content of a regular file; otherwise empty, since reading from a device could block forever. */
async function textOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true ? readFile(path, 'utf8') : ''
}
