import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { SandboxRuntime } from '../syncer/expressions/sandboxRuntime.ts'
import { explainSync } from '../syncer/explain/explainSync.ts'
import { readDocuments, writeDocument } from '../syncer/explain/readDocuments.ts'
import { UsageError } from './config/usageError.ts'
import { isObject } from './meta/isObject.ts'
import type { ApiObject } from './meta/types.ts'
import { realClock } from './realClock.ts'

/** What `platform-apiserver sync explain` prints: a YAML document for each object. Of the files, documents with a kind are
 *  objects, one without is the configuration.
 *  @throws UsageError; SyncConfigError; Error where a file cannot be read. */
export async function explainFiles(args: readonly string[]): Promise<string> {
  const options = readOptions(args)
  const texts = await Promise.all(options.files.map((file) => readFile(file, 'utf8')))
  const documents = texts.flatMap(readDocuments)
  const objects = documents.filter(isApiObject)
  const configs = documents.filter((document) => !isApiObject(document))
  if (objects.length === 0)
    throw new UsageError(['no file has an object, which is what has a kind'])
  if (configs.length > 1) throw new UsageError(['more than one document without a kind'])
  const runtime = new SandboxRuntime({ clock: realClock })
  try {
    const parts: string[] = []
    for (const object of objects) {
      parts.push(writeDocument(await explainSync(configs[0], object, { ...options, runtime })))
    }
    return parts.join('---\n')
  } finally {
    await runtime.close()
  }
}

function readOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        filename: { type: 'string', short: 'f', multiple: true },
        name: { type: 'string' },
        'host-namespace': { type: 'string' },
        'names-domain': { type: 'string' },
      },
    })
    return {
      files: values.filename ?? [],
      name: values.name ?? 'vcluster',
      hostNamespace: values['host-namespace'] ?? 'vcluster-ns',
      domain: values['names-domain'] ?? 'platform',
    }
  } catch (error) {
    throw new UsageError([error instanceof Error ? error.message : String(error)])
  }
}

function isApiObject(document: unknown): document is ApiObject {
  return isObject(document) && typeof document.kind === 'string' && isObject(document.metadata)
}
