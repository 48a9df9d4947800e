import { readFile } from 'node:fs/promises'
import { DocumentError, readDocuments } from '../../syncer/explain/readDocuments.ts'
import { isObject } from '../../apiserver/meta/json/isObject.ts'
import { CliError, usageError } from '../base/cliError.ts'

/** Documents in files: objects, and at most one configuration, which has no kind. */
export interface SyncDocuments {
  /** Configuration; undefined: not given. */
  config: unknown
  objects: unknown[]
}

/** Reads documents from files. @param read content of `-`. @throws CliError. */
export async function readSyncDocuments(
  files: readonly string[],
  read: () => Promise<string>,
): Promise<SyncDocuments> {
  if (files.filter((file) => file === '-').length > 1) throw usageError('-f - given more than once')
  const documents: unknown[] = []
  for (const file of files) {
    const text = file === '-' ? await read() : await readFile(file, 'utf8')
    documents.push(...parsed(file === '-' ? 'standard input' : file, text))
  }
  const configs = documents.filter((document) => !hasKind(document))
  const objects = documents.filter(hasKind).flatMap(itemsOf)
  if (objects.length === 0)
    throw usageError('no Kubernetes object found in the given files', 'Name them with -f FILE.')
  if (configs.length > 1)
    throw usageError('more than one document without a kind in the given files')
  return { config: configs[0], objects }
}

function parsed(file: string, text: string): unknown[] {
  try {
    return readDocuments(text)
  } catch (error) {
    if (error instanceof DocumentError)
      throw new CliError(`${file}: ${error.message}`, { cause: error })
    throw error
  }
}

function hasKind(document: unknown): document is Record<string, unknown> {
  return isObject(document) && document.kind !== undefined
}

/** Items of a list, as kubectl writes several objects. */
function itemsOf(document: Record<string, unknown>): unknown[] {
  const { kind, items } = document
  return kind === 'List' && Array.isArray(items) ? items : [document]
}
