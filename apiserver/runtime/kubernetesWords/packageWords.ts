import { readdirSync, readFileSync } from 'node:fs'
import { declaredWords, type TypeWords } from './declarations.ts'

/** Descriptions in the doc comments of two packages of TypeScript types. */
export interface PackageWords {
  /** Types of `kubernetes-models`, by definition in camel case (`IoK8sApiCoreV1Pod`). Complete up to its release. */
  models: Record<string, TypeWords>
  /** Types of `@kubernetes/client-node`, by model (`V1Pod`, `CoreV1Event`). Newer, but without descriptions of fields
   *  that hold another definition; these use the definition's description. */
  client: Record<string, TypeWords>
}

const modelFolders = ['kubernetes-models', '@kubernetes-models/apimachinery']
const clientFolder = '@kubernetes/client-node/dist/gen/models'

/** Reads the descriptions of stable versions from `node_modules`. Takes about a tenth of a second. */
export function packageWords(nodeModules: URL): PackageWords {
  const models: Record<string, TypeWords> = {}
  for (const folder of modelFolders) {
    for (const file of declarationFiles(new URL(`${folder}/`, nodeModules))) {
      const source = readFileSync(file, 'utf8')
      const name = /^export \{ .*\bas I(IoK8s\w+)/m.exec(source)?.[1]
      if (name !== undefined) models[name] = declaredWords(source)
    }
  }
  const client: Record<string, TypeWords> = {}
  for (const file of declarationFiles(new URL(`${clientFolder}/`, nodeModules))) {
    const name =
      file.pathname
        .split('/')
        .at(-1)
        ?.replace(/\.d\.ts$/, '') ?? ''
    client[name] = declaredWords(readFileSync(file, 'utf8'))
  }
  return { models, client }
}

function declarationFiles(folder: URL): URL[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.d.ts') && !/_schemas|V?\d(alpha|beta)/.test(name))
    .map((name) => new URL(name.replaceAll('\\', '/'), folder))
}
