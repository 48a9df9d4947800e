import type { Call } from '../../base/commandSpec.ts'
import { CliError, exitCodes, usageError } from '../../base/cliError.ts'
import { controlsTerminal } from '../../base/shownText.ts'
import { openSession } from '../../client/session.ts'
import { nearest } from '../../client/suggestions.ts'
import { findSecret, valuesOf } from './findSecret.ts'
import { secretFormats, type SecretFormat } from './secretFormat.ts'

/** Prints the value of a key, or all keys in a machine-readable format. */
export async function getSecret(call: Call): Promise<void> {
  const { flags, terminal, args } = call
  const format = secretFormat(flags.string('output'))
  const session = await openSession(call)
  const { object, key } = await findSecret(call, session, args[0] ?? '')
  const values = valuesOf(object)
  if (format !== 'plain') {
    const chosen = key === undefined ? values : { [key]: valueOf(values, key) }
    const { secretText } = await import('./secretText.ts') // includes YAML, which other formats do not need
    return terminal.out(secretText(chosen, format))
  }
  const value = valueOf(values, key ?? (await onlyKey(call, Object.keys(values))))
  if (terminal.isOutputTerminal && controlsTerminal(value.toString()))
    throw new CliError('the value has characters that would control the terminal', {
      hint: 'Redirect the output to a file.',
    })
  // The output for programs is exactly the value.
  const end = terminal.isOutputTerminal && !value.toString().endsWith('\n') ? '\n' : ''
  await terminal.bytes(end === '' ? value : Buffer.concat([value, Buffer.from(end)]))
}

function secretFormat(given = 'plain'): SecretFormat {
  const format = secretFormats.find((known) => known === given)
  if (format !== undefined) return format
  throw usageError(`unknown output format "${given}"`, `Give one of ${secretFormats.join(', ')}.`)
}

function valueOf(values: Readonly<Record<string, Buffer>>, key: string): Buffer {
  const value = values[key]
  if (value !== undefined) return value
  const near = nearest(key, Object.keys(values))
  const keys = Object.keys(values).join(', ') || 'none'
  const hint = near === undefined ? `Keys: ${keys}.` : `Did you mean "${near}"?`
  throw new CliError(`the secret has no key "${key}"`, { code: exitCodes.notFound, hint })
}

async function onlyKey({ terminal, args }: Call, keys: readonly string[]): Promise<string> {
  const [key, other] = keys
  if (key === undefined) throw new CliError('the secret is empty', { code: exitCodes.notFound })
  if (other === undefined) return key
  const hint = `Name one, as in "$program get secret ${args[0]}.${key}", or use -o env, json or yaml. Keys: ${keys.join(', ')}.`
  if (!terminal.isInteractive) throw usageError('the secret has several keys', hint)
  keys.forEach((name, index) => terminal.err(`  ${index + 1}  ${name}`))
  const chosen = (await terminal.ask('Key: ')).trim()
  return keys[Number(chosen) - 1] ?? chosen
}
