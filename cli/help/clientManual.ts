import type { Manual } from '../../apiserver/commandTree/manual.ts'
import type { CommandSpec } from '../base/commandSpec.ts'
import { globalFlagsOf } from '../base/globalFlags.ts'

export function clientManual(
  commands: readonly CommandSpec[],
  name: string,
  version: string,
): Manual {
  return {
    ...{ commands, globalFlagsOf, name, version, exitCodes },
    summary: 'command-line client of the management API',
    variables: variables.map(([word, text]) => [`${name.toUpperCase()}_${word}`, text]),
  }
}

const exitCodes = [
  ['0', 'done'],
  ['1', 'failed'],
  ['2', 'wrong usage'],
  ['3', 'not logged in, or the login has ended'],
  ['4', 'forbidden'],
  ['5', 'not found'],
  ['6', 'conflict: it exists, or was changed in between'],
  ['7', 'waited too long'],
  ['8', 'the server cannot be reached, or is not trusted'],
  ['130', 'interrupted'],
] as const

const variables = [
  ['URL', 'server, instead of a stored login; with ACCESS_KEY'],
  ['ACCESS_KEY', 'access key'],
  ['CA_FILE', 'PEM file of the authority of that server'],
  ['INSECURE', 'true: do not verify its certificate'],
  ['PROJECT', 'project of commands without --project'],
  ['HOME', 'folder of settings, credentials and caches'],
  ['KEYCHAIN', 'place of access keys: keychain, pass or file'],
  ['AUDIT_STORE', 'address of the audit database'],
] as const
