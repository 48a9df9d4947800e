import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { decodeYaml } from '../../encoding/yaml.ts'
import { aggregateMessage } from '../../meta/fieldErrors.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { messageOf } from '../../meta/messageOf.ts'
import { StartError } from '../../runtime/startError.ts'
import { systemReason } from '../../runtime/systemReason.ts'
import type { EncryptionConfiguration } from './encryptionConfiguration.ts'
import { DecodeError, readRules, UnknownFields } from './readRules.ts'
import { configurationErrors } from './validateConfiguration.ts'

export interface LoadedConfiguration {
  configuration: EncryptionConfiguration
  /** Digest of the file. */
  hash: string
}

const group = 'apiserver.config.k8s.io'
const kind = 'EncryptionConfiguration'

/**
 * Reads and validates an encryption configuration. `isReloaded`: true if the file is read again when it changes. Error
 * messages are those of kube-apiserver, without secrets. Source: seen on kube-apiserver 1.37.2.
 * @throws StartError.
 */
export async function loadConfiguration(
  path: string,
  isReloaded: boolean,
): Promise<LoadedConfiguration> {
  try {
    const bytes = await fileBytes(path)
    const configuration = await decodeConfiguration(bytes, path)
    const errors = configurationErrors(configuration, isReloaded)
    if (errors.length > 0) throw new DecodeError(aggregateMessage(errors))
    return { configuration, hash: createHash('sha256').update(bytes).digest('hex') }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw new StartError(`error while parsing file: ${error.message}`, error)
  }
}

async function fileBytes(path: string): Promise<Buffer> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    const why = `open ${path}: ${systemReason(error) ?? String(error)}`
    throw new DecodeError(
      `error while loading file: error reading encryption provider configuration file ${goQuote(path)}: ${why}`,
    )
  }
  if (bytes.length > 0) return bytes
  const why = `encryption provider configuration file ${goQuote(path)} is empty`
  throw new DecodeError(`error while loading file: ${why}`)
}

async function decodeConfiguration(bytes: Buffer, path: string): Promise<EncryptionConfiguration> {
  try {
    const { value } = await decodeYaml(bytes)
    const document = isObject(value) ? value : {}
    refuseOtherKind(document, bytes)
    const unknown = new UnknownFields()
    const configuration = readRules(document, unknown)
    unknown.refuse()
    return configuration
  } catch (error) {
    if (error instanceof OtherType) throw new DecodeError(error.message)
    const why = messageOf(error)
    throw new DecodeError(
      `error decoding encryption provider configuration file ${goQuote(path)}: ${why}`,
    )
  }
}

class OtherType extends Error {}

const otherKinds = new Set(['AdmissionConfiguration', 'EgressSelectorConfiguration'])

function refuseOtherKind(document: Record<string, unknown>, bytes: Buffer): void {
  const { kind: foundKind = '', apiVersion = '' } = document
  const shown = bytes.toString('utf8').trimEnd()
  if (foundKind === '') throw new DecodeError(`Object 'Kind' is missing in '${shown}'`)
  if (apiVersion === '') throw new DecodeError(`Object 'apiVersion' is missing in '${shown}'`)
  const version = String(apiVersion)
  if (version === `${group}/v1` && foundKind === kind) return
  if (version === `${group}/v1` && otherKinds.has(String(foundKind))) {
    throw new OtherType(`got unexpected config type: ${version}, Kind=${String(foundKind)}`)
  }
  const named = goQuote(String(foundKind))
  throw new DecodeError(`no kind ${named} is registered for version ${goQuote(version)}`)
}
