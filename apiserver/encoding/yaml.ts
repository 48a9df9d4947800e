import { exceededDepth } from '../meta/json/deepContent.ts'
import { StatusError } from '../meta/status.ts'
import { badRequest } from '../meta/statusErrors.ts'
import { decodeJson, maxBodyWeight, type Decoded } from './json.ts'
import { firstYamlDocument, type Pause } from './yamlParser.ts'
import { YamlReader } from './yamlReader.ts'
import { yamlBlock } from './yamlWriter.ts'

export interface YamlOptions {
  /** How heavy a body in JSON may be. Default: as that of most kinds. */
  maxWeight?: number
  /** Asked between the parts of a long text. Default: it is read at once. */
  pause?: Pause
}

/** A YAML body: its first document, as sigs.k8s.io/yaml makes JSON of it. Booleans, numbers and null are those of YAML
 *  1.1 (`resolvePlain`), dates stay strings, keys become strings; of repeated keys the last counts. Nothing: null.
 *  The parser is loaded at first use, and not at all for a body that is JSON, as those of most clients are.
 *  @throws StatusError 400 for text that is no YAML, nests too deeply, or multiplies by aliases; 413 for text that would
 *  keep the parser, and with it the server, busy for seconds. Source: reference 1.12 and 1.13. */
export async function decodeYaml(bytes: Buffer, options: YamlOptions = {}): Promise<Decoded> {
  const { maxWeight = maxBodyWeight, pause = () => undefined } = options
  const json = decodePlainJson(bytes, maxWeight)
  if (json !== undefined) return json
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const lineOf = (offset: number) => lines.linePos(offset).line
  const text = bytes.toString('utf8')
  const { document, deep } = await firstYamlDocument(yaml, text, lines, pause)
  const [error] = document?.errors ?? []
  if (error)
    throw badRequest(
      `yaml: line ${lineOf(error.pos[0])}: ${error.message.slice(0, maxErrorLength)}`,
      error,
    )
  const reader = new YamlReader(yaml, lineOf, deep)
  const value = reader.read(document?.contents ?? null)
  const duplicates = [...reader.duplicates].slice(0, maxDuplicates)
  return deep.size === 0 ? { value, duplicates } : { value, duplicates, isDeep: true }
}

/** As decodeYaml, where all of the text is looked at: what is too deep to be looked into is refused at once. */
export async function decodeWholeYaml(bytes: Buffer, options: YamlOptions = {}): Promise<Decoded> {
  const decoded = await decodeYaml(bytes, options)
  if (decoded.isDeep) throw exceededDepth('{')
  return decoded
}

/** A body that is a JSON object without repeated keys, which YAML reads alike; undefined otherwise. */
function decodePlainJson(bytes: Buffer, maxWeight: number): Decoded | undefined {
  if (bytes[0] !== 0x7b) return undefined
  try {
    const decoded = decodeJson(bytes, maxWeight)
    return decoded.duplicates.length === 0 ? decoded : undefined
  } catch (error) {
    if (error instanceof StatusError && error.code !== 413) return undefined
    throw error
  }
}

/** A JSON value as YAML in the layout of sigs.k8s.io/yaml: sorted keys, lists not indented, texts of several lines as
 *  blocks. Strings that any reader of YAML 1.1 or 1.2 could take for something else are quoted. Ends with a newline.
 *  Undefined members are left out. */
export function encodeYaml(value: unknown): string {
  return `${yamlBlock(value)}\n`
}

const maxDuplicates = 100
/** Some of the parser's sentences quote the text, however long. */
const maxErrorLength = 300
