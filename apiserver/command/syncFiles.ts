import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { SyncConfigError } from '../../syncer/config/syncConfig.ts'
import { DocumentError, readDocuments } from '../../syncer/explain/readDocuments.ts'
import { ObjectError } from '../../syncer/explain/readObject.ts'
import { StartError } from '../runtime/startError.ts'

/** Name of standard input on the command line. */
export const standardInput = '-'

/**
 * The non-empty YAML documents of a file on the command line. `input` is the source for `-`;
 * without it, `-` is an ordinary file name.
 * @throws StartError with the file and position of a problem; the system's error with the path.
 */
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
    // Node.js omits the path if an opened file cannot be read.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error
  })
}

/**
 * Runs `work`, and turns problems of the configuration or the object into messages for their
 * authors, one per line, with the file name.
 * @throws StartError.
 */
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
