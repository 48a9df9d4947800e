import { readFile } from 'node:fs/promises'
import { SyncConfigError } from '../syncer/config/syncConfig.ts'
import { DocumentError, readDocuments } from '../syncer/explain/readDocuments.ts'
import { ObjectError } from '../syncer/explain/readObject.ts'
import { StartError } from './startError.ts'

/** The YAML documents of a file that somebody named on the command line; empty ones are left out.
 *  @throws StartError with the file and the place of what is wrong; the system's error with the path. */
export async function readSyncFile(file: string): Promise<unknown[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    // Node names no path where it opened something that it cannot read.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error
  })
  try {
    return readDocuments(text)
  } catch (error) {
    if (error instanceof DocumentError) throw new StartError(`${file}: ${error.message}`, error)
    throw error
  }
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
  return new StartError(error.problems.map((problem) => `${file}: ${problem}`).join('\n'), error)
}
