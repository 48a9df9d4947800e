import { homedir } from 'node:os'
import { CliError } from './cliError.ts'

/** Home folder of the user. @throws CliError if there is none, such as for an unknown user of a container. */
export function homeFolder(): string {
  try {
    return homedir()
  } catch (cause) {
    const hint = 'Set HOME to a folder that you may write to.'
    throw new CliError('you have no home folder on this machine', { hint, cause })
  }
}
