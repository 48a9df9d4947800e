import { parseArgs } from 'node:util'
import { SandboxRuntime } from '../syncer/expressions/sandboxRuntime.ts'
import { explainSync, type ExplainOptions } from '../syncer/explain/explainSync.ts'
import { writeDocument } from '../syncer/explain/readDocuments.ts'
import { UsageError } from './config/usageError.ts'
import { isObject } from './meta/isObject.ts'
import { realClock } from './realClock.ts'
import { inSentences, readSyncFile } from './syncFiles.ts'

interface Found {
  file: string
  document: unknown
}

/** What `platform-apiserver sync explain` prints: a YAML document for each object. Of the files, documents with a kind are
 *  objects, or lists of them; one without is the configuration.
 *  @throws UsageError; StartError with what is wrong with a file; the system's error where one cannot be read. */
export async function explainFiles(args: readonly string[]): Promise<string> {
  const { files, ...options } = readOptions(args)
  const found = (await Promise.all(files.map(documentsOf))).flat()
  const objects = found.filter(({ document }) => isOfKind(document)).flatMap(itemsOf)
  const configs = found.filter(({ document }) => !isOfKind(document))
  if (objects.length === 0)
    throw new UsageError(['no file has an object, which is what has a kind'])
  if (configs.length > 1) throw new UsageError(['more than one document without a kind'])
  const runtime = new SandboxRuntime({ clock: realClock })
  try {
    return await explained(objects, configs[0], { ...options, runtime })
  } finally {
    await runtime.close()
  }
}

async function explained(
  objects: readonly Found[],
  config: Found | undefined,
  options: ExplainOptions,
): Promise<string> {
  const parts: string[] = []
  for (const { file, document } of objects) {
    const files = { config: config?.file ?? file, object: file }
    const explain = () => explainSync(config?.document, document, options)
    parts.push(writeDocument(await inSentences(files, explain)))
  }
  return parts.join('---\n')
}

async function documentsOf(file: string): Promise<Found[]> {
  return (await readSyncFile(file)).map((document) => ({ file, document }))
}

function isOfKind(document: unknown): document is Record<string, unknown> {
  return isObject(document) && document.kind !== undefined
}

/** The objects of a list, which is what kubectl writes of several. */
function itemsOf({ file, document }: Found): Found[] {
  const items: unknown[] =
    isOfKind(document) && document.kind === 'List' && Array.isArray(document.items)
      ? document.items
      : [document]
  return items.map((item) => ({ file, document: item }))
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
