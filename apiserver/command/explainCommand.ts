import { parseArgs } from 'node:util'
import { configWarnings } from '../../syncer/config/configProblems.ts'
import { SandboxRuntime } from '../../syncer/expressions/sandboxRuntime.ts'
import { explainSync, type ExplainOptions } from '../../syncer/explain/explainSync.ts'
import { writeDocument } from '../../syncer/explain/readDocuments.ts'
import { messageOf } from '../meta/messageOf.ts'
import { UsageError } from './config/usageError.ts'
import { isObject } from '../meta/json/isObject.ts'
import { realClock } from '../runtime/realClock.ts'
import { inSentences, readSyncFile, standardInput } from './syncFiles.ts'

interface Found {
  file: string
  document: unknown
}

/**
 * Output of `platform-apiserver sync explain`: a YAML document for each object. In the files,
 * documents with a kind are objects or lists of objects; a document without a kind is the
 * configuration.
 * @throws UsageError; StartError with a problem of a file; the system's error if one cannot be
 * read.
 */
export async function explainFiles(
  args: readonly string[],
  { input, warn }: Surroundings = {},
): Promise<string> {
  const { files, ...options } = readOptions(args)
  if (files.filter((file) => file === standardInput).length > 1)
    throw new UsageError(['-f - given more than once: standard input can be read only once'])
  const found = (await Promise.all(files.map((file) => documentsOf(file, input)))).flat()
  const objects = found.filter(({ document }) => isOfKind(document)).flatMap(itemsOf)
  const configs = found.filter(({ document }) => !isOfKind(document))
  if (objects.length === 0) throw new UsageError(['no Kubernetes object found in the given files'])
  if (configs.length > 1)
    throw new UsageError(['more than one document without a kind in the given files'])
  warnOf(configs[0], warn)
  const runtime = new SandboxRuntime({ clock: realClock })
  try {
    return await explained(objects, configs[0], { ...options, runtime })
  } finally {
    await runtime.close()
  }
}

interface Surroundings {
  /** Input for `-f -`. */
  input?: NodeJS.ReadableStream
  /** Called with warnings about likely mistakes. */
  warn?: (text: string) => void
}

/**
 * Warns of likely mistakes in the configuration. Errors in it are reported with the first object.
 */
function warnOf(config: Found | undefined, warn: Surroundings['warn']): void {
  if (config === undefined || warn === undefined) return
  const file = config.file === standardInput ? 'standard input' : config.file
  for (const warning of configWarnings(config.document)) warn(`${file}: ${warning}`)
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

async function documentsOf(file: string, input?: NodeJS.ReadableStream): Promise<Found[]> {
  return (await readSyncFile(file, input)).map((document) => ({ file, document }))
}

function isOfKind(document: unknown): document is Record<string, unknown> {
  return isObject(document) && document.kind !== undefined
}

/** Items of a list, the format in which kubectl writes several objects. */
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
    throw new UsageError([messageOf(error)])
  }
}
