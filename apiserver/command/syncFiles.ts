import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { SyncConfigError } from '../../syncer/config/syncConfig.ts'
import { DocumentError, readDocuments } from '../../syncer/explain/readDocuments.ts'
import { ObjectError } from '../../syncer/explain/readObject.ts'
import { StartError } from '../runtime/startError.ts'

/** The name that stands for standard input on the command line. */
export const standardInput = '-'

/** The YAML documents of a file that somebody named on the command line; empty ones are left out. `input` is what `-`
 *  stands for; without it that is a file like any other.
 *  @throws StartError with the file and the place of what is wrong; the system's error with the path. */
export async function readSyncFile(
  file: string,
  input?: NodeJS.ReadableStream,
): Promise<unknown[]> {
  const isInput = file === standardInput && input !== undefined
  const text = isInput ? await textOf(input) : await readText(file)
  try {
    return readDocuments(text)
  } catch (error) {
    if (error instanceof DocumentError)
      throw new StartError(`${isInput ? 'standard input' : file}: ${error.message}`, error)
    throw error
  }
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    // Node names no path where it opened something that it cannot read.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error
  })
}

/** Does the work; what is wrong with the configuration or the object becomes sentences for whoever wrote them, a line
 *  each, with the file that it is about.
 *  @throws StartError. */
export async function inSentences<T>(
  files: { config: string; object?: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SyncConfigError) throw sentences(files.config, error)
    if (error instanceof ObjectError) throw sentences(files.object ?? '', error)
    throw error
  }
}

function sentences(file: string, error: SyncConfigError | ObjectError): StartError {
  const where = file === standardInput ? 'standard input' : file
  return new StartError(error.problems.map((problem) => `${where}: ${problem}`).join('\n'), error)
}
