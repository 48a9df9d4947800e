import { StartError } from '../../runtime/startError.ts'
import { cbcCipher, gcmCipher } from './aesCiphers.ts'
import type { CipherSurroundings } from './cipher.ts'
import type { EncryptionConfiguration, Provider } from './encryptionConfiguration.ts'
import { keyedTransformer } from './keyedTransformer.ts'
import type { KmsTransformer } from './kmsTransformer.ts'
import { RuleSet } from './ruleSet.ts'
import { identity, type Transformer } from './transformer.ts'
import { maskedRule } from './validateConfiguration.ts'

export interface Rules {
  set: RuleSet
  /** Started clients; the caller stops them. */
  kms: readonly KmsTransformer[]
}

const noV1 =
  'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  ' +
  'Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.'

/** Transformers of a valid configuration; ciphers and clients are loaded only if a provider needs them.
 *  @throws StartError. */
export async function buildRules(
  configuration: EncryptionConfiguration,
  around: CipherSurroundings,
): Promise<Rules> {
  const kms: KmsTransformer[] = []
  const set = new RuleSet()
  for (const { resources, providers } of configuration.resources) {
    const transformers: Transformer[] = []
    for (const provider of providers) transformers.push(await transformerOf(provider, kms, around))
    for (const resource of resources) set.add(resource, transformers)
  }
  const masked = maskedRule(configuration)
  if (masked !== undefined) throw building(masked)
  await Promise.all(kms.map((one) => one.start()))
  return { set, kms }
}

async function transformerOf(
  { aesgcm, aescbc, secretbox, kms }: Provider,
  started: KmsTransformer[],
  around: CipherSurroundings,
): Promise<Transformer> {
  const { random } = around
  if (aesgcm !== undefined)
    return keyedTransformer('aesgcm', aesgcm.keys, (key) => gcmCipher(key, random))
  if (aescbc !== undefined)
    return keyedTransformer('aescbc', aescbc.keys, (key) => cbcCipher(key, random))
  if (secretbox !== undefined) {
    const { secretboxCipher } = await import('./secretboxCipher.ts')
    return keyedTransformer('secretbox', secretbox.keys, (key) => secretboxCipher(key, random))
  }
  if (kms === undefined) return identity
  if (kms.apiVersion === 'v1') throw building(noV1)
  const { KmsTransformer: Made } = await import('./kmsTransformer.ts')
  const made = await Made.load(kms, around)
  started.push(made)
  return made
}

function building(why: string): StartError {
  return new StartError(`error while building transformers: ${why}`)
}
