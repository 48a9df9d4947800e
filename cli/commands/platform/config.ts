import { readFile } from 'node:fs/promises'
import type { Call } from '../../base/commandSpec.ts'
import { at, textAt, type ApiObject } from '../../base/apiObject.ts'
import { CliError, exitCodes, usageError } from '../../base/cliError.ts'
import { nearest } from '../../client/suggestions.ts'
import type { ApiClient } from '../../client/apiClient.ts'
import { openSession } from '../../client/session.ts'
import { formatOf, isTable } from '../../output/format.ts'
import { formatted, yamlText } from '../../output/formatted.ts'
import { lineDiff } from '../../output/lineDiff.ts'

const place = { plural: 'configs' }
const name = 'config'

/** Prints the configuration: the document, the effective configuration, or one field of it. */
export async function getConfig(call: Call): Promise<void> {
  const { flags, args, terminal } = call
  const format = await formatOf(flags)
  const { client } = await openSession(call)
  const object = await client.get(place, name)
  const [path] = args
  if (path !== undefined) {
    const value = fieldOf(object, path)
    const text = typeof value === 'string' ? `${value}\n` : await yamlText(value)
    return terminal.out(isTable(format) ? text : await formatted(value, format))
  }
  if (!isTable(format)) return terminal.out(await formatted(object, format))
  await terminal.out(
    flags.is('effective') ? await yamlText(object.status ?? {}) : documentOf(object),
  )
}

/** @throws CliError notFound. */
function fieldOf({ status }: ApiObject, path: string): unknown {
  let found: unknown = status
  for (const field of path.split('.')) {
    const known = Object.keys(found ?? {})
    if (!known.includes(field)) {
      const near = nearest(field, known)
      const hint =
        near === undefined
          ? `Fields that are set: ${known.join(', ') || 'none'}.`
          : `Did you mean "${near}"?`
      throw new CliError(`the configuration has no "${path}"`, { code: exitCodes.notFound, hint })
    }
    found = at(found, field)
  }
  return found
}

/** Document as written; secrets are masked for users without access to them. */
function documentOf({ spec }: ApiObject): string {
  const raw = textAt(spec, 'raw')
  return raw === undefined ? '' : withBreak(Buffer.from(raw, 'base64').toString('utf8'))
}

/** Document with a trailing line break; empty if it is blank and sets nothing. */
function withBreak(text: string): string {
  if (text.trim() === '') return ''
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Replaces the configuration by a document, which the server validates first. */
export async function applyConfig(call: Call): Promise<void> {
  const { flags, terminal } = call
  const text = await givenDocument(call)
  const { client } = await openSession(call)
  const before = await client.get(place, name)
  if (documentOf(before) === withBreak(text)) return terminal.say('The configuration is unchanged.')
  await write(client, before, text, flags.is('dryRun'))
  terminal.say(
    flags.is('dryRun')
      ? 'The configuration is valid (dry run).'
      : 'The configuration is in effect.',
  )
}

/** Prints the changes that a document would make to the effective configuration; exit code 1: there are changes. */
export async function diffConfig(call: Call): Promise<void> {
  const text = await givenDocument(call)
  const { client } = await openSession(call)
  const before = await client.get(place, name)
  const after = await write(client, before, text, true)
  const diff = lineDiff(await yamlText(before.status ?? {}), await yamlText(after.status ?? {}))
  if (diff === '') return
  await call.terminal.out(diff)
  throw new CliError('', { code: exitCodes.failed })
}

/** Changes the configuration in an editor, which is opened again as long as the server refuses the result. */
export async function editConfig(call: Call): Promise<void> {
  const { terminal } = call
  const { client } = await openSession(call)
  const before = await client.get(place, name)
  const document = documentOf(before)
  const { editText, keepText } = await import('./editText.ts')
  let problem = ''
  let text = document
  for (;;) {
    const head = problem === '' ? '' : `${problem.replaceAll(/^/gm, '#! ')}\n`
    const edited = (await editText(call, 'config.yaml', head + text)).replaceAll(/^#! .*\n/gm, '')
    if (edited === document) return terminal.say('The configuration is unchanged.')
    if (problem !== '' && edited === text)
      throw new CliError(problem, { hint: `Nothing was saved. Your text: ${await keepText(text)}` })
    text = edited
    try {
      await write(client, before, text, false)
      return terminal.say('The configuration is in effect.')
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      if (error.code !== exitCodes.failed) {
        const hint = `Nothing was saved. Your text: ${await keepText(text)}`
        throw new CliError(error.message, { code: error.code, hint, cause: error })
      }
      problem = error.message
    }
  }
}

/** Prints the JSON Schema of the document, for editors. */
export async function configSchema(call: Call): Promise<void> {
  const { client } = await openSession(call)
  const path = `${client.base}/openapi/v3/apis/${client.apiVersion}`
  const answer = await client.object({ method: 'GET', path })
  const { configSchemaIn } = await import('./schemaDocument.ts')
  await call.terminal.out(`${JSON.stringify(configSchemaIn(answer), null, 2)}\n`)
}

async function givenDocument({ flags, terminal }: Call): Promise<string> {
  const file = flags.string('filename')
  if (file === undefined)
    throw usageError('no file', 'Name it with -f FILE; -f - reads standard input.')
  return file === '-'
    ? (await terminal.readAll('document')).toString('utf8')
    : readFile(file, 'utf8')
}

/** Writes the document at the revision that was read. */
async function write(
  client: ApiClient,
  before: ApiObject,
  text: string,
  isDryRun: boolean,
): Promise<ApiObject> {
  const { resourceVersion } = before.metadata
  const object = {
    kind: 'Config',
    apiVersion: client.apiVersion,
    metadata: { name, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
    // The server treats an empty string as a missing document and refuses it.
    spec: { raw: Buffer.from(withBreak(text) || '\n').toString('base64') },
  }
  // Otherwise a misspelt field would be dropped.
  const query = { fieldValidation: 'Strict', ...(isDryRun ? { dryRun: 'All' } : {}) }
  return client.create(place, object, query)
}
