import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { TypeWords } from './declarations.ts'
import { packageWords, type PackageWords } from './packageWords.ts'

/**
 * Descriptions of the definitions of the built-in groups, by name (`io.k8s.api.core.v1.Pod`). They are loaded at the
 * first call: from a file that the build writes beside the program, or from the packages when running from sources.
 */
export function kubernetesWords(): (definition: string) => TypeWords | undefined {
  let words: PackageWords | undefined
  const joined = new Map<string, TypeWords | undefined>()
  return (definition) => {
    words ??= builtWords() ?? packageWords(new URL('../../../node_modules/', import.meta.url))
    if (!joined.has(definition)) joined.set(definition, wordsOf(definition, words))
    return joined.get(definition)
  }
}

/** The name of the file in `dist/`. */
export const wordsFile = 'kubernetesWords.json.gz'

function builtWords(): PackageWords | undefined {
  let packed: Buffer
  try {
    packed = readFileSync(new URL(`../${wordsFile}`, import.meta.url))
  } catch {
    return undefined
  }
  // The build writes the result of `packageWords`.
  return JSON.parse(gunzipSync(packed).toString()) as PackageWords
}

function wordsOf(definition: string, { models, client }: PackageWords): TypeWords | undefined {
  const parts = definition.split(/[.-]/).map(capitalized)
  const [group = '', version = '', kind = ''] = parts.slice(-3)
  const model = models[parts.join('')]
  const newer = client[group + version + kind] ?? client[version + kind]
  if (model === undefined || newer === undefined) return model ?? newer
  return { ...model, fields: { ...newer.fields, ...model.fields } }
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
