import { join } from 'node:path'
import type { Call } from '../base/commandSpec.ts'
import { CliError } from '../base/cliError.ts'
import { readPrivate, underLock, writePrivate } from '../base/privateFile.ts'
import { settingsFolder } from './folders.ts'
import type { PlatformNames } from './platformNames.ts'

/** Place of an access key: the keychain of the system, the password store of pass(1), or a file. */
export type CredentialPlace = 'keychain' | 'pass' | 'file'

/** A server that the user has logged in to. Has no secrets. */
export interface ServerContext {
  /** Base URL without a slash at its end. */
  url: string
  names: PlatformNames
  /** Name of the user or team of the login, for lists. */
  user?: string
  /** Name of the access key object; absent: not known. */
  accessKey?: string
  /** Certificate authority as PEM; absent: those of the system. */
  certificateAuthority?: string
  /** The user agreed not to verify the certificate. */
  insecure?: boolean
  credential: CredentialPlace
  /** Project of commands without `--project`. */
  project?: string
}

export interface Settings {
  currentContext?: string
  contexts: Record<string, ServerContext>
  /** Kubeconfig context before the first `use`, by kubeconfig file. */
  previousKubeContexts?: Record<string, string>
}

type Place = Pick<Call, 'program' | 'env'>

function fileOf(place: Place): string {
  return join(settingsFolder(place), 'settings.json')
}

/** @throws CliError if the file is damaged, or others could have changed the addresses in it. */
export async function readSettings(place: Place): Promise<Settings> {
  const file = fileOf(place)
  const { text } = await readPrivate(file)
  if (text === undefined) return { contexts: {} }
  try {
    // Sound as far as this program wrote it; otherwise the use fails, and says so.
    const settings = JSON.parse(text) as Partial<Settings>
    return { ...settings, contexts: settings.contexts ?? {} }
  } catch (cause) {
    const hint = 'Mend it or delete it, and log in again.'
    throw new CliError(`${file} is not valid JSON`, { cause, hint })
  }
}

/** Changes the settings; changes of other processes at the same time are kept. */
export async function changeSettings(
  place: Place,
  change: (settings: Settings) => void,
): Promise<void> {
  const file = fileOf(place)
  await underLock(file, async () => {
    const settings = await readSettings(place)
    change(settings)
    await writePrivate(file, `${JSON.stringify(settings, null, 2)}\n`)
  })
}
