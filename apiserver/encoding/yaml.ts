import { exceededDepth } from '../meta/json/deepContent.ts'
import { StatusError } from '../meta/status.ts'
import { badRequest } from '../meta/statusErrors.ts'
import { Pace } from '../meta/waiting/pace.ts'
import { decodeJson, maxBodyWeight, type Decoded } from './json.ts'
import { firstYamlDocument, type Pause } from './yamlParser.ts'
import { YamlReader } from './yamlReader.ts'
import { yamlBlock } from './yamlWriter.ts'

export interface YamlOptions {
  /** Maximum weight of a JSON body. Default: `maxBodyWeight`. */
  maxWeight?: number
  /** Called between parts of a long document. Default: no pauses. */
  pause?: Pause
}

/**
 * Decodes a YAML body: its first document, converted to JSON like sigs.k8s.io/yaml. Booleans,
 * numbers and null follow YAML 1.1 (`resolvePlain`), dates stay strings, keys become strings; the
 * last of repeated keys wins. An empty body is null. The parser is loaded at first use, and not
 * needed for JSON, which most clients send.
 * @throws StatusError 400 for invalid YAML, deep nesting, or expansion by aliases; 413 for a text
 * that would block the parser, and with it the server, for seconds. Source: reference 1.12 and
 * 1.13.
 */
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

/**
 * Like decodeYaml, for callers that inspect the whole value: content that is too deep is refused at once. Pauses by
 * default, since most of these texts are written by users and not read as bodies.
 */
export async function decodeWholeYaml(bytes: Buffer, options: YamlOptions = {}): Promise<Decoded> {
  const pace = new Pace()
  const decoded = await decodeYaml(bytes, { pause: () => pace.rest(), ...options })
  if (decoded.isDeep) throw exceededDepth('{')
  return decoded
}

/** Decodes a JSON object without repeated keys, which is the same in YAML; undefined for other bodies. */
function decodePlainJson(bytes: Buffer, maxWeight: number): Decoded | undefined {
  if (bytes[0] !== 0x7b) return undefined
  try {
    const decoded = decodeJson(bytes, { maxWeight })
    return decoded.duplicates.length === 0 ? decoded : undefined
  } catch (error) {
    if (error instanceof StatusError && error.code !== 413) return undefined
    throw error
  }
}

/**
 * Encodes a JSON value as YAML in the layout of sigs.k8s.io/yaml: sorted keys, lists not indented, multi-line strings
 * as blocks. Strings that a reader of YAML 1.1 or 1.2 could mistake for another type are quoted. Ends with a line feed.
 * Undefined members are omitted.
 */
export function encodeYaml(value: unknown): string {
  return `${yamlBlock(value)}\n`
}

const maxDuplicates = 100
/** Maximum length of a message, since some messages of the parser quote the whole input. */
const maxErrorLength = 300
