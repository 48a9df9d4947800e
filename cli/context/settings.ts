import { join } from 'node:path'
import type { Call } from '../base/commandSpec.ts'
import { CliError } from '../base/cliError.ts'
import { readPrivate, underLock, writePrivate } from '../base/privateFile.ts'
import { settingsFolder } from './folders.ts'
import type { PlatformNames } from './platformNames.ts'

/** Location of an access key: the keychain of the system, the password store of pass(1), or a file. */
export type CredentialPlace = 'keychain' | 'pass' | 'file'

/** Server to which the user has logged in. Contains no secrets. */
export interface ServerContext {
  /** Base URL without a trailing slash. */
  url: string
  names: PlatformNames
  /** Name of the user or team of the login, for lists. */
  user?: string
  /** Name of the AccessKey; absent: unknown. */
  accessKey?: string
  /** CA certificates as PEM; absent: the system's. */
  certificateAuthority?: string
  /** True if the user agreed not to verify the certificate. */
  insecure?: boolean
  credential: CredentialPlace
  /** Default project of commands. */
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
    // Sound as far as this program wrote it; otherwise using it fails with an error.
    const settings = JSON.parse(text) as Partial<Settings>
    return { ...settings, contexts: settings.contexts ?? {} }
  } catch (cause) {
    const hint = 'Mend it or delete it, and log in again.'
    throw new CliError(`${file} is not valid JSON`, { cause, hint })
  }
}

/** Changes the settings; preserves concurrent changes of other processes. */
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
